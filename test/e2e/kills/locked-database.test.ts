import Sqlite from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { desk } from '../../helpers/callsheet.ts';
import { gate, voiceServer } from '../../helpers/services/voice-server.ts';
import { spawnCallsheet } from '../../helpers/compiled-program.ts';

const PHONES = Array.from({ length: 4 }, (_, i) => `+1212555010${i}`);

it('a lock that another program holds stops calling; what came meanwhile is written when it is gone', async () => {
  const held = gate();
  const service = await voiceServer({
    dial: async (_, callId, count) => {
      if (count === 2) await held.pass();
      return { body: { call_id: callId } };
    },
  });
  const at = desk({ VOICE_API_URL: service.url, VOICE_API_KEY: 'k' });
  at.write('leads.csv', `phone\n${PHONES.join('\n')}\n`);
  const run = ['run', 'leads.csv', '--agent', 'ag_1', '--set', 'polling.floor=20ms'];
  const night = spawnCallsheet(at, [...run, '--concurrency', '1', '--db', 'calls.db']);
  await held.waiting(1);
  const other = new Sqlite(at.path('calls.db'));
  onTestFinished(() => {
    other.close();
  });
  other.exec('BEGIN EXCLUSIVE');
  held.open();

  await night.written('Another program has locked the database: no new call is started');
  expect(service.dialled).toHaveLength(2);
  other.exec('ROLLBACK');

  const ended = await night.ended;
  expect(ended.err).toContain('Every lead is final.');
  expect(ended.code).toBe(0);
  expect(service.dialled.toSorted()).toEqual(PHONES);
});
