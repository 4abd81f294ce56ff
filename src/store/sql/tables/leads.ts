import type { Database } from 'better-sqlite3';

import type { LeadState } from '../../../domain/lead.ts';
import type { E164 } from '../../../domain/phone.ts';
import { usageError } from '../../../runtime/errors.ts';
import type { ImportedLead, List } from '../../port.ts';
import { atMost, type Methods, type Sql } from '../sql.ts';
import { COUNTS, MAY_BE_RETRIED, MAY_TURN_OUT } from './attempt-rows.ts';
import { leadEnds, POSITIONS_PER_LIST } from './lead-ends.ts';
import { addLeadsStatement } from './people/add-leads.ts';
import { correctionStatements, NOT_HELD, waitStatements } from './people/corrections.ts';
import { suppressionTable, type SuppressionTable } from './suppression.ts';

/** A page cache of 8 MB; 16 MB is no faster. */
const CACHE_SIZE = -8_000;

/**
 * Pages of the write-ahead log after which a checkpoint is made. A checkpoint writes each page once more, so fewer are
 * better: with SQLite's default of 1,000 the import of a million unordered rows takes 55 s instead of 40 s on a busy
 * machine. While a runner is active, its commits would wait for a large checkpoint, so the default applies.
 */
const PAGES_ALONE = 20_000;
const PAGES_BESIDE = 1_000;

/** While a runner is active, at most this many rows are written at a time. */
const ROWS_BESIDE = 100;

/** The settings of a connection while a list is imported through it. */
function importSettings(db: Database) {
  let usual: { wal_autocheckpoint: number; cache_size: number } | undefined;
  let pages = 0;

  const get = (name: string) => Number(db.pragma(name, { simple: true }));
  const set = (name: string, value: number) => db.pragma(`${name} = ${value}`);

  return {
    begin(): void {
      usual ??= {
        wal_autocheckpoint: get('wal_autocheckpoint'),
        cache_size: get('cache_size'),
      };
      set('cache_size', CACHE_SIZE);
    },
    /** Call before writing this number of rows. */
    write(rows: number): void {
      const wanted = rows > ROWS_BESIDE ? PAGES_ALONE : PAGES_BESIDE;
      if (usual === undefined || pages === wanted) return;
      pages = wanted;
      set('wal_autocheckpoint', pages);
    },
    end(): void {
      if (usual === undefined) return;
      pages = 0;
      for (const [name, value] of Object.entries(usual)) set(name, value);
    },
  };
}

/** The tables `lists`, `leads` and `exported` (the `as` with which each lead was exported last). */
export function leadTable(sql: Sql, suppression: SuppressionTable = suppressionTable(sql)) {
  const listsWhere = (condition: string) =>
    sql.rows<string[], List>(
      `SELECT id, number, path, sha256, headers, at,
  finished_at AS finishedAt, good, rejected, duplicates, suppressed, mapping, as_of AS asOf, file, bytes, encoding, sheet,
  delimiter, complete, importer, added, input FROM lists WHERE ${condition}`,
      { json: ['headers', 'mapping', 'importer', 'added', 'input'], flags: ['complete'] },
    );
  const selectList = listsWhere('id = ?');
  const selectListByHash = listsWhere('campaign_id = ? AND sha256 = ?');
  const selectArchived = sql.value<[campaignId: string], number | null>(
    'SELECT archived_at FROM campaigns WHERE id = ?',
  );
  const selectCampaignOf = sql.value<[listId: string], string>(
    'SELECT campaign_id FROM lists WHERE id = ?',
  );
  const insertList = sql.run(
    `INSERT INTO lists (id, campaign_id, number, path, sha256, headers, at, mapping, as_of, file, bytes,
       encoding, sheet, delimiter, complete, importer, input)
     SELECT @id, @campaignId, coalesce(max(number), 0) + 1, @path, @sha256, @headers, @at, @mapping, @asOf, @file,
       @bytes, @encoding, @sheet, @delimiter, @complete, @importer, @input
     FROM lists WHERE campaign_id = @campaignId`,
  );
  const updateFinished = sql.run(
    `UPDATE lists SET finished_at = at, good = @good, rejected = @rejected, duplicates = @duplicates,
       suppressed = @suppressed, importer = NULL WHERE id = @id`,
  );
  // `complete` reopens the list: when its import ends again, waiting leads that are not on it leave the campaign. A
  // list that was complete once is not complete for good.
  const updateComplete = sql.run(
    `UPDATE lists SET complete = CASE WHEN finished_at IS NULL AND complete = 1 THEN 1 ELSE @complete END,
       finished_at = CASE WHEN @complete = 0 THEN finished_at END WHERE id = @id`,
  );
  const ONLY_SENT = 'input IS NOT NULL AND importer IS NULL AND finished_at IS NULL';
  /** The import of a list that was sent begins: it is read as it was chosen. */
  const updateTaken = sql.run(
    `UPDATE lists SET headers = @headers, mapping = @mapping, as_of = @asOf, encoding = @encoding, sheet = @sheet,
       delimiter = @delimiter WHERE id = @id AND ${ONLY_SENT}`,
  );
  const updateSent = sql.run(
    `UPDATE lists SET sha256 = @sha256, input = @input WHERE id = @id AND ${ONLY_SENT}`,
  );
  const deleteSent = sql.run<[id: string]>(`DELETE FROM lists WHERE id = ? AND ${ONLY_SENT}`);
  const updateImporter = sql.run<[importer: string, listId: string]>(
    'UPDATE lists SET importer = ? WHERE id = ? AND finished_at IS NULL',
  );
  const holderOf = sql.row<
    [campaignId: string, phone: E164],
    { line: number; list: string; sha256: string }
  >(
    `SELECT leads.line, lists.path AS list, lists.sha256 FROM leads JOIN lists ON lists.id = leads.list_id
     WHERE leads.campaign_id = ? AND leads.phone = ?`,
  );
  const selectImported = sql.rows<[campaignId: string, from: number, to: number], ImportedLead>(
    `SELECT line, phone, CASE WHEN result = 'suppressed' THEN coalesce(reason, 'not to be called') END AS suppressed
     FROM leads WHERE campaign_id = ? AND position BETWEEN ? AND ?`,
  );
  const selectState = sql.value<[campaignId: string], string>(
    'SELECT state FROM campaigns WHERE id = ?',
  );
  const selectUnfinished = sql.value<[campaignId: string], string>(
    'SELECT id FROM lists WHERE campaign_id = ? AND finished_at IS NULL LIMIT 1',
  );
  const selectPhones = (condition: string) =>
    sql.values<[campaignId: string, after: string, limit: number], E164>(
      `SELECT phone FROM leads WHERE campaign_id = ? AND phone > ? AND (${condition})
       ORDER BY phone LIMIT ? + 0`,
    );
  const selectWaiting = selectPhones("state = 'waiting'");
  const selectCalling = selectPhones(
    `state = 'calling' OR state = 'done' AND (cancelled_after IS NOT NULL OR ${MAY_TURN_OUT})`,
  );
  const selectMissed = selectPhones(`${MAY_BE_RETRIED} AND stopped IS NULL`);
  const find = sql.row<[campaignId: string, phone: E164], { row: number; state: LeadState }>(
    'SELECT row, state FROM leads WHERE campaign_id = ? AND phone = ?',
  );
  const ends = leadEnds(sql);
  const { markDone } = ends;
  const upsertExported = sql.run(
    `INSERT INTO exported (lead_row, exported_as) SELECT row, @as FROM leads
       WHERE campaign_id = @campaignId AND phone = @phone
     ON CONFLICT (lead_row) DO UPDATE SET exported_as = excluded.exported_as`,
  );

  const importing = importSettings(sql.db);
  const corrections = correctionStatements(sql, ends);
  const add = addLeadsStatement(sql, { suppression, corrections, end: ends.end });
  function listOf(id: string): List {
    return required(selectList(id)[0], id);
  }

  return {
    reads: {
      lists: listsWhere('campaign_id = ? ORDER BY number'),
      importedLeads: (id, fromLine, toLine) => {
        const first = listOf(id).number * POSITIONS_PER_LIST;
        const campaignId = required(selectCampaignOf(id), id);
        return selectImported(campaignId, first + fromLine, first + toLine);
      },
      waitingPhones: (campaignId, after, limit) => selectWaiting(campaignId, after ?? '', limit),
      callingPhones: (campaignId, after, limit) => selectCalling(campaignId, after ?? '', limit),
      missedPhones: (campaignId, after, limit) => selectMissed(campaignId, after ?? '', limit),
    } satisfies Partial<Methods>,
    writes: {
      beginList: (campaignId, list) => {
        if (selectArchived(campaignId) != null) {
          throw usageError(
            'CAMPAIGN_ARCHIVED',
            'The campaign is archived: it takes no list.',
            'take it back with `callsheet cancel <campaign> --archive --undo`',
          );
        }
        // It may have been started since the campaign was read.
        if (list.input != null && selectState(campaignId) !== 'draft')
          throw usageError(
            'CAMPAIGN_STARTED',
            'The campaign is no draft any more: it takes no list that waits for its start.',
            'import the list instead',
          );
        importing.begin();
        const [known] = selectListByHash(campaignId, list.sha256);
        const { headers, mapping = null, complete = false, importer = null, input = null } = list;
        const row = {
          ...{ asOf: null, file: null, bytes: null, encoding: null, sheet: null, delimiter: null },
          ...list,
          headers: JSON.stringify(headers),
          mapping: mapping === null ? null : JSON.stringify(mapping),
        };
        if (known !== undefined) {
          if (input === null) updateTaken({ ...row, id: known.id });
          updateComplete({ id: known.id, complete: complete ? 1 : 0 });
          if (importer !== null) updateImporter(JSON.stringify(importer), known.id);
          return listOf(known.id);
        }
        insertList({
          ...row,
          campaignId,
          input: input === null ? null : JSON.stringify(input),
          complete: complete ? 1 : 0,
          importer: importer === null ? null : JSON.stringify(importer),
        });
        return listOf(list.id);
      },
      changeSent: (list) => updateSent({ ...list, input: JSON.stringify(list.input) }) === 1,
      removeSent: (id) => deleteSent(id) === 1,
      importSeen: (id, { host, boot, pid }, at) => {
        const others = selectList(id)[0]?.importer?.with;
        updateImporter(JSON.stringify({ host, boot, pid, seenAt: at, with: others }), id);
      },
      addLeads: (listId, leads) => {
        importing.write(atMost(leads, 'addLeads').length);
        return add(required(selectCampaignOf(listId), listId), listOf(listId), leads);
      },
      stopLeads: (campaignId, by, some) =>
        atMost(some, 'stopLeads').filter((lead) => corrections.stop(campaignId, by, lead)).length,
      /** @returns how many of them were waiting and are cancelled now; those in a call are not called again */
      cancelWaiting: (campaignId, phones, reason) =>
        atMost(phones, 'cancelWaiting').filter((phone) => {
          const lead = find(campaignId, phone);
          if (lead !== undefined && lead.state !== 'waiting')
            corrections.takeBack(lead.row, reason);
          if (lead?.state !== 'waiting') return false;
          markDone('cancelled', 'callsheet', reason, lead.row);
          return true;
        }).length,
      markExported: (campaignId, leads) => {
        for (const { phone, as } of leads) upsertExported({ campaignId, phone, as });
      },
      finishList: (id, rows) => {
        updateFinished({ suppressed: 0, ...rows, id });
        importing.end();
      },
    } satisfies Partial<Methods>,
    hasUnfinishedList: (campaignId: string) => selectUnfinished(campaignId) !== undefined,
    find,
    stop: corrections.stop,
    /** A campaign's lead with this number: its line, its list and the hash of that list's bytes. */
    holderOf,
    /** Guarded: fails when the lead is not waiting any more. */
    markClaimed: sql.later<[row: number]>(
      `UPDATE leads SET state = 'calling', spent = spent + 1, reason = NULL, ${NOT_HELD}
       WHERE row = ? AND state = 'waiting'`,
      'one',
    ),
    /** Something was found of a call of a person who is withdrawn: an undo goes by the last such call. */
    keepFound: sql.later<[seq: number, row: number]>(
      `UPDATE leads SET found_seq = max(coalesce(found_seq, 0), ?) WHERE row = ? AND cancelled_after IS NOT NULL`,
    ),
    /** `wasDone`: it is done again once the earlier calls that were found have ended. */
    markCalling: sql.later<[wasDone: 0 | 1, row: number]>(
      `UPDATE leads SET was_done = CASE WHEN ? = 1 THEN CASE WHEN state = 'done' THEN coalesce(reason, '') ELSE was_done END END,
       state = 'calling', result = NULL, result_source = NULL, reason = CASE WHEN state = 'calling' THEN reason END
     WHERE row = ?`,
    ),
    ...ends,
    ...waitStatements(sql),
    /** A waiting lead is not called before `until` (epoch ms). */
    rest: sql.run<[until: number, row: number]>(
      "UPDATE leads SET not_before = ? WHERE row = ? AND state = 'waiting'",
    ),
    /** The person asked to be called again at this time (epoch ms); null: they did not, or that call was made. */
    setCallback: sql.later<[at: number | null, row: number]>(
      'UPDATE leads SET callback_at = ? WHERE row = ?',
    ),
    /** Counts a call that was accepted and not made, so that the lead's next dial has another key. */
    countNotCalled: sql.later<[row: number]>(
      'UPDATE leads SET not_called = not_called + 1 WHERE row = ?',
    ),
    /**
     * Counts the lead's attempts again; must be called after every release. The count is not just one less: a later
     * attempt that counts keeps its ordinal, and with it its idempotency key.
     */
    countSpent: sql.later<[row: number]>(
      `UPDATE leads SET spent = coalesce((SELECT max(ordinal) FROM attempts
       WHERE lead_row = leads.row AND ${COUNTS}), 0) WHERE row = ?`,
    ),
  };
}

export type LeadTable = ReturnType<typeof leadTable>;

function required<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`not in the database: ${what}`);
  return value;
}
