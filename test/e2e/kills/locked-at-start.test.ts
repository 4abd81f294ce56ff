import Sqlite from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../src/runtime/clock.ts';
import { callingDesk, CALL } from '../../helpers/services/calling-desk.ts';
import { livePhone } from '../../helpers/services/live-service.ts';

it.each([
  ['a run', ['run', 'leads.csv', '--yes', '--rules', 'always']],
  ['a call', ['call', livePhone(0), '--yes', '--rules', 'always']],
])('%s that begins while another program locks the database waits for it', async (_, argv) => {
  const { at, rang } = await callingDesk();
  const here = ['--db', 'calls.db'];
  at.write('leads.csv', `phone\n${livePhone(0)}\n`);
  await at.run(['suppress', 'add', livePhone(9), ...here]);
  const other = new Sqlite(at.path('calls.db'));
  onTestFinished(() => {
    other.close();
  });
  other.exec('BEGIN EXCLUSIVE');
  // The first pause of the program is the one in which it waits for the lock.
  const sleep: typeof systemClock.sleep = (ms, signal) => {
    if (other.inTransaction) other.exec('ROLLBACK');
    return systemClock.sleep(ms, signal);
  };

  const { err } = await at.run([...argv, ...CALL, ...here], { clock: { ...systemClock, sleep } });

  expect(err).toContain('waiting for it, at most ten minutes');
  expect(rang()).toEqual([livePhone(0)]);
});
