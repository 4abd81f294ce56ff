import { expect, it } from 'vitest';
import { desk, rowsOf } from '../../helpers/callsheet.ts';
import { gate, voiceServer } from '../../helpers/services/voice-server.ts';
import { spawnCallsheet } from '../../helpers/compiled-program.ts';

const PHONES = Array.from({ length: 20 }, (_, i) => `+121255501${String(i).padStart(2, '0')}`);
const CONCURRENCY = 4;

it('after kill -9 at half, nobody is called twice, what was in flight is in doubt, and no row is missing', async () => {
  const held = gate();
  const service = await voiceServer({
    dial: async (_, callId, count) => {
      if (count > PHONES.length / 2) await held.pass();
      return { body: { call_id: callId } };
    },
  });
  const at = desk({ VOICE_API_URL: service.url, VOICE_API_KEY: 'k' });
  at.write('leads.csv', `phone\n${PHONES.join('\n')}\n`);
  const argv = [
    ...['run', 'leads.csv', '--agent', 'ag_1', '-o', 'out.csv'],
    ...['--set', 'polling.floor=20ms'],
  ];
  const killed = spawnCallsheet(at, [...argv, '--concurrency', String(CONCURRENCY)]);
  // Those phones ring, and the answers are on their way.
  await held.waiting(CONCURRENCY);
  killed.kill('SIGKILL');
  expect((await killed.ended).signal).toBe('SIGKILL');
  expect(at.has('out.csv')).toBe(false);
  const inFlight = service.dialled.slice(PHONES.length / 2);
  expect(inFlight).toHaveLength(CONCURRENCY);
  held.open();

  // Calls in doubt hold their slots for as long as they might last: the others need some more.
  const second = await at.run([...argv, '--concurrency', '20']);
  expect(second.code).toBe(5);
  expect(second.err).toContain('A person is needed: it is not known whether 4 calls were made');
  expect(service.dialled.toSorted()).toEqual(PHONES);
  const rows = rowsOf(at.read('out.csv'));
  expect(rows.map((row) => row['call_phone'])).toEqual(PHONES);
  const doubtful = rows.filter((row) => row['call_result'] !== 'answered');
  expect(doubtful.map((row) => row['call_phone']).toSorted()).toEqual(inFlight.toSorted());

  const shown = await at.run(['status', 'leads']);
  expect(shown.out).toMatch(/leads +open +none +0 +4 +4 +16 +16 /);
  for (const phone of inFlight) expect(shown.err).toMatch(new RegExp(`\\${phone} unknown attempt`));
  expect(shown.err).toContain('the program stopped between sending this call and keeping');
  expect(shown.err).toContain('What to do: ');

  const third = await at.run(['run', 'leads']);
  expect(third.code).toBe(5);
  expect(service.dialled).toHaveLength(PHONES.length);
});
