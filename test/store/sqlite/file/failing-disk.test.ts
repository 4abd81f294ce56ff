import { readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite, { type Database } from 'better-sqlite3';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type * as Connection from '../../../../src/store/sqlite/file/connection.ts';
import {
  aRunningCampaign,
  CAMPAIGN,
  claimedOne,
  ENTRY,
  exported,
} from '../../../conformance/store/setup.ts';
import { aLead } from '../../../helpers/factory.ts';
import { journalPath } from '../../../../src/store/journal/journal.ts';
import { aDatabasePath, aRunningDatabase, aStore } from '../database.ts';
import { METHODS } from '../every-method.ts';

/** The connections of the stores that were opened, and what every statement of theirs throws from now on. */
const disk = vi.hoisted(() => ({
  connections: [] as Database[],
  fault: undefined as Error | undefined,
}));

vi.mock('../../../../src/store/sqlite/file/connection.ts', async (original) => {
  const { openConnection, ...rest } = await original<typeof Connection>();
  return {
    ...rest,
    openConnection: (options: Connection.ConnectionOptions) => {
      const db = openConnection(options);
      disk.connections.push(db);
      const prepare = db.prepare.bind(db);
      vi.spyOn(db, 'prepare').mockImplementation((sql: string) => failing(prepare(sql)));
      return db;
    },
  };
});

beforeEach(() => {
  disk.connections.length = 0;
  disk.fault = undefined;
});

describe('a failing disk', () => {
  it('is tried out on every method', async () => {
    const names = Object.keys(aStore(aDatabasePath()));

    const others = ['name', 'folder', 'close'];
    expect(METHODS.map(([name]) => name).toSorted()).toEqual(
      names.filter((name) => !others.includes(name)).toSorted(),
    );
  });

  it.each(METHODS)('is told in a sentence by %s, and nothing is half done', async (_, call) => {
    const path = aDatabasePath();
    const { attemptId } = await aCallToLose(path);
    const store = aStore(path);
    const before = await exported(store);

    for (const [sqliteCode, expected] of [
      ['SQLITE_FULL', { code: 'STORE_FULL', exitCode: 5 }],
      ['SQLITE_BUSY_SNAPSHOT', { code: 'STORE_LOCKED', exitCode: 1 }],
      ['SQLITE_IOERR_READ', { code: 'STORE_IO_FAILED', exitCode: 1 }],
    ] as const) {
      disk.fault = new Sqlite.SqliteError('disk I/O error', sqliteCode);
      const told = call(store, attemptId);
      await expect(told).rejects.toMatchObject({ ...expected, cause: disk.fault });
      await expect(told).rejects.toThrow(path);
    }

    disk.fault = undefined;
    expect(await exported(store)).toEqual(before);
  });

  it('that is full says where to make room, and all is well when there is some', async () => {
    const { path, store } = await aRunningDatabase();
    const [db] = disk.connections;
    db?.pragma('max_page_count = 1');
    const lead = aLead(9, { cells: ['x'.repeat(1_000_000)] });

    await expect(store.addLeads(`list-${CAMPAIGN}`, [lead])).rejects.toMatchObject({
      code: 'STORE_FULL',
      exitCode: 5,
      message: `The disk is full: nothing more can be written to ${path}.`,
      hint: `Make room on the disk of ${dirname(path)}, then run again.`,
    });

    db?.pragma('max_page_count = 100000');
    expect(await store.addLeads(`list-${CAMPAIGN}`, [lead])).toMatchObject({ added: 1 });
  });

  it('is not blamed for a lock that another program holds', async () => {
    const { path, store } = await aRunningDatabase();
    const [db] = disk.connections;
    db?.pragma('busy_timeout = 0');
    const other = new Sqlite(path);
    onTestFinished(() => {
      other.close();
    });
    other.exec('BEGIN IMMEDIATE');

    await expect(store.addHistory(CAMPAIGN, ENTRY)).rejects.toMatchObject({
      code: 'STORE_LOCKED',
      exitCode: 1,
      hint: expect.stringContaining('Close that program') as string,
    });

    other.exec('ROLLBACK');
    await store.addHistory(CAMPAIGN, ENTRY);
  });

  it('is told in a sentence when the store is opened, too', () => {
    disk.fault = new Sqlite.SqliteError('disk I/O error', 'SQLITE_IOERR_FSYNC');
    const path = aDatabasePath();

    expect(() => aStore(path)).toThrow(
      `The disk of the database ${path} failed: disk I/O error (SQLITE_IOERR_FSYNC).`,
    );
  });
});

let toLose: { files: [string, Buffer][]; attemptId: string } | undefined;

/** Writes a database with a campaign and a claimed lead. It is made once and copied, as there are a hundred methods. */
async function aCallToLose(path: string): Promise<{ attemptId: string }> {
  if (toLose === undefined) {
    const made = aDatabasePath();
    const store = aStore(made);
    await aRunningCampaign(store);
    const { attemptId } = await claimedOne(store);
    await store.close();
    const files = ['', journalPath('')].map((end): [string, Buffer] => [
      end,
      readFileSync(made + end),
    ]);
    toLose = { files, attemptId };
  }
  for (const [end, bytes] of toLose.files) writeFileSync(path + end, bytes);
  return toLose;
}

/** A statement that throws the fault instead of running, while there is one. */
function failing<S extends object>(statement: S): S {
  return new Proxy(statement, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...parameters: unknown[]): unknown => {
        if (disk.fault !== undefined) throw disk.fault;
        const result: unknown = Reflect.apply(value, target, parameters);
        // `pluck` gives the statement itself.
        return result === target ? failing(target) : result;
      };
    },
  });
}
