import { describe, expect, it } from 'vitest';
import { desk, type Desk } from '../../helpers/callsheet.ts';
import { voiceServer, type VoiceServer } from '../../helpers/services/voice-server.ts';

const PHONES = Array.from({ length: 6 }, (_, i) => `+1212555010${i}`);
const RUN = ['run', 'leads.csv', '--agent', 'ag_1', '--set', 'polling.floor=20ms', '--limit', '1'];
const AGENT = { id: 'ag_1', name: 'Renewals', systemPrompt: 'Be kind.' };
const CHANGED = 'is not what it was when this campaign began';

interface Scene {
  at: Desk;
  service: VoiceServer;
  /** From now on the service tells this of its agent. */
  become: (agent: object) => void;
}

const aScene = async (agent: object = AGENT): Promise<Scene> => {
  const service = await voiceServer();
  const become = (next: object) => {
    service.behave({ agents: () => ({ body: { data: [next] } }) });
  };
  become(agent);
  const at = desk({ VOICE_API_URL: service.url, VOICE_API_KEY: 'k' });
  at.write('leads.csv', `phone\n${PHONES.join('\n')}\n`);
  return { at, service, become };
};

const changesIn = async (at: Desk): Promise<unknown[]> => {
  const shown = await at.run(['status', 'leads', '--json']);
  const { history } = JSON.parse(shown.out) as { history: { what: string; detail: unknown }[] };
  return history.filter(({ what }) => what.startsWith('agent.')).map(({ detail }) => detail);
};

describe('the agent of a campaign', () => {
  it('that stays as it is is not spoken of', async () => {
    const { at } = await aScene();
    await at.run(RUN);
    expect((await at.run(RUN)).err).not.toContain(CHANGED);
    expect(await changesIn(at)).toEqual([]);
  });

  it.each([
    [{ ...AGENT, systemPrompt: 'Be short.' }, 'its prompt is another one. People who'],
    [{ ...AGENT, name: 'Winback' }, 'its name was "Renewals" and is "Winback". People who'],
  ])('that was changed meanwhile is told of at every run: %j', async (agent, what) => {
    const { at, service, become } = await aScene();
    await at.run(RUN);
    become(agent);

    for (let n = 0; n < 2; n++) {
      const { err } = await at.run(RUN);
      expect(err).toContain(`Agent ag_1 ${CHANGED} (`);
      expect(err).toContain(what);
    }

    expect(await changesIn(at)).toHaveLength(1);
    // It is a warning: whoever changed it may have meant to.
    expect(service.dialled).toHaveLength(3);
    become(AGENT);
    expect((await at.run(RUN)).err).not.toContain(CHANGED);
  });

  it('is compared with what was told: a prompt that is not told has not changed', async () => {
    const { at, become } = await aScene();
    await at.run(RUN);
    become({ id: 'ag_1' });
    expect((await at.run(RUN)).err).not.toContain(CHANGED);
  });

  it('is not kept word by word', async () => {
    const { at } = await aScene();
    await at.run(RUN);
    const shown = await at.run(['status', 'leads', '--json']);
    expect(shown.out).toContain('agentSeen');
    expect(shown.out).not.toContain(AGENT.systemPrompt);
  });

  it('that the account of the key does not have is refused before anybody is called', async () => {
    const { at, service } = await aScene({ ...AGENT, id: 'ag_2' });
    const { code, err } = await at.run(RUN);
    expect(code).toBe(2);
    expect(err).toContain('has no agent "ag_1"; it has ag_2.');
    expect(service.dialled).toEqual([]);
  });
});
