import type { Database } from 'better-sqlite3';
import type { Store } from '../port.ts';
import { claimStatements } from './claim/claim.ts';
import { dialStatements } from './claim/dial-answers.ts';
import { earlierCallStatements } from './claim/earlier-calls.ts';
import type { DialJournal } from './claim/journal.ts';
import { journalledClaims } from './claim/journalled-claims.ts';
import { replayTable } from './claim/replays.ts';
import { resolveStatements } from './claim/resolve-doubts.ts';
import { sweepStatements } from './claim/sweep.ts';
import { unrungCalls } from './claim/unrung-calls.ts';
import type { Ballast } from './file/ballast.ts';
import { explainFailure, isDiskFull } from './file/failures.ts';
import type { FilesInPlace } from './file/files-in-place.ts';
import { GroupCommit } from './group-commit.ts';
import { duePollStatements } from './read/due-polls.ts';
import { attemptRowStatements, exportStatements } from './read/export.ts';
import { inboxListStatements } from './read/inbox-list.ts';
import { phoneFactStatements } from './read/phone-facts.ts';
import { progressStatements } from './read/progress.ts';
import { searchStatements } from './read/search.ts';
import { readSnapshot } from './read/snapshot.ts';
import { tailStatements } from './read/tail.ts';
import { attemptTable } from './tables/attempts.ts';
import { campaignTable } from './tables/campaigns.ts';
import { capturedLeadTable } from './tables/captured-leads.ts';
import { contestedCallTable } from './tables/contested-calls.ts';
import { exportedTable } from './tables/exported.ts';
import { inboxTable } from './tables/inbox.ts';
import { leadTable } from './tables/leads.ts';
import { pollStatements } from './tables/polls.ts';
import { provenServiceTable } from './tables/proven-services.ts';
import { recentEndStatements } from './read/recent-ends.ts';
import { refusalTable } from './tables/refusals.ts';
import { runnerTable } from './tables/runners.ts';
import { serviceBackoffTable } from './tables/service-backoffs.ts';
import { suppressionTable } from './tables/suppression.ts';
import { withdrawalStatements } from './tables/withdrawals.ts';

/** At most this many leads a transaction, so that a runner beside the import is not delayed. */
const MAX_LEADS_PER_TRANSACTION = 1_000;

export interface StoreFiles {
  ballast: Ballast;
  /** Only for who may dial. */
  journal?: DialJournal | undefined;
  /** For who writes. */
  place?: FilesInPlace;
}

/** The port over one open connection; `name` is what the operator calls the database, see `realPath`. */
export function createStore(
  db: Database,
  { name, path }: { name: string; path: string },
  { ballast, journal, place }: StoreFiles,
): Store {
  const campaigns = campaignTable(db);
  const suppression = suppressionTable(db);
  const leads = leadTable(db, suppression);
  const attempts = attemptTable(db, { campaigns, leads });
  const backoffs = serviceBackoffTable(db);
  const proven = provenServiceTable(db);
  const replays = replayTable(db, { proven, suppression });
  const refusals = refusalTable(db, { campaigns, leads });
  const contested = contestedCallTable(db);
  const dialTables = { attempts, campaigns, contested, backoffs, replays, refusals, proven };
  const dials = dialStatements(db, dialTables);
  const unrung = unrungCalls(db, { attempts, campaigns, backoffs, refusals });
  const recordPoll = pollStatements(db, { attempts, campaigns, suppression, unrung });
  const sweeps = sweepStatements(db, attempts);
  const withdrawals = withdrawalStatements(db, { campaigns, leads, suppression });
  const doubts = resolveStatements(db, { attempts, campaigns, leads });
  const runners = runnerTable(db);
  const claimTables = { campaigns, leads, backoffs, suppression, proven, replays };
  const claimLeads = claimStatements(db, claimTables);
  const capturedLeads = capturedLeadTable(db);
  const inbox = inboxTable(db, { attempts, capturedLeads, contested });
  const inboxList = inboxListStatements(db);

  const group = new GroupCommit(db);
  let closed: Promise<void> | undefined;

  async function read<T>(work: () => T): Promise<T> {
    try {
      return work();
    } catch (error) {
      throw explainFailure(error, path);
    }
  }

  async function write<T>(work: () => T): Promise<T> {
    try {
      return await group.submit(work);
    } catch (error) {
      throw explainFailure(error, path);
    }
  }

  /** Writes what became of calls, and what stops them: on a full disk the ballast is given up for it. */
  async function keep<T>(work: () => T): Promise<T> {
    const { givenUp } = ballast;
    try {
      return await group.submit(work);
    } catch (error) {
      const madeRoom = isDiskFull(error) && (ballast.givenUp > givenUp || ballast.giveUp());
      if (madeRoom) return write(work);
      throw explainFailure(error, path);
    }
  }

  const claims = journalledClaims({
    ...{ ballast, journal, place },
    commit: (request) => write(() => claimLeads(request)),
    takeBack: (intents, at, detail) =>
      keep(() => {
        dials.takeBack(intents, at, detail);
      }),
    checkpoint: () => read(() => db.pragma('wal_checkpoint(PASSIVE)')),
  });

  async function close(): Promise<void> {
    await claims.settled();
    group.flush();
    place?.saveAgain();
    journal?.close();
    db.close();
  }

  return {
    location: name,

    claim: async (request) => {
      if (closed !== undefined) throw new Error('a closed store does not claim');
      return claims.claim(request);
    },

    ...each(keep, {
      changeCampaign: campaigns.change,
      recordDial: dials.record,
      recordPoll,
      inboxPut: inbox.put,
      recordEvidence: inbox.recordEvidence,
      decideDeliveries: inbox.decide,
      resolve: doubts.resolve,
      runnerSeen: runners.seen,
      runnerLeft: runners.left,
    }),
    sweep: async (request) => {
      place?.assertAll();
      return keep(() => sweeps.sweep(request));
    },
    wakeDeliveries: async (service, now) => {
      const found = await read(() => inbox.found(service, now));
      if (found.length > 0) await keep(inbox.wake.bind(null, found, now));
      return found.length;
    },

    ...each(write, {
      createCampaign: campaigns.create,
      addHistory: campaigns.addHistory,
      beginList: leads.beginList,
      addLeads: (listId, some) => leads.add(listId, atMost(some, 'addLeads')),
      importSeen: leads.importSeen,
      cancelWaiting: (id, phones, reason) =>
        leads.cancelWaiting(id, atMost(phones, 'cancelWaiting'), reason),
      suppress: (entries) => suppression.addAll(atMost(entries, 'suppress')),
      unsuppress: suppression.remove,
      addSuppressionFile: suppression.addFile,
      ...withdrawals.writes,
      waitAgain: (id, phones, now) => withdrawals.waitAgain(id, atMost(phones, 'waitAgain'), now),
      dropBodies: inbox.dropBodies,
      replayDeliveries: inboxList.replayDeliveries,
      markExported: (id, some) => {
        exportedTable(db).mark(id, some);
      },
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
      findCampaign: campaigns.find,
      listCampaigns: campaigns.list,
      history: campaigns.history,
      lists: leads.lists,
      importedLeads: leads.importedLeads,
      waitingPhones: leads.waitingPhones,
      leftPhones: withdrawals.leftPhones,
      suppressions: suppression.page,
      suppressionFiles: suppression.files,
      lookUpPhones: phoneFactStatements(db, suppression),
      isProven: proven.has,
      ...duePollStatements(db, contested),
      recentEnds: recentEndStatements(db),
      intentOwners: sweeps.intentOwners,
      ...inbox.reads,
      ...inboxList.reads,
      capturedLeads: capturedLeads.page,
      ...progressStatements(db),
      doubts: doubts.doubts,
      runners: runners.of,
      exportPage: exportStatements(db),
      // Asked for seldom, and prepared only then.
      earlierCalls: (query) => earlierCallStatements(db).earlierCalls(query),
      earlierCallsOf: (query) => earlierCallStatements(db).earlierCallsOf(query),
      sameLists: (query) => earlierCallStatements(db).sameLists(query),
      findLeads: (text, limit) => searchStatements(db)(text, limit),
      attemptsOf: (id, phone) => attemptRowStatements(db).ofLead(id, phone),
      finishedCalls: (id, after, limit) => tailStatements(db)(id, after, limit),
    }),
    snapshot: (campaignId, use) => readSnapshot(path, campaignId, use),

    close: () => (closed ??= close()),
  };
}

type Methods = {
  [
    Name in keyof Store as Store[Name] extends (...args: never[]) => Promise<unknown> ? Name : never
  ]: Store[Name] extends (...args: infer Args) => Promise<infer Answer>
    ? (...args: Args) => Answer
    : never;
};

/** Methods of the port from functions that do their work at once, each run by `run`. */
function each<Name extends keyof Methods>(
  run: <T>(work: () => T) => Promise<T>,
  functions: Pick<Methods, Name>,
): Pick<Store, Name> {
  type Work = (...args: unknown[]) => unknown;
  const methods = Object.entries(functions as Record<string, Work>).map(
    ([name, work]) => [name, (...args: unknown[]) => run(() => work(...args))] as const,
  );
  return Object.fromEntries(methods) as unknown as Pick<Store, Name>;
}

function atMost<T>(some: readonly T[], what: string): readonly T[] {
  if (some.length <= MAX_LEADS_PER_TRANSACTION) return some;
  throw new RangeError(`${what} takes at most ${MAX_LEADS_PER_TRANSACTION} at once`);
}
