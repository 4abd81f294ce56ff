import type { Database } from 'better-sqlite3';
import type { E164 } from '../../domain/phone.ts';
import type { ExportCursor, ExportDetail, ExportQuery, ExportRow } from '../port.ts';
import {
  columnsOf,
  FROM_ATTEMPTS,
  FROM_LEADS,
  NOT_ASKED,
  toExportRow,
  type Row,
} from './export-rows.ts';
import { POSITIONS_PER_LIST } from './leads.ts';

/** Few: memory stays small, and larger pages are no faster. */
const ROWS_PER_PAGE = 100;

/** Pages of leads in list order, each with its last attempt that counts and that attempt's analytics. */
export function exportStatements(db: Database) {
  const selectPage = (detail: ExportDetail) =>
    db
      .prepare<[string, number, number], Row>(
        `SELECT ${columnsOf(detail, 'lead', NOT_ASKED)} ${FROM_LEADS}
         WHERE leads.campaign_id = ? AND leads.position > ? ORDER BY leads.position LIMIT ?`,
      )
      .raw();
  const select = { columns: selectPage('columns'), everything: selectPage('everything') };
  const pathsOf = listPaths(db);

  return (
    campaignId: string,
    after: ExportCursor | null,
    limit: number,
    detail: ExportDetail,
  ): ExportRow[] => {
    const paths = pathsOf(campaignId);
    const rows = select[detail].all(campaignId, toPosition(after), limit);
    return rows.map((row) => toExportRow(row, paths));
  };
}

/** All rows of a campaign, a page at a time; on a connection of its own, as it reads between other work. */
export async function* exportPages(
  db: Database,
  campaignId: string,
  { per, detail, withExported }: ExportQuery,
): AsyncGenerator<ExportRow[]> {
  const exportedAs = withExported
    ? '(SELECT exported_as FROM exported WHERE lead_row = leads.row)'
    : NOT_ASKED;
  const [from, campaign, key] =
    per === 'lead'
      ? [FROM_LEADS, 'leads.campaign_id', 'leads.position']
      : [FROM_ATTEMPTS, 'last.campaign_id', 'last.seq'];
  const select = db
    .prepare<[string, number], Row>(
      `SELECT ${columnsOf(detail, per, exportedAs)} ${from}
       WHERE ${campaign} = ? AND ${key} > ? ORDER BY ${key} LIMIT ${ROWS_PER_PAGE}`,
    )
    .raw();
  const paths = listPaths(db)(campaignId);
  for (let after = 0; ;) {
    const rows = select.all(campaignId, after);
    if (rows.length > 0) yield rows.map((row) => toExportRow(row, paths));
    const last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_PER_PAGE) return;
    const [position, seq] = last;
    after = per === 'lead' ? position : seq;
  }
}

/** Attempts as rows: those of one lead, or one by its sequence number, with everything they brought. */
export function attemptRowStatements(db: Database) {
  const select = `SELECT ${columnsOf('everything', 'attempt', NOT_ASKED)} ${FROM_ATTEMPTS}`;
  const selectOfLead = db
    .prepare<[string, string], Row>(
      `${select} WHERE last.lead_row = (SELECT row FROM leads WHERE campaign_id = ? AND phone = ?)
       ORDER BY last.seq`,
    )
    .raw();
  const selectBySeq = db.prepare<[number], Row>(`${select} WHERE last.seq = ?`).raw();
  const pathsOf = listPaths(db);

  return {
    ofLead(campaignId: string, phone: E164): ExportRow[] {
      const paths = pathsOf(campaignId);
      return selectOfLead.all(campaignId, phone).map((row) => toExportRow(row, paths));
    },
    bySeq(campaignId: string, seqs: readonly number[]): ExportRow[] {
      const paths = pathsOf(campaignId);
      return seqs.flatMap((seq) => selectBySeq.all(seq).map((row) => toExportRow(row, paths)));
    },
  };
}

/** The lists of a campaign by their number: a join would look each up a million times. */
function listPaths(db: Database): (campaignId: string) => ReadonlyMap<number, string> {
  const select = db
    .prepare<[string], [number, string]>('SELECT number, path FROM lists WHERE campaign_id = ?')
    .raw();
  return (campaignId) => new Map(select.all(campaignId));
}

function toPosition(cursor: ExportCursor | null): number {
  return cursor === null ? 0 : cursor.list * POSITIONS_PER_LIST + cursor.line;
}
