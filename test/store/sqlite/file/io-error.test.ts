import Sqlite from 'better-sqlite3';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Store } from '../../../../src/store/port.ts';
import type * as Connection from '../../../../src/store/sqlite/file/connection.ts';
import {
  aClaim,
  aSweep,
  CAMPAIGN,
  claimed,
  ENTRY,
  exported,
  placed,
} from '../../../conformance/store/setup.ts';
import { START } from '../../../helpers/clock.ts';
import { aConnection, aRunningDatabase, aStore } from '../database.ts';

/** What `COMMIT` or a statement that holds `in` throws from now on, and how often anything was begun. */
const disk = vi.hoisted(() => ({ fault: undefined as Error | undefined, in: '', begun: 0 }));

vi.mock('../../../../src/store/sqlite/file/connection.ts', async (original) => {
  const { openConnection, ...rest } = await original<typeof Connection>();
  return {
    ...rest,
    openConnection: (options: Connection.ConnectionOptions) => {
      const db = openConnection(options);
      const prepare = db.prepare.bind(db);
      vi.spyOn(db, 'prepare').mockImplementation((sql: string) => {
        const statement = prepare(sql);
        const run = statement.run.bind(statement);
        vi.spyOn(statement, 'run').mockImplementation((...parameters: unknown[]) => {
          if (sql.startsWith('BEGIN')) disk.begun += 1;
          if (disk.fault !== undefined && sql.includes(disk.in)) throw disk.fault;
          return run(...parameters);
        });
        return statement;
      });
      return db;
    },
  };
});

beforeEach(() => {
  disk.fault = undefined;
  disk.in = 'COMMIT';
  disk.begun = 0;
});

describe('after an I/O error', () => {
  it.each([
    ['when a commit is synced', 'SQLITE_IOERR_FSYNC', 'COMMIT', 'STORE_IO_FAILED', 1],
    ['in the middle of a change', 'SQLITE_IOERR_WRITE', 'UPDATE', 'STORE_IO_FAILED', 1],
    ['that shows damage', 'SQLITE_CORRUPT', 'UPDATE', 'STORE_CORRUPT', 5],
  ])('%s nothing more is written, even if the disk says that all is well', async (...row) => {
    const [, sqliteCode, statement, code, exitCode] = row;
    const { store } = await aRunningDatabase();
    const [first, second] = await claimed(store, 2);
    disk.fault = new Sqlite.SqliteError('disk I/O error', sqliteCode);
    disk.in = statement;

    const failed = store.recordDial(first?.attemptId ?? '', placed('call_1'));
    await expect(failed).rejects.toMatchObject({ code, exitCode });

    disk.fault = undefined;
    disk.begun = 0;
    for (const write of [
      store.recordDial(second?.attemptId ?? '', placed('call_2')),
      store.claim(aClaim()),
      store.addHistory(CAMPAIGN, ENTRY),
    ]) {
      await expect(write).rejects.toMatchObject({ code, exitCode });
    }
    expect(disk.begun).toBe(0);
    expect(await exported(store)).toHaveLength(5);
  });

  it('opening again recovers: nobody who was claimed is claimed again, the others are', async () => {
    const { path, store } = await aRunningDatabase();
    const intents = await claimed(store, 2);
    await breakDisk(store, intents[0]?.attemptId ?? '');
    await store.close();

    const again = aStore(path);
    await again.sweep(aSweep({ gone: await again.intentOwners(CAMPAIGN) }));

    expect(await again.progress(CAMPAIGN, START)).toMatchObject({ unknown: 2, waiting: 3 });
    const next = await claimed(again, 3);
    const called = [...intents, ...next].map(({ phone }) => phone);
    expect(new Set(called).size).toBe(5);
    expect(aConnection(path).pragma('integrity_check', { simple: true })).toBe('ok');
  });
});

async function breakDisk(store: Store, attemptId: string): Promise<void> {
  disk.fault = new Sqlite.SqliteError('disk I/O error', 'SQLITE_IOERR_FSYNC');
  await expect(store.recordDial(attemptId, placed('call_1'))).rejects.toMatchObject({
    code: 'STORE_IO_FAILED',
  });
  disk.fault = undefined;
}
