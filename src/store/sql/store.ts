import type { ClaimRequest, Intent, Store } from '../port.ts';
import { claimStatements, nextCallStatements } from './claim/claim.ts';
import { dialStatements } from './claim/dial-answers.ts';
import { earlierCallStatements } from './claim/earlier-calls.ts';
import { gateStatements, slotHolders } from './claim/gates.ts';
import type { CommittedClaim } from './claim/intents.ts';
import { replayTable } from './claim/replays.ts';
import { resolveStatements, sweepStatements } from './claim/resolve-doubts.ts';
import type { Engine } from './engine.ts';
import { groupCommit, type CommitListener } from './group-commit.ts';
import { duePollStatements } from './read/due-polls.ts';
import { attemptRowStatements, exportStatements, readSnapshot } from './read/export.ts';
import { forecastStatements, progressStatements } from './read/progress.ts';
import { inboxListStatements, inboxTable } from './tables/inbox.ts';
import { peopleStatements, phoneFactStatements } from './read/people.ts';
import { searchStatements, tailStatements } from './read/search.ts';
import { each, sqlOf } from './sql.ts';
import { leadPlaces } from './tables/lead-numbers.ts';
import { firingTable } from './tables/nights/nights.ts';
import { outboxTable, watchedListTable } from './tables/nights/outbox.ts';
import { pollStatements } from './tables/polls.ts';
import { tablesOf } from './tables/tables.ts';
import { withdrawalStatements } from './tables/withdrawals.ts';

interface StoreOptions {
  /** See `groupCommit`. */
  afterGathering?: (flush: () => void) => void;
  /** See `groupCommit`. */
  onCommit?: CommitListener | undefined;
}

/** The port on a database alone; `journalledStore` makes the port of it. */
export interface DatabaseStore extends Omit<Store, 'claim'> {
  /** The intents are committed; they may be dialled once their lines are in the dial journal. */
  readonly claim: (request: ClaimRequest) => Promise<CommittedClaim>;
  /** Releases intents that were not journalled. */
  readonly takeBack: (intents: readonly Intent[], at: number, detail: string) => Promise<void>;
}

/** Implements the port on one open connection. */
export function createStore(engine: Engine, options: StoreOptions = {}): DatabaseStore {
  const { db, name, folder, failures, room } = engine;
  const sql = sqlOf(db);
  const tables = tablesOf(sql);
  const { campaigns, holds, leads, nights, services, suppression } = tables;
  const replays = replayTable(sql, tables, engine.now);
  const dials = dialStatements(sql, tables, replays);
  const claimLeads = claimStatements(sql, tables, replays);
  const nextCalls = nextCallStatements(sql, tables);
  const recordPoll = pollStatements(sql, tables);
  const { sweep, intentOwners } = sweepStatements(sql, tables);
  const places = leadPlaces(sql);
  const withdrawals = withdrawalStatements(sql, tables);
  const doubts = resolveStatements(sql, tables);
  const watched = watchedListTable(sql);
  const firings = firingTable(sql);
  const inbox = inboxTable(sql, tables);
  const inboxList = inboxListStatements(sql);
  const outbox = outboxTable(sql);

  const group = groupCommit(engine, options.afterGathering, options.onCommit);

  const keeping = new Set<Promise<unknown>>();

  async function read<T>(work: () => T): Promise<T> {
    try {
      return work();
    } catch (error) {
      throw failures.explain(error);
    }
  }

  async function write<T>(work: () => T): Promise<T> {
    try {
      return await group.submit(work);
    } catch (error) {
      throw failures.explain(error);
    }
  }

  /** Writes outcomes of calls, and changes that stop calls: on a full disk the ballast is deleted to make room. */
  function keep<T>(work: () => T): Promise<T> {
    const kept = keepOnce(work).finally(() => keeping.delete(kept));
    keeping.add(kept);
    return kept;
  }

  async function keepOnce<T>(work: () => T): Promise<T> {
    const givenUp = room.timesGivenUp();
    try {
      return await group.submit(work);
    } catch (error) {
      const madeRoom = failures.isFull(error) && (room.timesGivenUp() > givenUp || room.giveUp());
      if (madeRoom) return write(work);
      throw failures.explain(error);
    }
  }

  async function claim(request: ClaimRequest): Promise<CommittedClaim> {
    const held = new Error('nobody is called yet');
    try {
      return await write(() => {
        const found = claimLeads(request);
        if (found.intents.length > 0 && engine.mayDial?.() === false) throw held;
        return found;
      });
    } catch (error) {
      if (error !== held) throw error;
      const nobody = { intents: [], journal: [], askAgainAt: null, settings: null };
      return { ...nobody, shortfall: 'machines_awaited' };
    }
  }

  return {
    name,
    folder,

    claim,
    takeBack: (intents, at, detail) => keep(() => dials.takeBack(intents, at, detail)),

    ...each(keep, {
      ...campaigns.keeps,
      ...inbox.keeps,
      ...doubts.keeps,
      // On a full disk, too: people must be told of the full disk.
      ...outbox.writes,
      recordDial: dials.record,
      recordPoll,
      sweep,
    }),
    // A transaction without a change takes the lock as well.
    assertWritable: () => write(() => undefined),
    wakeDeliveries: async (service, now) => {
      const found = await read(() => inbox.found(service, now));
      return found.length === 0 ? 0 : keep(() => inbox.wake(found, now));
    },

    ...each(write, {
      ...campaigns.writes,
      ...leads.writes,
      ...places.writes,
      ...suppression.writes,
      ...withdrawals.writes,
      ...inbox.writes,
      ...inboxList.writes,
      ...watched.writes,
      ...nights.writes,
      ...firings.writes,
    }),
    webhookToken: async (service, fresh, now) =>
      (await read(() => inboxList.knownToken(service))) ??
      write(() => inboxList.token(service, fresh, now)),

    ...each(read, {
      ...campaigns.reads,
      ...leads.reads,
      ...places.reads,
      ...withdrawals.reads,
      ...suppression.reads,
      ...phoneFactStatements(sql, tables),
      isProven: services.isProven,
      ...duePollStatements(sql, tables),
      intentOwners,
      ...inbox.reads,
      ...inboxList.reads,
      ...watched.reads,
      ...firings.reads,
      ...nextCalls.reads,
      ...holds.reads,
      ...nights.reads,
      ...outbox.reads,
      ...gateStatements(sql, tables).reads,
      ...progressStatements(sql, nextCalls),
      ...doubts.reads,
      exportPage: exportStatements(sql),
      ...earlierCallStatements(sql),
      ...forecastStatements(sql),
      ...peopleStatements(sql),
      findLeads: searchStatements(sql),
      attemptsOf: attemptRowStatements(sql).attemptsOf,
      slotShares: slotHolders(sql),
      ...tailStatements(sql),
    }),
    snapshot: (campaignId, use) => readSnapshot(engine, campaignId, use),

    close: async () => {
      group.end();
      // One that met a full disk is written once more.
      await Promise.allSettled(keeping);
      engine.close();
    },
  };
}
