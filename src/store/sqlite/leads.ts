import type { Database } from 'better-sqlite3';
import type { LeadResult, LeadState, ResultSource } from '../../domain/lead.ts';
import type { E164 } from '../../domain/phone.ts';
import type { AddedLeads, List, NewLead, NewList } from '../port.ts';

/** Leads of list n come after those of list n - 1; no list has more lines than this. */
export const POSITIONS_PER_LIST = 10_000_000_000;

/** The tables `lists` and `leads`. */
export function leadTable(db: Database) {
  const selectList = db.prepare<[string], ListRow>('SELECT * FROM lists WHERE id = ?');
  const selectListByHash = db.prepare<[string, string], ListRow>(
    'SELECT * FROM lists WHERE campaign_id = ? AND sha256 = ?',
  );
  const selectLists = db.prepare<[string], ListRow>(
    'SELECT * FROM lists WHERE campaign_id = ? ORDER BY number',
  );
  const insertList = db.prepare(
    `INSERT INTO lists (id, campaign_id, number, path, sha256, headers, at)
     SELECT @id, @campaignId, coalesce(max(number), 0) + 1, @path, @sha256, @headers, @at
     FROM lists WHERE campaign_id = @campaignId`,
  );
  const updateFinished = db.prepare(
    `UPDATE lists SET finished_at = at, good = @good, rejected = @rejected, duplicates = @duplicates
     WHERE id = @id`,
  );
  const insertLead = db.prepare(
    `INSERT INTO leads (campaign_id, list_id, position, line, phone, cells)
     VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (campaign_id, phone) DO NOTHING`,
  );
  const selectHolder = db.prepare<[string, string], { line: number; path: string }>(
    `SELECT leads.line, lists.path FROM leads JOIN lists ON lists.id = leads.list_id
     WHERE leads.campaign_id = ? AND leads.phone = ?`,
  );
  const selectUnfinished = db
    .prepare<[string], string>(
      'SELECT id FROM lists WHERE campaign_id = ? AND finished_at IS NULL LIMIT 1',
    )
    .pluck();
  const selectWaiting = db
    .prepare<[string], string>(
      "SELECT phone FROM leads WHERE campaign_id = ? AND state = 'waiting'",
    )
    .pluck();
  const selectByPhone = db.prepare<[string, string], { row: number; state: LeadState }>(
    'SELECT row, state FROM leads WHERE campaign_id = ? AND phone = ?',
  );
  const updateDone = db.prepare(
    `UPDATE leads SET state = 'done', result = @result, result_source = @source, reason = @reason
     WHERE row = @row`,
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

  return {
    lists: (campaignId: string): List[] => selectLists.all(campaignId).map(toList),
    beginList(campaignId: string, list: NewList): List {
      const known = selectListByHash.get(campaignId, list.sha256);
      if (known !== undefined) return toList(known);
      insertList.run({ ...list, campaignId, headers: JSON.stringify(list.headers) });
      return toList(required(selectList.get(list.id), list.id));
    },
    finishList(id: string, rows: { good: number; rejected: number; duplicates: number }): void {
      updateFinished.run({ id, ...rows });
    },
    add(listId: string, leads: readonly NewLead[]): AddedLeads {
      const list = required(selectList.get(listId), listId);
      const answer: AddedLeads = { added: 0, duplicates: [] };
      for (const { phone, line, cells } of leads) {
        const position = list.number * POSITIONS_PER_LIST + line;
        const { changes } = insertLead.run(
          list.campaign_id,
          listId,
          position,
          line,
          phone,
          JSON.stringify(cells),
        );
        if (changes === 1) {
          answer.added += 1;
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
    waitingPhones: (campaignId: string) => selectWaiting.iterate(campaignId),
    find: (campaignId: string, phone: E164) => selectByPhone.get(campaignId, phone),
    /** Guarded: false when the lead was not waiting any more. */
    markClaimed: (row: number): boolean => updateClaimed.run(row).changes === 1,
    markCalling(row: number): void {
      updateCalling.run(row);
    },
    markDone(row: number, result: LeadResult, source: ResultSource, reason: string | null): void {
      updateDone.run({ row, result, source, reason });
    },
    markWaiting(row: number, notBefore: number, reason: string): void {
      updateWaiting.run({ row, notBefore, reason });
    },
    /** To be called whenever an attempt was released. */
    countSpent(row: number): void {
      updateSpent.run(row);
    },
  };
}

export type LeadTable = ReturnType<typeof leadTable>;

interface ListRow {
  id: string;
  campaign_id: string;
  number: number;
  path: string;
  sha256: string;
  headers: string;
  at: number;
  finished_at: number | null;
  good: number;
  rejected: number;
  duplicates: number;
}

function toList(row: ListRow): List {
  return {
    id: row.id,
    number: row.number,
    path: row.path,
    sha256: row.sha256,
    headers: JSON.parse(row.headers) as string[],
    at: row.at,
    finishedAt: row.finished_at,
    good: row.good,
    rejected: row.rejected,
    duplicates: row.duplicates,
  };
}

function required<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`not in the database: ${what}`);
  return value;
}
