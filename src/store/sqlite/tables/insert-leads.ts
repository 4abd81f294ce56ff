import type { Database } from 'better-sqlite3';
import type { E164 } from '../../../domain/phone.ts';

/** A row of the table as an import brings it. */
export interface LeadRow {
  position: number;
  line: number;
  phone: E164;
  cells: readonly string[];
}

/** The checks of the table are made ready once a statement, which takes as long as a row itself: rows go in together. */
const ROWS_A_STATEMENT = 25;

/**
 * Inserts leads into one list of a campaign.
 *
 * @returns inserts what is new, and says which rows are not: their number is in the campaign already
 */
export function leadInsertion(db: Database) {
  const insertOne = prepare(1);
  const insertMany = prepare(ROWS_A_STATEMENT);
  const selectLast = db.prepare<[], number | null>('SELECT max(row) FROM leads').pluck();
  const selectRow = db
    .prepare<[string, string], number>('SELECT row FROM leads WHERE campaign_id = ? AND phone = ?')
    .pluck();

  function prepare(rows: number) {
    return db.prepare(
      `INSERT INTO leads (campaign_id, list_id, position, line, phone, cells)
       VALUES ${Array(rows).fill('(?, ?, ?, ?, ?, ?)').join(', ')}
       ON CONFLICT (campaign_id, phone) DO NOTHING`,
    );
  }

  function insert(campaignId: string, listId: string, rows: readonly LeadRow[]): Set<LeadRow> {
    const known = new Set<LeadRow>();
    let at = 0;
    for (; at + ROWS_A_STATEMENT <= rows.length; at += ROWS_A_STATEMENT) {
      const last = selectLast.get() ?? 0;
      const values: unknown[] = [];
      const end = at + ROWS_A_STATEMENT;
      for (const row of rows.slice(at, end)) addValues(values, campaignId, listId, row);
      if (insertMany.run(values).changes === ROWS_A_STATEMENT) continue;
      addKnown(campaignId, rows.slice(at, end), last, known);
    }
    for (const row of rows.slice(at)) {
      const values: unknown[] = [];
      addValues(values, campaignId, listId, row);
      if (insertOne.run(values).changes === 0) known.add(row);
    }
    return known;
  }

  /** Of rows with one number the first was inserted: that is the row which has it now. */
  function addKnown(
    campaignId: string,
    rows: readonly LeadRow[],
    last: number,
    known: Set<LeadRow>,
  ): void {
    const seen = new Set<E164>();
    for (const row of rows) {
      const holder = selectRow.get(campaignId, row.phone) ?? 0;
      if (holder <= last || seen.has(row.phone)) known.add(row);
      seen.add(row.phone);
    }
  }

  return insert;
}

function addValues(values: unknown[], campaignId: string, listId: string, row: LeadRow): void {
  const { position, line, phone, cells } = row;
  values.push(campaignId, listId, position, line, phone, JSON.stringify(cells));
}
