import type { Database } from 'better-sqlite3';
import type { LeadResult, LeadState, ResultSource } from '../../../domain/lead.ts';
import type { E164 } from '../../../domain/phone.ts';
import { AppError, EXIT } from '../../../runtime/errors.ts';
import type { AddedLeads, ImportedLead, List, NewLead, NewList, Owner, Store } from '../../port.ts';
import { importSettings } from '../file/import-settings.ts';
import { leadInsertion } from './insert-leads.ts';
import { toList, type ListRow } from './list-rows.ts';
import {
  reasonOf,
  suppressionTable,
  whyOf,
  type Held,
  type SuppressionTable,
} from './suppression.ts';

/** Leads of list n come after those of list n - 1; no list has more lines than this. */
export const POSITIONS_PER_LIST = 10_000_000_000;

/** The tables `lists` and `leads`. */
export function leadTable(db: Database, suppression: SuppressionTable = suppressionTable(db)) {
  const selectList = db.prepare<[string], ListRow>('SELECT * FROM lists WHERE id = ?');
  const selectArchived = db
    .prepare<[string], number | null>('SELECT archived_at FROM campaigns WHERE id = ?')
    .pluck();
  const selectListByHash = db.prepare<[string, string], ListRow>(
    'SELECT * FROM lists WHERE campaign_id = ? AND sha256 = ?',
  );
  const selectLists = db.prepare<[string], ListRow>(
    'SELECT * FROM lists WHERE campaign_id = ? ORDER BY number',
  );
  const insertList = db.prepare(
    `INSERT INTO lists (id, campaign_id, number, path, sha256, headers, at, mapping, as_of, bytes,
       encoding, sheet, complete, importer)
     SELECT @id, @campaignId, coalesce(max(number), 0) + 1, @path, @sha256, @headers, @at, @mapping, @asOf, @bytes,
       @encoding, @sheet, @complete, @importer
     FROM lists WHERE campaign_id = @campaignId`,
  );
  const updateFinished = db.prepare(
    `UPDATE lists SET finished_at = at, good = @good, rejected = @rejected, duplicates = @duplicates,
       suppressed = @suppressed, importer = NULL WHERE id = @id`,
  );
  // Who waits and is not on it leaves with its end, which comes once more.
  const updateComplete = db.prepare(
    'UPDATE lists SET complete = 1, finished_at = NULL WHERE id = ?',
  );
  const updateImporter = db.prepare(
    'UPDATE lists SET importer = ? WHERE id = ? AND finished_at IS NULL',
  );
  const insert = leadInsertion(db);
  const selectHolder = db.prepare<[string, string], { line: number; path: string }>(
    `SELECT leads.line, lists.path FROM leads JOIN lists ON lists.id = leads.list_id
     WHERE leads.campaign_id = ? AND leads.phone = ?`,
  );
  const selectImported = db.prepare<[string, number, number], ImportedLead>(
    `SELECT line, phone, iif(result = 'suppressed', coalesce(reason, 'not to be called'), NULL) AS suppressed
     FROM leads WHERE campaign_id = ? AND position BETWEEN ? AND ?`,
  );
  const selectUnfinished = db
    .prepare<[string], string>(
      'SELECT id FROM lists WHERE campaign_id = ? AND finished_at IS NULL LIMIT 1',
    )
    .pluck();
  const selectWaiting = db
    .prepare<[string, string, number], E164>(
      `SELECT phone FROM leads WHERE campaign_id = ? AND phone > ? AND state = 'waiting'
       ORDER BY phone LIMIT ? + 0`,
    )
    .pluck();
  const selectByPhone = db.prepare<[string, string], { row: number; state: LeadState }>(
    'SELECT row, state FROM leads WHERE campaign_id = ? AND phone = ?',
  );
  const updateDone = db.prepare(
    `UPDATE leads SET state = 'done', result = ?, result_source = ?, reason = ? WHERE row = ?`,
  );
  const updateCalling = db.prepare(
    `UPDATE leads SET state = 'calling', result = NULL, result_source = NULL, reason = NULL
     WHERE row = ?`,
  );
  const updateClaimed = db.prepare(
    "UPDATE leads SET state = 'calling', spent = spent + 1, reason = NULL WHERE row = ? AND state = 'waiting'",
  );
  const updateWaiting = db.prepare(
    `UPDATE leads SET state = 'waiting', result = NULL, result_source = NULL, not_before = @notBefore,
       reason = @reason WHERE row = @row`,
  );
  // Not one less: a later attempt that counts keeps its ordinal, and with it its idempotency key.
  const updateSpent = db.prepare(
    `UPDATE leads SET spent = coalesce((SELECT max(ordinal) FROM attempts
       WHERE lead_row = leads.row AND state <> 'released'), 0) WHERE row = ?`,
  );
  const updateRest = db.prepare(
    "UPDATE leads SET not_before = ? WHERE row = ? AND state = 'waiting'",
  );
  const updateGivenUp = db.prepare(
    `UPDATE leads SET state = 'done', result = 'rejected', result_source = 'callsheet', reason = ?
     WHERE row = ? AND state = 'waiting'`,
  );
  const updateNotCalled = db.prepare('UPDATE leads SET not_called = not_called + 1 WHERE row = ?');

  const importing = importSettings(db);

  function suppressAsked({ doNotCall }: NewLead, at: number): void {
    for (const phone of doNotCall?.phones ?? []) {
      const note = doNotCall?.note ?? null;
      suppression.add({ phone, at, source: 'list', note, who: 'callsheet', expiresAt: null });
    }
  }

  function endSuppressed(campaignId: string, held: Held, line: number, phone: E164) {
    const { row } = required(selectByPhone.get(campaignId, phone), phone);
    const reason = reasonOf(held);
    updateDone.run('suppressed', 'callsheet', reason, row);
    return { line, phone, why: whyOf(held) };
  }

  return {
    lists: (campaignId: string): List[] => selectLists.all(campaignId).map(toList),
    beginList(campaignId: string, list: NewList): List {
      if (selectArchived.get(campaignId) != null) {
        throw new AppError('CAMPAIGN_ARCHIVED', 'The campaign is archived: it takes no list.', {
          hint: 'take it back with `callsheet archive <campaign> --undo`',
          exitCode: EXIT.usage,
        });
      }
      importing.begin();
      const known = selectListByHash.get(campaignId, list.sha256);
      const { headers, mapping = null, complete = false, importer = null } = list;
      if (known !== undefined) {
        if (complete) updateComplete.run(known.id);
        if (importer !== null) updateImporter.run(JSON.stringify(importer), known.id);
        return toList(required(selectList.get(known.id), known.id));
      }
      insertList.run({
        ...{ asOf: null, bytes: null, encoding: null, sheet: null, ...list },
        campaignId,
        headers: JSON.stringify(headers),
        mapping: mapping === null ? null : JSON.stringify(mapping),
        complete: complete ? 1 : 0,
        importer: importer === null ? null : JSON.stringify(importer),
      });
      return toList(required(selectList.get(list.id), list.id));
    },
    imported(id: string, fromLine: number, toLine: number): ImportedLead[] {
      const list = required(selectList.get(id), id);
      const first = list.number * POSITIONS_PER_LIST;
      return selectImported.all(list.campaign_id, first + fromLine, first + toLine);
    },
    importSeen(id: string, owner: Owner, at: number): void {
      const { host, boot, pid } = owner;
      updateImporter.run(JSON.stringify({ host, boot, pid, seenAt: at }), id);
    },
    finishList(id: string, rows: Parameters<Store['finishList']>[1]): void {
      updateFinished.run({ suppressed: 0, ...rows, id });
      importing.end();
    },
    add(listId: string, leads: readonly NewLead[]): AddedLeads {
      const list = required(selectList.get(listId), listId);
      importing.write(leads.length);
      const answer: AddedLeads = { added: 0, suppressed: [], duplicates: [] };
      for (const lead of leads) suppressAsked(lead, list.at);
      const mayBeHeld = !suppression.isEmpty();
      const first = list.number * POSITIONS_PER_LIST;
      const rows = leads.map(({ phone, line, cells }) => ({
        position: first + line,
        line,
        phone,
        cells,
      }));
      const known = insert(list.campaign_id, listId, rows);
      for (const row of rows) {
        const { line, phone } = row;
        if (!known.has(row)) {
          const held = mayBeHeld ? suppression.find(phone, list.at) : undefined;
          if (held === undefined) answer.added += 1;
          else answer.suppressed.push(endSuppressed(list.campaign_id, held, line, phone));
          continue;
        }
        const holder = required(selectHolder.get(list.campaign_id, phone), phone);
        answer.duplicates.push({
          line,
          phone,
          firstLine: holder.line,
          firstList: holder.path,
        });
      }
      return answer;
    },
    hasUnfinishedList: (campaignId: string) => selectUnfinished.get(campaignId) !== undefined,
    waitingPhones: (campaignId: string, after: string, limit: number): E164[] =>
      selectWaiting.all(campaignId, after, limit),
    cancelIfWaiting(campaignId: string, phone: E164, reason: string): boolean {
      const lead = selectByPhone.get(campaignId, phone);
      if (lead?.state !== 'waiting') return false;
      updateDone.run('cancelled', 'callsheet', reason, lead.row);
      return true;
    },
    find: (campaignId: string, phone: E164) => selectByPhone.get(campaignId, phone),
    /** Guarded: false when the lead was not waiting any more. */
    markClaimed: (row: number): boolean => updateClaimed.run(row).changes === 1,
    markCalling(row: number): void {
      updateCalling.run(row);
    },
    markDone(row: number, result: LeadResult, source: ResultSource, reason: string | null): void {
      updateDone.run(result, source, reason, row);
    },
    markWaiting(row: number, notBefore: number, reason: string): void {
      updateWaiting.run({ row, notBefore, reason });
    },
    /** One that waits is not called before `until`. */
    rest(row: number, until: number): void {
      updateRest.run(until, row);
    },
    /** One that waits ends as rejected. */
    giveUp(row: number, reason: string): void {
      updateGivenUp.run(reason, row);
    },
    /** Its next call is another one to the service, with another key. */
    countNotCalled(row: number): void {
      updateNotCalled.run(row);
    },
    /** To be called whenever an attempt was released. */
    countSpent(row: number): void {
      updateSpent.run(row);
    },
  };
}

export type LeadTable = ReturnType<typeof leadTable>;

function required<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`not in the database: ${what}`);
  return value;
}
