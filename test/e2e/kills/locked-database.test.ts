import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { systemClock } from '../../../src/runtime/clock.ts';
import type * as files from '../../../src/store/sqlite/file/files.ts';
import { desk } from '../../helpers/callsheet.ts';
import { callingDesk, CALL } from '../../helpers/services/calling-desk.ts';
import { livePhone } from '../../helpers/services/live-service.ts';
import { gate, voiceServer } from '../../helpers/services/voice-server.ts';

// SQLite waits for a lock in real time, while nothing else happens in this process.
vi.mock('../../../src/store/sqlite/file/files.ts', async (original) => ({
  ...(await original<typeof files>()),
  BUSY_TIMEOUT_MS: 300,
}));

const PHONES = Array.from({ length: 4 }, (_, i) => `+1212555010${i}`);

/** Another program that holds the lock of a database until its transaction ends. */
function locks(path: string) {
  const other = new Sqlite(path);
  onTestFinished(() => {
    other.close();
  });
  other.exec('BEGIN EXCLUSIVE');
  return other;
}

describe('a database that another program locks', () => {
  it.each([
    ['a run', ['run', 'leads.csv', '--yes', '--rules', 'always']],
    ['a call', ['call', livePhone(0), '--yes', '--rules', 'always']],
  ])('is waited for by %s that begins', async (_, argv) => {
    const { at, rang } = await callingDesk();
    const here = ['--db', 'calls.db'];
    at.write('leads.csv', `phone\n${livePhone(0)}\n`);
    await at.run(['suppress', 'add', livePhone(9), ...here]);
    const other = locks(at.path('calls.db'));
    // The first pause of the program is the one in which it waits for the lock.
    const sleep: typeof systemClock.sleep = (ms, signal) => {
      if (other.inTransaction) other.exec('ROLLBACK');
      return systemClock.sleep(ms, signal);
    };

    const { err } = await at.run([...argv, ...CALL, ...here], { clock: { ...systemClock, sleep } });

    expect(err).toContain('waiting for it, at most ten minutes');
    expect(rang()).toEqual([livePhone(0)]);
  });

  it('is told after a while to who changes something in it', async () => {
    const { at } = await callingDesk();
    const suppress = ['suppress', 'add', livePhone(9), '--db', 'calls.db'];
    await at.run(suppress);
    locks(at.path('calls.db'));
    const { code, err } = await at.run(suppress);
    expect(code).toBe(1);
    expect(err).toMatch(/Another program has kept the database .*calls\.db locked for more than/);
  });

  it('stops calling; what came meanwhile is written when it is gone', async () => {
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
    const { io, ended } = at.begin([...run, '--concurrency', '1', '--db', 'calls.db']);
    await held.waiting(1);
    const other = locks(at.path('calls.db'));
    held.open();

    await io.written('Another program has locked the database: no new call is started');
    expect(service.dialled).toHaveLength(2);
    other.exec('ROLLBACK');

    const { code, err } = await ended;
    expect([code, err]).toEqual([0, expect.stringContaining('Every lead is final.')]);
    expect(service.dialled.toSorted()).toEqual(PHONES);
  });
});
