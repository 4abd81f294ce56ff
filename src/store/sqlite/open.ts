import type { Database } from 'better-sqlite3';
import type { Claim, ClaimRequest, Store } from '../port.ts';
import { attemptTable } from './attempts.ts';
import { Ballast } from './ballast.ts';
import { campaignTable } from './campaigns.ts';
import { QUICK_CHECK_UP_TO_BYTES, quickCheck } from './check.ts';
import { claimStatements } from './claim.ts';
import { openConnection } from './connection.ts';
import { dialStatements } from './dials.ts';
import { networkWarning, systemDisk, type Disk } from './disk.ts';
import { exportStatements } from './export.ts';
import { explainFailure, isDiskFull } from './failures.ts';
import { GroupCommit } from './group-commit.ts';
import { holdTable } from './holds.ts';
import { DialJournal, journalPath } from './journal.ts';
import { leadTable } from './leads.ts';
import { lookStatements } from './looks.ts';
import { databaseIdOf, recoverFromJournal } from './recover.ts';
import { resolveStatements } from './resolve.ts';
import { runnerTable } from './runners.ts';
import { watchStatements } from './watch.ts';

/** At most this many leads a transaction, so that a runner beside the import is not held up. */
const MAX_LEADS_PER_TRANSACTION = 1_000;

export interface OpenOptions {
  /** Absolute path of the database file. */
  path: string;
  /**
   * `read` never creates, migrates or writes; `write` does all three; `dial` also looks for damage, opens the
   * dial journal, makes good what a database that was set back has forgotten, and puts the ballast there.
   */
  mode: 'read' | 'write' | 'dial';
  /** For `dial`: look for damage however large the database is; see `quickCheck`. Default false. */
  checkAlways?: boolean;
  /** Told how many forgotten dials came back from the journal, when there are any. */
  onRecovered?: (attempts: number) => void;
  /** Told what is not refused and yet should be known, a sentence each; for `dial` only. */
  onWarning?: (sentence: string) => void;
  /** Default: the system's. */
  disk?: Disk;
}

/**
 * Opens the SQLite store.
 *
 * @throws AppError see `openConnection`, `quickCheck`, `recoverFromJournal` and `explainFailure`
 */
export function openSqliteStore(options: OpenOptions): Store {
  const { path, mode, disk = systemDisk } = options;
  const db = openConnection({ path, mode: mode === 'read' ? 'read' : 'write', disk });
  const ballast = new Ballast(path, disk);
  try {
    // Made with the database, so that every copy of it fits its journal.
    if (mode !== 'read') databaseIdOf(db);
    if (mode !== 'dial') return createStore(db, path, { ballast });
    quickCheck(db, path, {
      upToBytes: options.checkAlways === true ? Infinity : QUICK_CHECK_UP_TO_BYTES,
    });
    const warning = networkWarning(path, disk);
    if (warning !== undefined) options.onWarning?.(warning);
    const journal = openJournal(db, path, options.onRecovered);
    ballast.hasRoom();
    return createStore(db, path, { ballast, journal });
  } catch (error) {
    db.close();
    throw explainFailure(error, path);
  }
}

function openJournal(db: Database, path: string, onRecovered?: (n: number) => void): DialJournal {
  const databaseId = databaseIdOf(db);
  const recovered = recoverFromJournal(db, path, databaseId);
  if (recovered > 0) onRecovered?.(recovered);
  return DialJournal.open(journalPath(path), databaseId);
}

function createStore(
  db: Database,
  path: string,
  { ballast, journal }: { ballast: Ballast; journal?: DialJournal },
): Store {
  const campaigns = campaignTable(db);
  const leads = leadTable(db);
  const attempts = attemptTable(db, { campaigns, leads });
  const holds = holdTable(db);
  const dials = dialStatements(db, attempts, holds);
  const looks = lookStatements(db, attempts);
  const doubts = resolveStatements(db, { attempts, campaigns, leads });
  const watch = watchStatements(db);
  const runners = runnerTable(db);
  const exportPage = exportStatements(db);
  const claimLeads = claimStatements(db, { campaigns, leads, holds });
  const insertDelivery = db.prepare(
    `INSERT INTO inbox (id, service, key, received_at, headers, body)
     VALUES (@id, @service, @key, @receivedAt, @headers, @body) ON CONFLICT (service, key) DO NOTHING`,
  );

  const group = new GroupCommit(db);
  const claims = new Set<Promise<Claim>>();
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

  async function claim(request: ClaimRequest): Promise<Claim> {
    if (journal === undefined) throw new Error('only a store opened to dial can claim');
    if (!ballast.hasRoom()) return { intents: [], hold: 'disk_full', askAgainAt: null };
    const { journal: lines, ...answer } = await write(() => claimLeads(request));
    try {
      await journal.append(lines);
    } catch (error) {
      const detail = 'the dial journal could not be written, so nothing was sent';
      // Where not even this can be written they stay intents, which nobody repeats.
      await keep(() => {
        dials.takeBack(answer.intents, request.now, detail);
      }).catch(() => undefined);
      throw error;
    }
    return answer;
  }

  async function close(): Promise<void> {
    await Promise.allSettled(claims);
    group.flush();
    journal?.close();
    db.close();
  }

  return {
    location: path,
    createCampaign: (campaign) => write(() => campaigns.create(campaign)),
    findCampaign: (name) => read(() => campaigns.find(name)),
    listCampaigns: () => read(() => campaigns.list()),
    changeCampaign: (id, change, entry) => keep(() => campaigns.change(id, change, entry)),
    addHistory: (id, entry) =>
      write(() => {
        campaigns.addHistory(id, entry);
      }),
    history: (id) => read(() => campaigns.history(id)),

    beginList: (campaignId, list) => write(() => leads.beginList(campaignId, list)),
    addLeads: (listId, some) =>
      write(() => {
        if (some.length > MAX_LEADS_PER_TRANSACTION) {
          throw new RangeError(`addLeads takes at most ${MAX_LEADS_PER_TRANSACTION} leads`);
        }
        return leads.add(listId, some);
      }),
    finishList: (listId, rows) =>
      write(() => {
        leads.finishList(listId, rows);
      }),
    lists: (campaignId) => read(() => leads.lists(campaignId)),
    countWaitingOutside: (campaignId, phones) =>
      read(() => {
        let outside = 0;
        for (const phone of leads.waitingPhones(campaignId)) if (!phones.has(phone)) outside += 1;
        return outside;
      }),
    cancelLead: (campaignId, phone, entry) =>
      write(() => {
        const lead = leads.find(campaignId, phone);
        if (lead === undefined) return 'not_found';
        if (lead.state !== 'waiting') return lead.state;
        leads.markDone(lead.row, 'cancelled', 'callsheet', 'withdrawn by the operator');
        campaigns.addHistory(campaignId, entry);
        return 'cancelled';
      }),

    claim: async (request) => {
      if (closed !== undefined) throw new Error('a closed store does not claim');
      const claiming = claim(request);
      claims.add(claiming);
      try {
        return await claiming;
      } finally {
        claims.delete(claiming);
      }
    },
    isProven: (fingerprint) => read(() => dials.isProven(fingerprint)),
    recordDial: (attemptId, answer) => keep(() => dials.record(attemptId, answer)),

    dueLooks: (query) => read(() => looks.due(query)),
    nextLookAt: (query) => read(() => looks.nextAt(query)),
    servicesWithOpenCalls: (campaignId) => read(() => looks.services(campaignId)),
    recordLook: (attemptId, look) => keep(() => looks.record(attemptId, look)),
    sweep: (request) => keep(() => looks.sweep(request)),
    inboxPut: (delivery) =>
      keep(() => {
        const headers = JSON.stringify(delivery.headers);
        return insertDelivery.run({ ...delivery, headers }).changes === 1;
      }),

    progress: (campaignId, now) => read(() => watch.progress(campaignId, now)),
    heldSlots: (campaignId, now) => read(() => watch.held(campaignId, now)),
    doubts: (campaignId) => read(() => doubts.doubts(campaignId)),
    resolve: (attemptId, record) => keep(() => doubts.resolve(attemptId, record)),
    runnerSeen: (campaignId, owner, at) =>
      keep(() => {
        runners.seen(campaignId, owner, at);
      }),
    runnerLeft: (campaignId, owner) =>
      keep(() => {
        runners.left(campaignId, owner);
      }),
    runners: (campaignId) => read(() => runners.of(campaignId)),
    exportPage: (campaignId, after, limit, detail = 'everything') =>
      read(() => exportPage(campaignId, after, limit, detail)),

    close: () => (closed ??= close()),
  };
}
