import type { Database } from 'better-sqlite3';
import type { Store } from '../port.ts';
import { attemptTable } from './tables/attempts.ts';
import type { Ballast } from './file/ballast.ts';
import { campaignTable } from './tables/campaigns.ts';
import { capturedLeadTable } from './tables/captured-leads.ts';
import { claimStatements } from './claim/claim.ts';
import { contestedCallTable } from './tables/contested-calls.ts';
import { dialStatements } from './claim/dials.ts';
import { earlierCallStatements } from './claim/earlier-calls.ts';
import { attemptRowStatements, exportStatements } from './read/export.ts';
import { exportedTable } from './tables/exported.ts';
import { explainFailure, isDiskFull } from './file/failures.ts';
import { GroupCommit } from './worker/group-commit.ts';
import { serviceBackoffTable } from './tables/service-backoffs.ts';
import { inboxListStatements } from './read/inbox-list.ts';
import { inboxTable } from './tables/inbox.ts';
import type { FilesInPlace } from './file/files-in-place.ts';
import type { DialJournal } from './claim/journal.ts';
import { journalledClaims } from './claim/journalled-claims.ts';
import { leadTable } from './tables/leads.ts';
import { lookStatements } from './tables/polls.ts';
import { recentEndStatements } from './tables/recent-ends.ts';
import { refusalTable } from './tables/refusals.ts';
import { replayTable } from './claim/replays.ts';
import { resolveStatements } from './claim/resolve.ts';
import { runnerTable } from './tables/runners.ts';
import { searchStatements } from './read/search.ts';
import { readSnapshot } from './read/snapshot.ts';
import { sweepStatements } from './claim/sweep.ts';
import { tailStatements } from './read/tail.ts';
import { phoneFactStatements } from './read/phone-facts.ts';
import { suppressionTable } from './tables/suppression.ts';
import { unrungCalls } from './claim/unrung-calls.ts';
import { watchStatements } from './read/watch.ts';
import { withdrawalStatements } from './tables/withdrawals.ts';

/** At most this many leads a transaction, so that a runner beside the import is not held up. */
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
  const holds = serviceBackoffTable(db);
  const repeats = replayTable(db, { campaigns, leads, holds, suppression });
  const refusals = refusalTable(db, { campaigns, leads });
  const contested = contestedCallTable(db);
  const dials = dialStatements(db, { attempts, campaigns, contested, holds, repeats, refusals });
  const unrung = unrungCalls(db, { attempts, campaigns, holds, refusals });
  const looks = lookStatements(db, { attempts, campaigns, contested, suppression, unrung });
  const sweeps = sweepStatements(db, attempts);
  const withdrawals = withdrawalStatements(db, { campaigns, leads, suppression });
  const recentEnds = recentEndStatements(db);
  const doubts = resolveStatements(db, { attempts, campaigns, leads });
  const watch = watchStatements(db);
  const runners = runnerTable(db);
  const exportPage = exportStatements(db);
  const claimLeads = repeats.around(claimStatements(db, { campaigns, leads, holds, suppression }));
  const lookUpPhones = phoneFactStatements(db, suppression);
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

  /** What became of calls, and what stops them: on a full disk the ballast is given up for it. */
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
    createCampaign: (campaign, entry) => write(() => campaigns.create(campaign, entry)),
    findCampaign: (name) => read(() => campaigns.find(name)),
    listCampaigns: () => read(() => campaigns.list()),
    changeCampaign: (id, change, entry) => keep(() => campaigns.change(id, change, entry)),
    addHistory: (id, entry) => write(campaigns.addHistory.bind(null, id, entry)),
    history: (id) => read(() => campaigns.history(id)),

    beginList: (campaignId, list) => write(() => leads.beginList(campaignId, list)),
    addLeads: (listId, some) => write(() => leads.add(listId, atMost(some, 'addLeads'))),
    importedLeads: (id, from, to) => read(() => leads.imported(id, from, to)),
    importSeen: (id, owner, at) => write(leads.importSeen.bind(null, id, owner, at)),
    finishList: async (listId, rows) => {
      place?.assertAll();
      await write(() => {
        leads.finishList(listId, rows);
      });
    },
    lists: (campaignId) => read(() => leads.lists(campaignId)),
    waitingPhones: (campaignId, after, limit) =>
      read(() => leads.waitingPhones(campaignId, after ?? '', limit)),
    cancelWaiting: (campaignId, phones, reason) =>
      write(() => {
        const some = atMost(phones, 'cancelWaiting');
        return some.filter((phone) => leads.cancelIfWaiting(campaignId, phone, reason)).length;
      }),
    suppress: (entries) =>
      write(() => {
        return suppression.addAll(atMost(entries, 'suppress'));
      }),
    unsuppress: (entry) => write(() => suppression.remove(entry)),
    suppressions: ({ now, after, limit }) => read(() => suppression.page(now, after ?? '', limit)),
    addSuppressionFile: (file) => write(suppression.addFile.bind(null, file)),
    suppressionFiles: () => read(() => suppression.files()),
    lookUpPhones: (query) => read(() => lookUpPhones(query)),
    earlierCalls: (query) => read(() => earlierCallStatements(db).page(query)),
    earlierCallsOf: (query) => read(() => earlierCallStatements(db).of(query)),
    sameLists: (query) => read(() => earlierCallStatements(db).sameLists(query)),
    cancelLead: (id, phone, entry) => write(() => withdrawals.cancelLead(id, phone, entry)),
    undoCancelLead: (id, phone, entry) => write(() => withdrawals.undoCancelLead(id, phone, entry)),
    undoCancel: (campaignId, entry) => write(() => withdrawals.undoCancel(campaignId, entry)),
    leftPhones: (campaignId, after, limit) =>
      read(() => withdrawals.leftPhones(campaignId, after ?? '', limit)),
    waitAgain: (campaignId, phones, now) =>
      write(() => withdrawals.waitAgain(campaignId, atMost(phones, 'waitAgain'), now)),

    claim: async (request) => {
      if (closed !== undefined) throw new Error('a closed store does not claim');
      return claims.claim(request);
    },
    isProven: (fingerprint) => read(() => dials.isProven(fingerprint)),
    recordDial: (attemptId, answer) => keep(() => dials.record(attemptId, answer)),

    duePolls: (query) => read(() => looks.due(query)),
    nextPollAt: (query) => read(() => looks.nextAt(query)),
    recentEnds: (query) => read(() => recentEnds(query)),
    servicesWithOpenCalls: (id, doubtsSince = Infinity) =>
      read(() => looks.services(id, doubtsSince)),
    recordPoll: (attemptId, look) => keep(() => looks.record(attemptId, look)),
    intentOwners: (campaignId) => read(() => sweeps.intentOwners(campaignId)),
    sweep: async (request) => {
      place?.assertAll();
      return keep(() => sweeps.sweep(request));
    },
    inboxPut: (delivery) => keep(() => inbox.put(delivery)),
    dueDeliveries: (query) => read(() => inbox.due(query)),
    nextDeliveryAt: (service) => read(() => inbox.nextAt(service)),
    matchDeliveries: (service, facts) => read(() => inbox.match(service, facts)),
    openDoubts: (service, since) => read(() => inbox.doubts(service, since)),
    recordEvidence: (attemptId, evidence) => keep(() => inbox.recordEvidence(attemptId, evidence)),
    decideDeliveries: (decisions) =>
      keep(() => {
        inbox.decide(decisions);
      }),
    wakeDeliveries: async (service, now) => {
      const found = await read(() => inbox.found(service, now));
      if (found.length > 0) await keep(inbox.wake.bind(null, found, now));
      return found.length;
    },
    listDeliveries: (query) => read(() => inboxList.list(query)),
    findDelivery: (id) => read(() => inboxList.find(id)),
    dropBodies: (query) => write(() => inbox.dropBodies(query)),
    replayDeliveries: (query, now) => write(() => inboxList.replay(query, now)),
    countDeliveries: () => read(() => inboxList.counts()),
    capturedLeads: (campaignId, after, limit) =>
      read(() => capturedLeads.page(campaignId, after, limit)),
    webhookToken: async (service, fresh, now) =>
      (await read(() => inboxList.knownToken(service))) ??
      write(() => inboxList.token(service, fresh, now)),

    progress: (campaignId, now) => read(() => watch.progress(campaignId, now)),
    heldSlots: (campaignId, now) => read(() => watch.held(campaignId, now)),
    doubts: (campaignId) => read(() => doubts.doubts(campaignId)),
    resolve: (attemptId, record) => keep(() => doubts.resolve(attemptId, record)),
    runnerSeen: (id, owner, at, dials = true) =>
      keep(runners.seen.bind(null, id, owner, at, dials)),
    runnerLeft: (id, owner) => keep(runners.left.bind(null, id, owner)),
    runners: (campaignId) => read(() => runners.of(campaignId)),
    exportPage: (campaignId, after, limit, detail = 'everything') =>
      read(() => exportPage(campaignId, after, limit, detail)),
    snapshot: (campaignId, use) => readSnapshot(path, campaignId, use),
    markExported: (campaignId, some) =>
      write(() => {
        exportedTable(db).mark(campaignId, some);
      }),
    findLeads: (text, limit) => read(() => searchStatements(db)(text, limit)),
    attemptsOf: (campaignId, phone) =>
      read(() => attemptRowStatements(db).ofLead(campaignId, phone)),
    finishedCalls: (campaignId, after, limit) =>
      read(() => tailStatements(db)(campaignId, after, limit)),

    close: () => (closed ??= close()),
  };
}

function atMost<T>(some: readonly T[], what: string): readonly T[] {
  if (some.length <= MAX_LEADS_PER_TRANSACTION) return some;
  throw new RangeError(`${what} takes at most ${MAX_LEADS_PER_TRANSACTION} at once`);
}
