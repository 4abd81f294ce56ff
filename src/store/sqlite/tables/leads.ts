import type { Database } from 'better-sqlite3';
import type { LeadResult, LeadState, ResultSource } from '../../../domain/lead.ts';
import type { E164 } from '../../../domain/phone.ts';
import { usageError } from '../../../runtime/errors.ts';
import type { AddedLeads, ImportedLead, List, NewLead, NewList, Owner, Store } from '../../port.ts';
import { importSettings } from '../file/import-settings.ts';
import { COUNTS } from './attempt-conditions.ts';
import { SELECT_LISTS, toList, type ListRow } from './list-rows.ts';
import {
  reasonOf,
  suppressionTable,
  whyOf,
  type SuppressionEntry,
  type SuppressionTable,
} from './suppression.ts';

/** Leads of list n come after those of list n - 1; no list has more lines than this. */
export const POSITIONS_PER_LIST = 10_000_000_000;

/** A lead that had ended, or was being called, waits: nothing of its end is left but the reason. */
export const WAITING_AGAIN = "state = 'waiting', result = NULL, result_source = NULL";

/** The tables `lists` and `leads`. */
export function leadTable(db: Database, suppression: SuppressionTable = suppressionTable(db)) {
  const selectList = db.prepare<[string], ListRow>(`${SELECT_LISTS} WHERE id = ?`);
  const selectArchived = db
    .prepare<[string], number | null>('SELECT archived_at FROM campaigns WHERE id = ?')
    .pluck();
  const selectCampaignOf = db
    .prepare<[string], string>('SELECT campaign_id FROM lists WHERE id = ?')
    .pluck();
  const selectListByHash = db.prepare<[string, string], ListRow>(
    `${SELECT_LISTS} WHERE campaign_id = ? AND sha256 = ?`,
  );
  const selectLists = db.prepare<[string], ListRow>(
    `${SELECT_LISTS} WHERE campaign_id = ? ORDER BY number`,
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
  // Open again: its import ends once more, and then whoever waits and is not on it leaves the campaign.
  const updateComplete = db.prepare(
    'UPDATE lists SET complete = 1, finished_at = NULL WHERE id = ?',
  );
  const updateImporter = db.prepare(
    'UPDATE lists SET importer = ? WHERE id = ? AND finished_at IS NULL',
  );
  const insertLead = db.prepare(
    `INSERT INTO leads (campaign_id, list_id, position, line, phone, cells) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (campaign_id, phone) DO NOTHING`,
  );
  const selectHolder = db.prepare<[string, string], { firstLine: number; firstList: string }>(
    `SELECT leads.line AS firstLine, lists.path AS firstList FROM leads JOIN lists ON lists.id = leads.list_id
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
    `UPDATE leads SET ${WAITING_AGAIN}, not_before = ?, reason = ? WHERE row = ?`,
  );
  // Not simply one less: a later attempt that counts keeps its ordinal, and with it its idempotency key.
  const updateSpent = db.prepare(
    `UPDATE leads SET spent = coalesce((SELECT max(ordinal) FROM attempts
       WHERE lead_row = leads.row AND ${COUNTS}), 0) WHERE row = ?`,
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

  /** Everybody whose row says that they are not to be called. */
  function suppressAsked({ doNotCall }: NewLead, at: number): void {
    for (const phone of doNotCall?.phones ?? []) {
      const note = doNotCall?.note ?? null;
      suppression.add({ phone, at, source: 'list', note, who: 'callsheet', expiresAt: null });
    }
  }

  function endSuppressed(campaignId: string, entry: SuppressionEntry, line: number, phone: E164) {
    const { row } = required(selectByPhone.get(campaignId, phone), phone);
    updateDone.run('suppressed', 'callsheet', reasonOf(entry), row);
    return { line, phone, why: whyOf(entry) };
  }

  return {
    lists: (campaignId: string): List[] => selectLists.all(campaignId).map(toList),
    beginList: (campaignId: string, list: NewList): List => {
      if (selectArchived.get(campaignId) != null) {
        throw usageError(
          'CAMPAIGN_ARCHIVED',
          'The campaign is archived: it takes no list.',
          'take it back with `callsheet archive <campaign> --undo`',
        );
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
    importedLeads: (id: string, fromLine: number, toLine: number): ImportedLead[] => {
      const list = required(selectList.get(id), id);
      const first = list.number * POSITIONS_PER_LIST;
      return selectImported.all(
        required(selectCampaignOf.get(id), id),
        first + fromLine,
        first + toLine,
      );
    },
    importSeen: (id: string, owner: Owner, at: number): void => {
      const { host, boot, pid } = owner;
      updateImporter.run(JSON.stringify({ host, boot, pid, seenAt: at }), id);
    },
    finishList: (id: string, rows: Parameters<Store['finishList']>[1]): void => {
      updateFinished.run({ suppressed: 0, ...rows, id });
      importing.end();
    },
    add: (listId: string, leads: readonly NewLead[]): AddedLeads => {
      const list = required(selectList.get(listId), listId);
      const campaignId = required(selectCampaignOf.get(listId), listId);
      importing.write(leads.length);
      const answer: AddedLeads = { added: 0, suppressed: [], duplicates: [] };
      for (const lead of leads) suppressAsked(lead, list.at);
      const entryOf = suppression.at(list.at);
      for (const { phone, line, cells } of leads) {
        const position = list.number * POSITIONS_PER_LIST + line;
        const row = [campaignId, listId, position, line, phone, JSON.stringify(cells)];
        if (insertLead.run(row).changes === 0) {
          const holder = required(selectHolder.get(campaignId, phone), phone);
          answer.duplicates.push({ line, phone, ...holder });
          continue;
        }
        const entry = entryOf(phone);
        if (entry === undefined) answer.added += 1;
        else answer.suppressed.push(endSuppressed(campaignId, entry, line, phone));
      }
      return answer;
    },
    hasUnfinishedList: (campaignId: string) => selectUnfinished.get(campaignId) !== undefined,
    waitingPhones: (campaignId: string, after: E164 | null, limit: number): E164[] =>
      selectWaiting.all(campaignId, after ?? '', limit),
    /** @returns how many of them waited, and do no longer */
    cancelWaiting: (campaignId: string, phones: readonly E164[], reason: string): number => {
      return phones.filter((phone) => {
        const lead = selectByPhone.get(campaignId, phone);
        if (lead?.state !== 'waiting') return false;
        updateDone.run('cancelled', 'callsheet', reason, lead.row);
        return true;
      }).length;
    },
    find: (campaignId: string, phone: E164) => selectByPhone.get(campaignId, phone),
    /** Guarded: false when the lead was not waiting any more. */
    markClaimed: (row: number): boolean => updateClaimed.run(row).changes === 1,
    markCalling: (row: number): void => {
      updateCalling.run(row);
    },
    markDone: (
      row: number,
      result: LeadResult,
      source: ResultSource,
      reason: string | null,
    ): void => {
      updateDone.run(result, source, reason, row);
    },
    markWaiting: (row: number, notBefore: number, reason: string): void => {
      updateWaiting.run(notBefore, reason, row);
    },
    /** One that waits is not called before `until` (epoch ms). */
    rest: (row: number, until: number): void => {
      updateRest.run(until, row);
    },
    /** One that waits ends as rejected. */
    giveUp: (row: number, reason: string): void => {
      updateGivenUp.run(reason, row);
    },
    /** Its next call is another one to the service, with another key. */
    countNotCalled: (row: number): void => {
      updateNotCalled.run(row);
    },
    /** Counts the lead's attempts anew: to be called whenever one was released. */
    countSpent: (row: number): void => {
      updateSpent.run(row);
    },
  };
}

export type LeadTable = ReturnType<typeof leadTable>;

function required<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`not in the database: ${what}`);
  return value;
}
