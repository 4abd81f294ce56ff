import type { Claim, ClaimRequest, Intent, Store } from '../port.ts';
import { claimStatements, nextCallStatements } from './claim/claim.ts';
import { dialStatements } from './claim/dial-answers.ts';
import { earlierCallStatements } from './claim/earlier-calls.ts';
import { gateStatements, slotHolders } from './claim/gates.ts';
import type { CommittedClaim } from './claim/intents.ts';
import { replayTable } from './claim/replays.ts';
import { resolveStatements, sweepStatements } from './claim/resolve-doubts.ts';
import type { Engine, Journal, Place, Room } from './engine.ts';
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
  /** Only for a store that is opened to dial. */
  journal?: Journal | undefined;
  /** Compares the journal's new lines with the attempts; see `recoverFromJournal`. */
  verify?: () => void;
  /** See `groupCommit`. */
  afterGathering?: (flush: () => void) => void;
  /** See `groupCommit`. */
  onCommit?: CommitListener | undefined;
}

/** Implements the port on one open connection. */
export function createStore(
  engine: Engine,
  { journal, verify, afterGathering, onCommit }: StoreOptions,
): Store {
  const { db, name, folder, failures, room, place } = engine;
  const sql = sqlOf(db);
  const tables = tablesOf(sql);
  const { campaigns, holds, leads, nights, services, suppression } = tables;
  const replays = replayTable(sql, tables);
  const dials = dialStatements(sql, tables, replays);
  const claimLeads = claimStatements(sql, tables, replays);
  const nextCalls = nextCallStatements(sql, tables);
  const gates = gateStatements(sql, tables).reads;
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

  const group = groupCommit(engine, afterGathering, onCommit);
  let closed: Promise<void> | undefined;

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
  async function keep<T>(work: () => T): Promise<T> {
    const givenUp = room.timesGivenUp();
    try {
      return await group.submit(work);
    } catch (error) {
      const madeRoom = failures.isFull(error) && (room.timesGivenUp() > givenUp || room.giveUp());
      if (madeRoom) return write(work);
      throw failures.explain(error);
    }
  }

  const claims = journalledClaims({
    room,
    journal,
    place,
    commit: (request) => write(() => claimLeads(request)),
    takeBack: (intents, at, detail) =>
      keep(() => {
        dials.takeBack(intents, at, detail);
      }),
    checkpoint: () => read(() => db.pragma('wal_checkpoint(PASSIVE)')),
    verify: () => read(() => verify?.()),
  });

  async function close(): Promise<void> {
    await claims.settled();
    group.flush();
    place?.saveAgain();
    journal?.close();
    db.close();
  }

  return {
    name,
    folder,

    claim: async (request) => {
      if (closed !== undefined) throw new Error('a closed store does not claim');
      return claims.claim(request);
    },

    ...each(keep, {
      ...campaigns.keeps,
      ...inbox.keeps,
      ...doubts.keeps,
      // On a full disk, too: people must be told of the full disk.
      ...outbox.writes,
      recordDial: dials.record,
      recordPoll,
    }),
    sweep: async (request) => {
      place?.assertAll();
      return keep(() => sweep(request));
    },
    assertWritable: async () => {
      place?.assertAll();
      if (!room.hasFreeSpace()) throw failures.full();
      // A transaction without a change takes the lock as well.
      await write(() => undefined);
    },
    wakeDeliveries: async (service, now) => {
      const found = await read(() => inbox.found(service, now));
      if (found.length > 0) await keep(inbox.wake.bind(null, found, now));
      return found.length;
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
    finishList: async (listId, rows) => {
      place?.assertAll();
      await write(() => {
        leads.finishList(listId, rows);
      });
    },
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
      claimGates: (query) => [
        ...(room.hasFreeSpace() ? [] : [{ why: 'disk_full' as const, until: null }]),
        ...gates.claimGates(query),
      ],
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

    close: () => (closed ??= close()),
  };
}

/**
 * Lines of the journal after which a store that dials compares them itself: the next process that opens the database
 * reads all that nobody has compared, 4 µs a line (50,000 took 0.2 s), and its own calls wait meanwhile.
 */
const VERIFY_EVERY = 5_000;

/** Claims whose intents are in the database and in the dial journal before the caller learns of them. */
function journalledClaims(options: {
  room: Room;
  /** Undefined for a store that was not opened to dial. */
  journal: Pick<Journal, 'append'> | undefined;
  place: Place | undefined;
  commit: (request: ClaimRequest) => Promise<CommittedClaim>;
  /** Releases intents that were not journalled. */
  takeBack: (intents: readonly Intent[], at: number, detail: string) => Promise<void>;
  /** Copies what is committed from the write-ahead log into the database file. */
  checkpoint: () => Promise<unknown>;
  verify: () => Promise<void>;
}) {
  const { room, journal, place, commit, takeBack, checkpoint, verify } = options;
  const open = new Set<Promise<Claim>>();
  /** Campaigns that are in the database file itself, and not only in the write-ahead log. */
  const checkpointed = new Set<string>();
  let unverified = 0;

  async function claim(request: ClaimRequest): Promise<Claim> {
    if (journal === undefined) throw new Error('only a store opened to dial can claim');
    place?.assertDatabase();
    if (!room.hasRoom())
      return { intents: [], shortfall: 'disk_full', askAgainAt: null, settings: null };
    // The journal names the campaign, so the database file must have it even if the write-ahead log is damaged later.
    if (!checkpointed.has(request.campaignId)) await checkpoint();
    checkpointed.add(request.campaignId);
    if (unverified >= VERIFY_EVERY) {
      unverified = 0;
      await verify();
    }
    const { journal: lines, ...answer } = await commit(request);
    try {
      await journal.append(lines);
      unverified += lines.length;
    } catch (error) {
      const detail = 'the dial journal could not be written, so nothing was sent';
      // If the release cannot be written either, the attempts stay intents, and nobody dials them again.
      await takeBack(answer.intents, request.now, detail).catch(() => undefined);
      throw error;
    }
    return answer;
  }

  return {
    async claim(request: ClaimRequest): Promise<Claim> {
      const claiming = claim(request);
      open.add(claiming);
      try {
        return await claiming;
      } finally {
        open.delete(claiming);
      }
    },
    /** Resolves once no claim is in progress. */
    async settled(): Promise<void> {
      await Promise.allSettled(open);
    },
  };
}
