import { describe, expect, it } from 'vitest';
import { desk, rowsOf } from '../../helpers/callsheet.ts';
import {
  gate,
  voiceServer,
  type Answer,
  type VoiceServer,
} from '../../helpers/services/voice-server.ts';

const PHONES = Array.from({ length: 6 }, (_, i) => `+1212555010${i}`);

const deskFor = (service: VoiceServer) => {
  const at = desk({ VOICE_API_URL: service.url, VOICE_API_KEY: 'k' });
  at.write('leads.csv', `phone\n${PHONES.join('\n')}\n`);
  return at;
};
const RUN = [
  ...['run', 'leads.csv', '--agent', 'ag_1', '--concurrency', '6'],
  ...['--set', 'polling.floor=20ms'],
];

describe('until a service has answered a dial as its profile expects', () => {
  it('dials go out one at a time, and one more with each answer afterwards', async () => {
    const first = gate();
    const rest = gate();
    const service = await voiceServer({
      dial: async (_, callId, count) => {
        await (count === 1 ? first : rest).pass();
        return { body: { call_id: callId } };
      },
    });
    const at = deskFor(service);
    const { ended } = at.begin(RUN);
    await first.waiting(1);
    // Another look at the store says the same as the wire: one is allowed, five wait.
    const status = await at.run(['status', 'leads', '--json']);
    expect(JSON.parse(status.out)).toMatchObject({ waiting: 5, held: 1 });
    expect(service.dialled).toEqual(PHONES.slice(0, 1));
    first.open();
    await rest.waiting(2);
    expect(service.peak).toBe(2);
    rest.open();
    expect((await ended).code).toBe(0);
    expect(service.dialled.toSorted()).toEqual(PHONES);
  });

  const bad: [string, Answer][] = [
    ['400', { status: 400, body: { error: { field: 'phone_number', message: 'is unknown' } } }],
    ['404', { status: 404, body: 'no such page' }],
    ['422', { status: 422, body: { detail: 'agent_id is required' } }],
  ];
  it.each(bad)(
    'a %s pauses the campaign, gives the lead back, and the next run goes on',
    async (status, answer) => {
      const service = await voiceServer({ dial: () => answer });
      const at = deskFor(service);
      const paused = await at.run(RUN);
      expect(paused.code).toBe(5);
      expect(service.dialled).toHaveLength(1);
      expect(paused.err).toContain('Paused by callsheet: ');
      expect(paused.err).toContain(`HTTP ${status}`);
      expect(paused.err).toContain('with phone_number, agent_id');
      expect(paused.err).toContain('`npx callsheet run leads` then asks the service again');
      expect(paused.err).not.toMatch(/\.\.(\s|$)| {4}at /);
      const shown = await at.run(['status', 'leads', '--json']);
      expect(JSON.parse(shown.out)).toMatchObject({
        state: 'paused',
        pauseReason: 'profile',
        waiting: 6,
        calling: 0,
        dials: { made: 0, refused: 0, inDoubt: 0, notMade: 1 },
      });

      service.behave({});
      const mended = await at.run(['run', 'leads']);
      expect(mended.code).toBe(0);
      expect(rowsOf(at.read('data/results/leads.csv'))).toHaveLength(6);
      // The refused one rang nowhere, so it is dialled again; everybody else once.
      expect(service.dialled.slice(1).toSorted()).toEqual(PHONES);
    },
  );

  const doubtful: [string, Answer][] = [
    ['redirect', { status: 307, headers: { location: '/v2/calls' }, body: '' }],
    ['success without a call id', { status: 200, body: { queued: true } }],
  ];
  it.each(doubtful)(
    'a %s pauses the campaign, and whoever was dialled is in doubt, not dialled again',
    async (_, answer) => {
      const service = await voiceServer({ dial: () => answer });
      const at = deskFor(service);
      const paused = await at.run(RUN);
      expect(paused.code).toBe(5);
      expect(service.dialled).toEqual(PHONES.slice(0, 1));
      service.behave({});
      const mended = await at.run(['run', 'leads']);
      // The doubt remains: a person is needed for it.
      expect(mended.code).toBe(5);
      expect(mended.err).toContain('it is not known whether 1 call was made');
      expect(service.dialled.toSorted()).toEqual(PHONES);
      const rows = rowsOf(at.read('data/results/leads.csv'));
      expect(rows.filter((row) => row['call_state'] === 'done')).toHaveLength(5);
      const shown = await at.run(['status', 'leads']);
      expect(shown.err).toContain('Calls in doubt (sent, answer lost');
      expect(shown.err).toContain('line 2 +12125550100 unknown');
      expect(shown.err).toContain('What to do: ');
    },
  );

  it('a 401 pauses the campaign with exit code 4, and a run with a good key goes on', async () => {
    const service = await voiceServer({
      dial: ({ key }, callId) =>
        key === 'Bearer new-key'
          ? { body: { call_id: callId } }
          : { status: 401, body: { error: 'invalid key' } },
    });
    const at = deskFor(service);
    const refused = await at.run(RUN);
    expect(refused.code).toBe(4);
    expect(refused.err).not.toContain('Bearer');
    expect(service.dialled).toHaveLength(1);
    const env = { ...at.env, VOICE_API_KEY: 'new-key' };
    expect((await at.run(['run', 'leads'], { env })).code).toBe(0);
    expect(service.dialled.slice(1).toSorted()).toEqual(PHONES);
  });
});

it('--limit stops after so many calls, and the next run goes on with the others', async () => {
  const service = await voiceServer();
  const at = deskFor(service);
  const first = await at.run([...RUN, '--limit', '2']);
  expect(first.code).toBe(3);
  expect(first.err).toContain(
    'Stopped at --limit: 4 leads wait; `npx callsheet run leads` goes on.',
  );
  expect(service.dialled).toEqual(PHONES.slice(0, 2));
  expect(rowsOf(at.read('data/results/leads.csv'))).toHaveLength(6);
  const second = await at.run(['run', 'leads']);
  expect(second.code).toBe(0);
  expect(service.dialled.toSorted()).toEqual(PHONES);
});
