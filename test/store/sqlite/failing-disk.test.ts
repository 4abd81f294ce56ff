import { dirname } from 'node:path';
import Sqlite, { type Database } from 'better-sqlite3';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type * as Connection from '../../../src/store/sqlite/connection.ts';
import type { Store } from '../../../src/store/port.ts';
import {
  aClaim,
  aList,
  aRunningCampaign,
  aSweep,
  CAMPAIGN,
  claimedOne,
  ENTRY,
  exported,
  ME,
  placed,
  settled,
} from '../../conformance/store/setup.ts';
import { START } from '../../helpers/clock.ts';
import { aCampaign, CREATED, aLead, aPhone } from '../../helpers/factory.ts';
import { aDatabasePath, aStore } from './database.ts';

/** The connections of the stores that were opened, and what every statement of theirs throws from now on. */
const disk = vi.hoisted(() => ({
  connections: [] as Database[],
  fault: undefined as Error | undefined,
}));

vi.mock('../../../src/store/sqlite/connection.ts', async (original) => {
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

const QUERY = { service: 'main', campaignId: null, now: START, after: START, limit: 9 };

const A_SUPPRESSION = {
  phone: aPhone(4),
  at: START,
  source: 'operator',
  note: null,
  who: 'operator',
  expiresAt: null,
} as const;

/** Every method that asks the database. */
const METHODS: [string, (store: Store, attemptId: string) => Promise<unknown>][] = [
  [
    'createCampaign',
    (store) => store.createCampaign(aCampaign({ id: 'cmp_b', name: 'b' }), CREATED),
  ],
  ['findCampaign', (store) => store.findCampaign(CAMPAIGN)],
  ['listCampaigns', (store) => store.listCampaigns()],
  ['changeCampaign', (store) => store.changeCampaign(CAMPAIGN, { state: 'draft' }, ENTRY)],
  ['addHistory', (store) => store.addHistory(CAMPAIGN, ENTRY)],
  ['history', (store) => store.history(CAMPAIGN)],
  ['beginList', (store) => store.beginList(CAMPAIGN, aList({ id: 'list_2', sha256: 'bb22' }))],
  ['addLeads', (store) => store.addLeads(`list-${CAMPAIGN}`, [aLead(9)])],
  ['finishList', (store) => store.finishList('list_1', { good: 1, rejected: 0, duplicates: 0 })],
  ['lists', (store) => store.lists(CAMPAIGN)],
  ['waitingPhones', (store) => store.waitingPhones(CAMPAIGN, null, 1)],
  ['cancelWaiting', (store) => store.cancelWaiting(CAMPAIGN, [aPhone(4)], 'left_list')],
  ['suppress', (store) => store.suppress([A_SUPPRESSION])],
  ['unsuppress', (store) => store.unsuppress(A_SUPPRESSION)],
  ['suppressions', (store) => store.suppressions({ now: START, after: null, limit: 9 })],
  [
    'lookUpPhones',
    (store) => store.lookUpPhones({ campaignId: CAMPAIGN, phones: [aPhone(4)], now: START }),
  ],
  ['cancelLead', (store) => store.cancelLead(CAMPAIGN, aPhone(4), ENTRY)],
  ['claim', (store) => store.claim(aClaim())],
  ['isProven', (store) => store.isProven('main-1')],
  ['recordDial', (store, attemptId) => store.recordDial(attemptId, placed('call_1'))],
  ['dueLooks', (store) => store.dueLooks(QUERY)],
  ['nextLookAt', (store) => store.nextLookAt(QUERY)],
  ['intentOwners', (store) => store.intentOwners(CAMPAIGN)],
  ['recentEnds', (store) => store.recentEnds({ service: 'main', agent: 'ag_1', limit: 1 })],
  ['servicesWithOpenCalls', (store) => store.servicesWithOpenCalls(null)],
  ['recordLook', (store, attemptId) => store.recordLook(attemptId, settled('call_1'))],
  ['sweep', (store) => store.sweep(aSweep())],
  [
    'inboxPut',
    (store) =>
      store.inboxPut({
        id: 'd1',
        service: 'main',
        key: 'e1',
        receivedAt: START,
        headers: {},
        body: new Uint8Array(),
        signed: false,
      }),
  ],
  ['dueDeliveries', (store) => store.dueDeliveries({ service: 'main', now: START, limit: 9 })],
  ['nextDeliveryAt', (store) => store.nextDeliveryAt('main')],
  ['matchDeliveries', (store) => store.matchDeliveries('main', [FACTS])],
  [
    'recordEvidence',
    (store, attemptId) =>
      store.recordEvidence(attemptId, {
        callId: 'call_1',
        at: START,
        nextLookAt: START,
        byNumber: true,
      }),
  ],
  ['decideDeliveries', (store) => store.decideDeliveries([DECISION])],
  ['wakeDeliveries', (store) => store.wakeDeliveries('main', START)],
  ['listDeliveries', (store) => store.listDeliveries({ state: null, service: null, limit: 9 })],
  ['findDelivery', (store) => store.findDelivery('d1')],
  ['replayDeliveries', (store) => store.replayDeliveries({ ids: ['d1'] }, START)],
  ['countDeliveries', (store) => store.countDeliveries()],
  ['capturedLeads', (store) => store.capturedLeads(CAMPAIGN, null, 9)],
  ['webhookToken', (store) => store.webhookToken('main', 'hook_1', START)],
  ['progress', (store) => store.progress(CAMPAIGN, START)],
  ['heldSlots', (store) => store.heldSlots(CAMPAIGN, START)],
  ['doubts', (store) => store.doubts(CAMPAIGN)],
  [
    'resolve',
    (store, attemptId) =>
      store.resolve(attemptId, { as: 'unconfirmed', at: START, by: 'ada', note: null }),
  ],
  ['runnerSeen', (store) => store.runnerSeen(CAMPAIGN, ME, START)],
  ['runnerLeft', (store) => store.runnerLeft(CAMPAIGN, ME)],
  ['runners', (store) => store.runners(CAMPAIGN)],
  ['exportPage', (store) => store.exportPage(CAMPAIGN, null, 9)],
  ['snapshot', (store) => store.snapshot(CAMPAIGN, async () => 1)],
  ['markExported', (store) => store.markExported(CAMPAIGN, [{ phone: aPhone(0), as: 'x' }])],
  ['findLeads', (store) => store.findLeads('nobody', 9)],
  ['attemptsOf', (store) => store.attemptsOf(CAMPAIGN, aPhone(0))],
  ['finishedCalls', (store) => store.finishedCalls(CAMPAIGN, null, 9)],
];

const FACTS = { callId: 'call_1', attemptKey: null, phone: null, agent: null, at: null };
const DECISION = {
  ...FACTS,
  id: 'd1',
  at: START,
  state: 'applied' as const,
  reason: null,
  type: null,
  attemptId: null,
  tryAt: null,
  lead: null,
};

describe('a failing disk', () => {
  it('is tried out on every method', async () => {
    const names = Object.keys(aStore(aDatabasePath()));

    const others = ['location', 'close'];
    expect(METHODS.map(([name]) => name).toSorted()).toEqual(
      names.filter((name) => !others.includes(name)).toSorted(),
    );
  });

  it.each(METHODS)('is told in a sentence by %s, and nothing is half done', async (_, call) => {
    const path = aDatabasePath();
    const store = aStore(path);
    await aRunningCampaign(store);
    const { attemptId } = await claimedOne(store);
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
    const path = aDatabasePath();
    const store = aStore(path);
    await aRunningCampaign(store);
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
    const path = aDatabasePath();
    const store = aStore(path);
    await aRunningCampaign(store);
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
      hint: expect.stringContaining('Close the program that holds it') as string,
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
