import { existsSync, mkdirSync, rmSync, statSync, symlinkSync, truncateSync } from 'node:fs';
import Sqlite, { type Database } from 'better-sqlite3';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  ballastPath,
  FREE_FLOOR_BYTES,
  systemDisk,
  type Disk,
} from '../../../../src/store/sqlite/file/ballast.ts';
import type * as Connection from '../../../../src/store/sqlite/file/connection.ts';
import {
  aClaim,
  aRunningCampaign,
  aSweep,
  CAMPAIGN,
  claimed,
  claimedOne,
  ENTRY,
  ME,
  placed,
  settled,
} from '../../../conformance/store/setup.ts';
import { START } from '../../../helpers/clock.ts';
import { aLead, aPhone } from '../../../helpers/factory.ts';
import { aDatabasePath, aRunningDatabase, aStore } from '../database.ts';

/** While `isFull` says so, no statement that begins a write finds room. */
const room = vi.hoisted(() => ({ isFull: (): boolean => false }));

vi.mock('../../../../src/store/sqlite/file/connection.ts', async (original) => {
  const { openConnection, ...rest } = await original<typeof Connection>();
  return {
    ...rest,
    openConnection: (options: Connection.ConnectionOptions) => {
      const db = openConnection(options);
      const prepare = db.prepare.bind(db);
      vi.spyOn(db, 'prepare').mockImplementation((sql: string) => {
        const statement = prepare(sql);
        if (sql === 'COMMIT') failWhenFull(db, statement);
        return statement;
      });
      return db;
    },
  };
});

// With the ballast at its full size, see `helpers/faster.ts`.
vi.unmock('../../../../src/store/sqlite/file/ballast.ts');

beforeEach(() => {
  room.isFull = () => false;
});

const MB = 1024 * 1024;
const aDisk = (overrides: Partial<Disk> = {}): Disk => ({ ...systemDisk, ...overrides });
const freeing = (freeBytes: () => number) => ({ disk: aDisk({ freeBytes }) });

it('a store that is closed while it makes room keeps the answer of a call', async () => {
  const { path, store } = await aRunningDatabase();
  const intent = await claimedOne(store);
  room.isFull = () => existsSync(ballastPath(path));

  const recorded = store.recordDial(intent.attemptId, placed('call_1'));
  await store.close();

  expect(await recorded).toBe('moved');
});

describe('a disk with little room left', () => {
  it('lets nobody be claimed, and everything else go on', async () => {
    let free = FREE_FLOOR_BYTES;
    const store = aStore(
      aDatabasePath(),
      freeing(() => free),
    );
    await aRunningCampaign(store);
    const intent = await claimedOne(store);
    free -= 1;

    expect(await store.claim(aClaim())).toMatchObject({
      intents: [],
      shortfall: 'disk_full',
      askAgainAt: null,
    });

    const query = { campaignId: CAMPAIGN, serviceSlots: null, now: START };
    expect(await store.claimGates(query)).toEqual([{ why: 'disk_full', until: null }]);
    expect(await store.recordDial(intent.attemptId, placed('call_1'))).toBe('moved');
    expect(await store.recordPoll(intent.attemptId, settled('call_1'))).toBe('moved');
    expect(await store.progress(CAMPAIGN, START)).toMatchObject({ dials: { made: 1 }, done: 1 });
    free += 1;
    expect((await claimedOne(store)).phone).toBe(aPhone(1));
  });
});

describe('the ballast', () => {
  it('is a file of its full size, only for its owner, made when the store is opened to dial', async () => {
    const path = aDatabasePath();
    await aStore(path, { mode: 'write' }).close();
    expect(existsSync(ballastPath(path))).toBe(false);

    aStore(path);

    const { size, blocks, mode } = statSync(ballastPath(path));
    expect(size).toBe(4 * MB);
    expect(blocks * 512).toBeGreaterThanOrEqual(4 * MB);
    expect(mode & 0o777).toBe(0o600);
  });

  it('is not made where it would take the last room', () => {
    const path = aDatabasePath();

    aStore(
      path,
      freeing(() => FREE_FLOOR_BYTES - 1),
    );

    expect(existsSync(ballastPath(path))).toBe(false);
  });

  it.each([
    [
      'is missing',
      (path: string) => {
        rmSync(path);
      },
    ],
    [
      'was cut short by a crash',
      (path: string) => {
        truncateSync(path, MB);
      },
    ],
  ])('is made again with the next claim where it %s', async (_, damage) => {
    const { path, store } = await aRunningDatabase();
    damage(ballastPath(path));

    await claimedOne(store);

    expect(statSync(ballastPath(path)).size).toBe(4 * MB);
  });

  it('delays nobody where it cannot be written for another reason than space', async () => {
    const path = aDatabasePath();
    mkdirSync(ballastPath(path));
    const store = aStore(path, { disk: aDisk({ ballastBytes: 1e9 }) });
    await aRunningCampaign(store);

    await claimedOne(store);
  });

  it('that finds no room (a quota, say) lets nobody be claimed', async () => {
    const { path, store } = await aRunningDatabase();
    rmSync(ballastPath(path));
    symlinkSync('/dev/full', ballastPath(path));

    expect(await store.claim(aClaim())).toMatchObject({ intents: [], shortfall: 'disk_full' });
  });
});

describe('a full disk', () => {
  it('gives up the ballast for the outcomes of calls in flight, all of which are kept', async () => {
    const path = aDatabasePath();
    let free = Infinity;
    const store = aStore(
      path,
      freeing(() => free),
    );
    await aRunningCampaign(store, { settings: { concurrency: 4 } });
    const intents = await claimed(store, 4);
    free = 0;
    room.isFull = () => existsSync(ballastPath(path));

    const recorded = intents.map(({ attemptId }, n) =>
      store.recordDial(attemptId, placed(`call_${n}`)),
    );

    expect(await Promise.all(recorded)).toEqual(['moved', 'moved', 'moved', 'moved']);
    expect(existsSync(ballastPath(path))).toBe(false);
    expect(await store.claim(aClaim())).toMatchObject({ shortfall: 'disk_full' });

    free = FREE_FLOOR_BYTES;
    room.isFull = () => false;
    await store.recordPoll(intents[0]?.attemptId ?? '', settled('call_0'));
    await claimedOne(store);
    expect(statSync(ballastPath(path)).size).toBe(4 * MB);
  });

  it('is told once the ballast is gone, and nothing is half done', async () => {
    const { path, store } = await aRunningDatabase();
    const { attemptId } = await claimedOne(store);
    room.isFull = () => true;

    const told = store.recordDial(attemptId, placed('call_1'));

    await expect(told).rejects.toMatchObject({ code: 'STORE_FULL', exitCode: 5 });
    expect(existsSync(ballastPath(path))).toBe(false);
    room.isFull = () => false;
    expect(await store.recordDial(attemptId, placed('call_1'))).toBe('moved');
  });

  it('keeps the ballast for calls: an import is refused', async () => {
    const { path, store } = await aRunningDatabase();
    room.isFull = () => existsSync(ballastPath(path));

    const imported = store.addLeads(`list-${CAMPAIGN}`, [aLead(9)]);

    await expect(imported).rejects.toMatchObject({ code: 'STORE_FULL' });
    expect(existsSync(ballastPath(path))).toBe(true);
  });

  it.each([
    [
      'a pause',
      (path: string) =>
        aStore(path, { mode: 'write' }).changeCampaign(
          CAMPAIGN,
          { pause: { reason: 'operator', detail: 'by op' } },
          ENTRY,
        ),
    ],
    ['what time decides', (path: string) => aStore(path, { mode: 'write' }).sweep(aSweep())],
    [
      'a runner that leaves',
      (path: string) => aStore(path, { mode: 'write' }).runnerLeft(CAMPAIGN, ME),
    ],
  ])('gives it up for %s, from another process too', async (_, write) => {
    const path = aDatabasePath();
    await aRunningCampaign(aStore(path));
    room.isFull = () => existsSync(ballastPath(path));

    await write(path);

    expect(existsSync(ballastPath(path))).toBe(false);
  });
});

function failWhenFull(db: Database, statement: Sqlite.Statement): void {
  const run = statement.run.bind(statement);
  vi.spyOn(statement, 'run').mockImplementation((...parameters: unknown[]) => {
    if (!room.isFull()) return run(...parameters);
    db.exec('ROLLBACK');
    throw new Sqlite.SqliteError('database or disk is full', 'SQLITE_FULL');
  });
}
