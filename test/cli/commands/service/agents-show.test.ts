import { describe, expect, it } from 'vitest';
import { desk } from '../../../helpers/callsheet.ts';
import { voiceServer } from '../../../helpers/services/voice-server.ts';

const PROMPT = 'You remind people of their renewal.\nBe kind.';
const RENEWALS = {
  id: 'ag_1',
  name: 'Renewals',
  systemPrompt: PROMPT,
  voice: { id: 'alto', speed: 1.1 },
};

const aDesk = async (agents: unknown) => {
  const service = await voiceServer({ agents: () => ({ body: agents }) });
  return { service, at: desk({ VOICE_API_URL: service.url, VOICE_API_KEY: 'k' }) };
};

describe('agents show', () => {
  it('prints what the service says about one agent, its prompt last', async () => {
    const { at } = await aDesk({ data: [{ id: 'ag_0' }, RENEWALS] });
    const { code, out } = await at.run(['agents', 'show', 'ag_1']);
    expect(out).toBe(`id: ag_1\nname: Renewals\nvoice: {"id":"alto","speed":1.1}\n\n${PROMPT}\n`);
    expect(code).toBe(0);
  });

  it('gives everything as JSON', async () => {
    const { at, service } = await aDesk({ data: [RENEWALS] });
    const { out } = await at.run(['agents', 'show', 'ag_1', '--json']);
    expect(JSON.parse(out)).toEqual({
      service: service.url,
      id: 'ag_1',
      name: 'Renewals',
      systemPrompt: PROMPT,
      voice: RENEWALS.voice,
      answer: RENEWALS,
    });
  });

  it('of an agent that there is not names those there are', async () => {
    const { at } = await aDesk({ data: [RENEWALS] });
    const { code, out, err } = await at.run(['agents', 'show', 'ag_9']);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('has no agent "ag_9"; it has ag_1.');
  });

  it('says so where not all agents could be read', async () => {
    const { at } = await aDesk({ data: [RENEWALS], has_more: true });
    const { code, err } = await at.run(['agents', 'show', 'ag_9']);
    expect(code).toBe(2);
    expect(err).toContain('Not every page or entry could be read');
  });
});

describe('agents create', () => {
  it('says what the service answered, with the voice as it was taken', async () => {
    const answer = { id: 'ag_7', name: 'Renewals', voice: { id: 'alto', speed: 1 }, tier: 'basic' };
    const { at, service } = await aDesk(answer);
    at.write('prompt.txt', PROMPT);
    const argv = ['agents', 'create', '--name', 'Renewals', '--system-prompt-file', 'prompt.txt'];

    const plain = await at.run([...argv, '--voice', '{"id":"alto","speed":1.1}']);
    expect(plain.out).toBe('ag_7\n');
    expect(plain.err).toContain('  voice: {"id":"alto","speed":1}\n  tier: basic\n');
    expect(service.asked[0]?.body).toEqual({
      name: 'Renewals',
      systemPrompt: PROMPT,
      voice: { id: 'alto', speed: 1.1 },
    });
    const json = await at.run([...argv, '--json']);
    expect(JSON.parse(json.out)).toEqual({
      ...{ service: service.url, id: 'ag_7', name: 'Renewals', systemPrompt: PROMPT },
      ...{ voice: answer.voice, answer },
    });
  });
});
