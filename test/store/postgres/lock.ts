import type { Database, Statement } from 'better-sqlite3';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import pg from 'pg';
import { journalledStore } from '../../../src/store/journal/journalled-store.ts';
import type * as Opening from '../../../src/store/postgres/open.ts';
import type * as Server from '../../../src/store/postgres/server.ts';
import { createStore } from '../../../src/store/sql/store.ts';
import {
  aClaim,
  aRunningCampaign,
  CAMPAIGN,
  claimedOne,
  ENTRY,
} from '../../conformance/store/setup.ts';
import { AT_WORK } from '../../../src/store/postgres/server.ts';
import { METHODS } from '../sqlite/every-method.ts';
import { aSchema, asServer, built, endConnectionsOf, journal, room } from './a-schema.ts';

const { serverEngine } = await built<typeof Server>('server');
const { migrateServer, openServerConsole, openServerStore } = await built<typeof Opening>('open');

/** Methods that take the lock of all writers. A method that is not here writes nothing: that is tried out, too. */
const WRITE = `
  addHistory addLeads addSuppressionFile assertWritable beginList cancelLead cancelWaiting changeCampaign changeSent claim
  claimWatched createCampaign decideDeliveries dropBodies endWatched finishList importSeen inboxPut keepAddress
  keepNightEnd keepNightFile keepPlaces markExported outboxPut outboxTake outboxTried recordDial recordEvidence recordPoll
  removeDraft removeSent replayDeliveries resolve retryLeads runnerLeft runnerSeen stopLeads suppress sweep takeBackList takeFiring
  takeNightResults undoCancel undoCancelLead unsuppress waitAgain watchedMoved webhookToken`
  .trim()
  .split(/\s+/);
/** Writes, but takes the lock only for deliveries that it has found, and here are none. */
const FINDS_NOTHING = ['wakeDeliveries'];

/** Stores on one schema, in this thread. @param over what a store's connection is replaced by */
async function someStores(over: (db: Database) => Database = (db) => db) {
  const options = aSchema();
  await migrateServer(options);
  return (afterGathering: (flush: () => void) => void) => {
    const engine = serverEngine(options);
    const store = createStore({ ...engine, db: over(engine.db) }, { afterGathering });
    onTestFinished(() => store.close());
    return { store: journalledStore(store, { journal, room }), db: engine.db, options };
  };
}

describe('the lock of all writers', () => {
  it('is taken by each method that writes, and no other one waits for it', async () => {
    const { store, db, options } = (await someStores())(queueMicrotask);
    await aRunningCampaign(store);
    const { attemptId } = await claimedOne(store);
    const holder = new pg.Client(inject('postgres'));
    await holder.connect();
    onTestFinished(() => holder.end());
    await holder.query(`BEGIN; SELECT 1 FROM ${options.schema}.store FOR UPDATE`);
    db.exec('SET lock_timeout = 20');

    const waited: string[] = [];
    const others: typeof METHODS = [];
    for (const method of METHODS) {
      const [name, call] = method;
      const error: unknown = await call(store, attemptId).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      if (error === undefined) others.push(method);
      else {
        expect.soft(error, name).toMatchObject({ code: 'STORE_LOCKED' });
        waited.push(name);
      }
    }
    await holder.query('ROLLBACK');

    expect(waited.toSorted()).toEqual(WRITE);
    expect(others.map(([name]) => name)).toEqual(expect.arrayContaining(FINDS_NOTHING));
    db.exec('SET default_transaction_read_only = on');
    for (const [name, call] of others)
      await expect(call(store, attemptId), name).resolves.not.toThrow();
  });

  it('lets nobody in between the first answer of a claim and its commit', async () => {
    let isTold = false;
    const tries: Promise<unknown>[] = [];
    const open = await someStores((db) =>
      hooked(db, () => {
        if (!isTold || !db.inTransaction) return;
        isTold = false;
        tries.push(tryToWrite());
        isTold = true;
      }),
    );
    const { store } = open(queueMicrotask);
    await aRunningCampaign(store);
    // Its work runs at once.
    const other = open((flush) => {
      flush();
    });
    other.db.exec('SET lock_timeout = 1');
    const tryToWrite = () =>
      other.store.addHistory(CAMPAIGN, ENTRY).catch((error: unknown) => error);
    isTold = true;
    const { intents } = await store.claim(aClaim({ want: 2 }));
    isTold = false;

    expect(intents).toHaveLength(2);
    expect(tries.length).toBeGreaterThan(5);
    for (const error of await Promise.all(tries))
      expect(error).toMatchObject({ code: 'STORE_LOCKED' });
    await other.store.addHistory(CAMPAIGN, ENTRY);
  });

  it('is waited for by a machine that leaves: another process of it may be in a claim', async () => {
    const options = aSchema();
    await migrateServer(options);
    const store = await openServerStore(options);
    await store.listCampaigns();
    const holder = new pg.Client(inject('postgres'));
    await holder.connect();
    onTestFinished(() => holder.end());
    await holder.query(
      `SET search_path = ${options.schema}; BEGIN; SELECT 1 FROM store FOR UPDATE`,
    );
    const closed = store.close();
    await waitsForTheLock(holder, options.schema);
    const { rows } = await holder.query('SELECT left_at FROM machines');
    expect(rows).toEqual([{ left_at: null }]);
    await holder.query('COMMIT');
    await closed;
    expect((await holder.query('SELECT left_at FROM machines')).rows).not.toEqual(rows);
  });

  it.each(['serializable', 'repeatable\\ read'])(
    'shows its holder what was committed while it waited, also where %s is the default',
    async (level) => {
      const options = aSchema();
      await migrateServer(options);
      const begun = { options: `-c default_transaction_isolation=${level}` };
      const store = await openServerStore({
        ...options,
        address: { ...options.address, ...begun },
      });
      onTestFinished(() => store.close());
      await aRunningCampaign(store);
      const holder = new pg.Client(inject('postgres'));
      await holder.connect();
      onTestFinished(() => holder.end());
      await holder.query(
        `SET search_path = ${options.schema}; BEGIN; SELECT 1 FROM store FOR UPDATE`,
      );
      await holder.query(
        "INSERT INTO suppression (phone, action, at, source, who) SELECT phone, 'add', 0, 'operator', 'ada' FROM leads",
      );

      const claim = store.claim(aClaim());
      await waitsForTheLock(holder, options.schema);
      await holder.query('COMMIT');

      expect((await claim).intents).toEqual([]);
    },
  );
});

it('a schema that is brought up to date while a store opens is noticed', async () => {
  const options = aSchema();
  await migrateServer(options);
  const holder = new pg.Client(inject('postgres'));
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query(
    `SET search_path = ${options.schema}; BEGIN; SELECT pg_advisory_xact_lock(${AT_WORK})`,
  );
  const opening = openServerStore(options).catch((error: unknown) => error);
  await waitsForTheLock(holder, options.schema);
  await holder.query('UPDATE store SET version = 99; COMMIT');
  expect(await opening).toMatchObject({ code: 'STORE_NEWER' });
});

it('a store that lost its connection is refused by a schema that was changed before it came back', async () => {
  const options = aSchema();
  await migrateServer(options);
  const store = await openServerStore(options);
  onTestFinished(() => store.close());
  await endConnectionsOf(options.schema);
  await asServer(`UPDATE ${options.schema}.store SET version = 99`);
  await expect(store.claim(aClaim())).rejects.toMatchObject({ code: 'STORE_NEWER' });
  const other = serverEngine(options);
  onTestFinished(() => {
    other.close();
  });
  expect(other.db.prepare(`SELECT pg_try_advisory_xact_lock(${AT_WORK})`).pluck().get()).toBe(1);
});

it('a store, a long read and a console each keep the schema as it is', async () => {
  const options = aSchema();
  await migrateServer(options);
  const engine = serverEngine(options);
  const isFree = () =>
    engine.db.prepare(`SELECT pg_try_advisory_xact_lock(${AT_WORK})`).pluck().get();
  expect(isFree()).toBe(1);
  const readers = [
    () => openServerConsole(options),
    () => openServerStore({ ...options, mode: 'read' }),
    async () => engine.openToRead(),
  ];
  for (const open of readers) {
    const reader = await open();
    expect(isFree()).toBe(0);
    await reader.close();
    await expect.poll(isFree).toBe(1);
  }
  engine.close();
});

it('a write outside of a transaction, which a lost answer would repeat, is a defect', async () => {
  const { db } = (await someStores())(queueMicrotask);
  const text = "UPDATE store SET copy = ''";
  const later = () => db.later?.(text, []);
  expect(later).toThrow('could be done twice');
  expect(() => db.prepare(text).run()).toThrow('could be done twice');
});

async function waitsForTheLock(client: pg.Client, name: string): Promise<void> {
  const waits = `SELECT 1 FROM pg_stat_activity WHERE application_name = '${name}' AND wait_event_type = 'Lock'`;
  const found = async () => {
    // A transaction sees the same picture again.
    await client.query('SELECT pg_stat_clear_snapshot()');
    return (await client.query(waits)).rowCount;
  };
  await expect.poll(found).toBe(1);
}

/** The same connection, which tells when a statement has found something: what is sent together has found nothing yet. */
function hooked(db: Database, tell: () => void): Database {
  const prepare = (text: string) => {
    const statement = db.prepare(text);
    const own = Object.create(statement) as Record<string, unknown>;
    for (const name of ['run', 'get', 'all'] as const)
      own[name] = (...args: unknown[]) => {
        const found: unknown = statement[name](...args);
        if (name !== 'run' && (Array.isArray(found) ? found.length > 0 : found !== undefined))
          tell();
        return found;
      };
    for (const name of ['pluck', 'raw'] as const)
      own[name] = () => {
        statement[name]();
        return own;
      };
    return own as unknown as Statement;
  };
  return Object.create(db, { prepare: { value: prepare } }) as Database;
}
