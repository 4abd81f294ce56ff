import type { Database } from 'better-sqlite3';
import type { AttemptEvent } from '../../domain/attempt.ts';
import type { Claim, DialRecord, Recorded, Store } from '../port.ts';
import { attemptTable, type AttemptTable } from './attempts.ts';
import { campaignTable } from './campaigns.ts';
import { claimStatements } from './claim.ts';
import { openConnection } from './connection.ts';
import { exportStatements } from './export.ts';
import { GroupCommit } from './group-commit.ts';
import { DialJournal, journalPath } from './journal.ts';
import { leadTable } from './leads.ts';
import { lookStatements } from './looks.ts';
import { databaseIdOf, recoverFromJournal } from './recover.ts';
import { runnerTable } from './runners.ts';
import { watchStatements } from './watch.ts';

/** At most this many leads a transaction, so that a runner beside the import is not held up. */
const MAX_LEADS_PER_TRANSACTION = 1_000;

export interface OpenOptions {
  /** Absolute path of the database file. */
  path: string;
  /**
   * `read` never creates, migrates or writes; `write` does all three; `dial` also opens the dial journal
   * and makes good what a database that was set back has forgotten.
   */
  mode: 'read' | 'write' | 'dial';
  /** Told how many forgotten dials came back from the journal, when there are any. */
  onRecovered?: (attempts: number) => void;
}

/** Opens the SQLite store. @throws AppError see `openConnection` and `recoverFromJournal` */
export function openSqliteStore({ path, mode, onRecovered }: OpenOptions): Store {
  const db = openConnection({ path, mode: mode === 'read' ? 'read' : 'write' });
  try {
    // Made with the database, so that every copy of it fits its journal.
    if (mode !== 'read') databaseIdOf(db);
    const journal = mode === 'dial' ? openJournal(db, path, onRecovered) : undefined;
    return createStore(db, path, journal);
  } catch (error) {
    db.close();
    throw error;
  }
}

function openJournal(db: Database, path: string, onRecovered?: (n: number) => void): DialJournal {
  const databaseId = databaseIdOf(db);
  const recovered = recoverFromJournal(db, path, databaseId);
  if (recovered > 0) onRecovered?.(recovered);
  return DialJournal.open(journalPath(path), databaseId);
}

function createStore(db: Database, path: string, journal: DialJournal | undefined): Store {
  const group = new GroupCommit(db);
  const campaigns = campaignTable(db);
  const leads = leadTable(db);
  const attempts = attemptTable(db, { campaigns, leads });
  const looks = lookStatements(db, attempts);
  const watch = watchStatements(db);
  const exportPage = exportStatements(db);
  const claim = claimStatements(db, { campaigns, leads });
  const insertProof = db.prepare(
    'INSERT INTO proven_services VALUES (?, ?) ON CONFLICT DO NOTHING',
  );
  const selectProof = db
    .prepare<[string], number>('SELECT 1 FROM proven_services WHERE fingerprint = ?')
    .pluck();
  const runners = runnerTable(db);
  const insertDelivery = db.prepare(
    `INSERT INTO inbox (id, service, key, received_at, headers, body)
     VALUES (@id, @service, @key, @receivedAt, @headers, @body) ON CONFLICT (service, key) DO NOTHING`,
  );

  return {
    location: path,
    createCampaign: (campaign) => group.submit(() => campaigns.create(campaign)),
    findCampaign: async (name) => campaigns.find(name),
    listCampaigns: async () => campaigns.list(),
    changeCampaign: (id, change, entry) => group.submit(() => campaigns.change(id, change, entry)),
    addHistory: (id, entry) =>
      group.submit(() => {
        campaigns.addHistory(id, entry);
      }),
    history: async (id) => campaigns.history(id),

    beginList: (campaignId, list) => group.submit(() => leads.beginList(campaignId, list)),
    addLeads: (listId, some) =>
      group.submit(() => {
        if (some.length > MAX_LEADS_PER_TRANSACTION) {
          throw new RangeError(`addLeads takes at most ${MAX_LEADS_PER_TRANSACTION} leads`);
        }
        return leads.add(listId, some);
      }),
    finishList: (listId, rows) =>
      group.submit(() => {
        leads.finishList(listId, rows);
      }),
    lists: async (campaignId) => leads.lists(campaignId),
    countWaitingOutside: async (campaignId, phones) => {
      let outside = 0;
      for (const phone of leads.waitingPhones(campaignId)) if (!phones.has(phone)) outside += 1;
      return outside;
    },
    cancelLead: (campaignId, phone, entry) =>
      group.submit(() => {
        const lead = leads.find(campaignId, phone);
        if (lead === undefined) return 'not_found';
        if (lead.state !== 'waiting') return lead.state;
        leads.markDone(lead.row, 'cancelled', 'callsheet', 'withdrawn by the operator');
        campaigns.addHistory(campaignId, entry);
        return 'cancelled';
      }),

    claim: async (request): Promise<Claim> => {
      if (journal === undefined) throw new Error('only a store opened to dial can claim');
      const { journal: lines, ...answer } = await group.submit(() => claim(request));
      await journal.append(lines);
      return answer;
    },
    isProven: async (fingerprint) => selectProof.get(fingerprint) !== undefined,
    recordDial: (attemptId, answer) =>
      group.submit(() => {
        const recorded = recordDial(attempts, attemptId, answer);
        if (answer.kind === 'placed' && recorded !== 'conflict') {
          insertProof.run(answer.fingerprint, answer.at);
        }
        return recorded;
      }),

    dueLooks: async (query) => looks.due(query),
    nextLookAt: async (query) => looks.nextAt(query),
    servicesWithOpenCalls: async (campaignId) => looks.services(campaignId),
    recordLook: (attemptId, look) => group.submit(() => looks.record(attemptId, look)),
    sweep: (request) => group.submit(() => looks.sweep(request)),
    inboxPut: (delivery) =>
      group.submit(
        () =>
          insertDelivery.run({ ...delivery, headers: JSON.stringify(delivery.headers) }).changes ===
          1,
      ),

    progress: async (campaignId, now) => watch.progress(campaignId, now),
    heldSlots: async (campaignId, now) => watch.held(campaignId, now),
    openDoubts: async (campaignId) => watch.doubts(campaignId),
    runnerSeen: (campaignId, owner, at) =>
      group.submit(() => {
        runners.seen(campaignId, owner, at);
      }),
    runnerLeft: (campaignId, owner) =>
      group.submit(() => {
        runners.left(campaignId, owner);
      }),
    runners: async (campaignId) => runners.of(campaignId),
    exportPage: async (campaignId, after, limit) => exportPage(campaignId, after, limit),

    close: async () => {
      group.flush();
      journal?.close();
      db.close();
    },
  };
}

function recordDial(attempts: AttemptTable, attemptId: string, answer: DialRecord): Recorded {
  const attempt = attempts.get(attemptId);
  const { at, detail } = answer;
  switch (answer.kind) {
    case 'placed': {
      const { callId, nextLookAt } = answer;
      const recorded = attempts.apply(
        attempt,
        { type: 'placed', callId },
        { at, detail, nextLookAt },
      );
      // The id belongs to another attempt: the contradiction is kept, and what became of this dial is not known.
      if (recorded === 'conflict')
        attempts.apply(attempts.get(attemptId), { type: 'lost' }, { at, detail });
      return recorded;
    }
    case 'released': {
      const event: AttemptEvent = {
        type: answer.reason === 'never_sent' ? 'never_sent' : 'refused',
      };
      return attempts.apply(attempt, event, { at, detail, notBefore: answer.notBefore });
    }
    case 'rejected':
      return attempts.apply(attempt, { type: 'rejected' }, { at, detail });
    case 'unknown':
      return attempts.apply(attempt, { type: 'lost' }, { at, detail });
  }
}
