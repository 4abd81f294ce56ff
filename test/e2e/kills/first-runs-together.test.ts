import { describe, expect, it } from 'vitest';
import { desk, rowsOf, type Desk } from '../../helpers/callsheet.ts';
import { gate, voiceServer, type VoiceServer } from '../../helpers/services/voice-server.ts';

const PHONES = Array.from({ length: 12 }, (_, i) => `+12125550${100 + i}`);
const QUICK = ['--set', 'polling.floor=20ms'];
const RUN = ['run', 'leads.csv', '--agent', 'ag_1', ...QUICK];

type Ended = Awaited<ReturnType<Desk['run']>>;

/** A desk with a database in which no campaign of that name is, so that whoever comes reads it. */
const aDesk = async (): Promise<{ at: Desk; service: VoiceServer }> => {
  const service = await voiceServer();
  const at = desk({ VOICE_API_URL: service.url, VOICE_API_KEY: 'k' });
  at.write('leads.csv', `phone\n${PHONES.join('\n')}\n`);
  at.write('others.csv', 'phone\n+12125550150\n');
  expect((await at.run([...RUN, '--name', 'before', '--limit', '1'])).code).toBe(3);
  service.dialled.length = 0;
  return { at, service };
};
const AGENTS = { body: { data: [{ id: 'ag_1' }, { id: 'ag_2' }] } };

/** Both have seen that there is no campaign of the name; then the first does all of its work before the second goes on. */
const afterEachOther = async (
  { at, service }: { at: Desk; service: VoiceServer },
  first: readonly string[],
  second: readonly string[],
): Promise<Ended[]> => {
  const gates = [gate(), gate()] as const;
  let asked = 0;
  service.behave({
    agents: async () => {
      await gates[asked++ === 0 ? 0 : 1].pass();
      return AGENTS;
    },
  });
  const earlier = at.begin(first).ended;
  await gates[0].waiting(1);
  const later = at.begin(second).ended;
  await gates[1].waiting(1);
  gates[0].open();
  const ended = await earlier;
  gates[1].open();
  return [ended, await later];
};

describe('two first runs of a campaign at the same moment', () => {
  it('work on it together: everybody is called once, and neither fails', async () => {
    const { at, service } = await aDesk();
    const bothThere = gate();
    service.behave({
      agents: async () => {
        await bothThere.pass();
        return AGENTS;
      },
    });
    const runs = [at.begin(RUN).ended, at.begin(RUN).ended];
    await bothThere.waiting(2);
    bothThere.open();
    const ends = await Promise.all(runs);

    // Whoever ends first may leave calls of the other open.
    expect(ends.map(({ code }) => code).toSorted()[0]).toBe(0);
    for (const { code } of ends) expect([0, 3]).toContain(code);
    expect(service.dialled.toSorted()).toEqual(PHONES);
    expect(rowsOf(at.read('data/results/leads.csv'))).toHaveLength(PHONES.length);
    const shown = await at.run(['status', 'leads', '--json']);
    const { history } = JSON.parse(shown.out) as { history: { what: string }[] };
    expect(history.filter(({ what }) => what === 'campaign.created')).toHaveLength(1);
  });

  it('of which the second has another agent: it ends as any second run would', async () => {
    const scene = await aDesk();
    const other = ['run', 'leads.csv', '--agent', 'ag_2', ...QUICK];

    const [first, second] = await afterEachOther(scene, RUN, other);

    expect(first?.code).toBe(0);
    expect(second?.code).toBe(2);
    expect(second?.err).toContain('one campaign has one agent');
    expect(scene.service.dialled.toSorted()).toEqual(PHONES);
  });

  it('of which the second has another list: it ends as any second run would', async () => {
    const scene = await aDesk();
    const other = ['run', 'others.csv', '--name', 'leads', '--agent', 'ag_1', ...QUICK];

    const [, second] = await afterEachOther(scene, RUN, other);

    expect(second?.code).toBe(2);
    expect(second?.err).toContain('is not the list that campaign "leads" was made from');
    expect(scene.service.dialled.toSorted()).toEqual(PHONES);
  });

  it('of which the second has other settings: it says what changed, and keeps them', async () => {
    const scene = await aDesk();
    const [, second] = await afterEachOther(
      scene,
      [...RUN, '--concurrency', '2', '--limit', '1'],
      [...RUN, '--concurrency', '3'],
    );

    expect(second?.code).toBe(0);
    expect(second?.err).toContain('concurrency 2 -> 3 (flag --concurrency)');
    expect(scene.service.dialled.toSorted()).toEqual(PHONES);
  });
});
