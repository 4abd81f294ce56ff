import type { ExportDetail, ExportQuery, ExportRow, Snapshot } from '../../port.ts';
import type { Engine } from '../engine.ts';
import { sqlOf, type Methods, type Sql } from '../sql.ts';
import { seqOf } from '../tables/attempt-rows.ts';
import { campaignTable } from '../tables/campaigns.ts';
import { positionOf } from '../tables/lead-ends.ts';
import { leadTable } from '../tables/leads.ts';
import {
  attemptColumns,
  BEST_ATTEMPT,
  fillAttempt,
  FROM_ATTEMPTS,
  leadText,
  readLead,
  type AttemptCells,
} from './export-rows.ts';

/** Small, to save memory; larger pages are not faster. */
const ROWS_PER_PAGE = 100;

/** Pages of leads in list order, each with its best attempt and that attempt's analytics. */
export function exportStatements(sql: Sql): Methods['exportPage'] {
  const lead = leadText({ per: 'lead', withExported: false });
  const readPage = {
    columns: leadPages(sql, 'columns', lead),
    everything: leadPages(sql, 'everything', lead),
  };
  const pathsOf = listPaths(sql);

  const page: Methods['exportPage'] = (campaignId, after, limit, detail = 'everything') => {
    const from = after === null ? 0 : positionOf(after);
    return readPage[detail](campaignId, from, limit, pathsOf(campaignId)).rows;
  };
  // In a transaction, because leads and attempts are read by two statements and must match.
  return sql.atOneMoment(page);
}

/**
 * All rows of a campaign, a page at a time. The connection must be used for nothing else and be in a transaction,
 * because other writes happen between the pages.
 */
async function* exportPages(
  sql: Sql,
  campaignId: string,
  query: ExportQuery,
): AsyncGenerator<ExportRow[]> {
  const paths = listPaths(sql)(campaignId);
  const pagesOf = query.per === 'lead' ? leadPages : attemptPages;
  const readPage = pagesOf(sql, query.detail, leadText(query));
  for (let after: number | null = 0; after !== null;) {
    const page = readPage(campaignId, after, ROWS_PER_PAGE, paths);
    if (page.rows.length > 0) yield page.rows;
    after = page.rows.length < ROWS_PER_PAGE ? null : page.last;
  }
}

/** Attempts as rows: those of one lead, or some by their sequence numbers, with all of their analytics. */
export function attemptRowStatements(sql: Sql) {
  const columns = `${leadText({ per: 'attempt', withExported: false })}, ${attemptColumns('everything', 'attempt')}`;
  const select = `SELECT ${columns} ${FROM_ATTEMPTS}`;
  const selectOfLead = sql.tuples<[campaignId: string, phone: string], AttemptCells<string>>(
    `${select} WHERE last.lead_row = (SELECT row FROM leads WHERE campaign_id = ? AND phone = ?)
       ORDER BY last.seq`,
  );
  const selectBySeq = sql.tuples<[seq: number], AttemptCells<string>>(
    `${select} WHERE last.seq = ?`,
  );
  const pathsOf = listPaths(sql);

  return {
    attemptsOf: ((campaignId, phone) => {
      const paths = pathsOf(campaignId);
      return selectOfLead(campaignId, phone).map((cells) => toRow(cells, paths));
    }) satisfies Methods['attemptsOf'],
    bySeq: (campaignId: string, seqs: readonly number[]): ExportRow[] => {
      const paths = pathsOf(campaignId);
      return seqs.flatMap((seq) => selectBySeq(seq).map((cells) => toRow(cells, paths)));
    },
  };
}

/** Reads rows after the position `after`; `last` is the position of the last row that was read. */
type ReadPage = (
  campaignId: string,
  after: number,
  limit: number,
  paths: ReadonlyMap<number, string>,
) => { rows: ExportRow[]; last: number };

/** Reads attempts in a second statement, and only if a lead has any: most leads of a long list have none. */
function leadPages(sql: Sql, detail: ExportDetail, lead: string): ReadPage {
  // `+ 0`: see claim/intents.ts.
  const selectLeads = sql.values<[campaignId: string, after: number, limit: number], string>(
    `SELECT ${lead} FROM leads
       WHERE leads.campaign_id = ? AND leads.position > ? ORDER BY leads.position LIMIT ? + 0`,
  );
  const selectAttempts = sql.tuples<[string, after: number, last: number], AttemptCells<number>>(
    `SELECT leads.position, ${attemptColumns(detail, 'lead')} FROM leads CROSS JOIN ${BEST_ATTEMPT}
       WHERE leads.spent > 0 AND leads.campaign_id = ? AND leads.position > ? AND leads.position <= ?
       ORDER BY leads.position`,
  );

  return (campaignId, after, limit, paths) => {
    const rows = selectLeads(campaignId, after, limit).map((text) => readLead(text, paths));
    const places = rows.map(({ cursor }) => positionOf(cursor));
    const last = places.at(-1) ?? after;
    if (!rows.some(({ attempts }) => attempts > 0)) return { rows, last };
    let at = 0;
    for (const attempt of selectAttempts(campaignId, after, last)) {
      // Leads and attempts come in the same order, that of the list.
      while (at < rows.length && places[at] !== attempt[0]) at += 1;
      const found = rows[at];
      if (found !== undefined) fillAttempt(found, attempt);
    }
    return { rows, last };
  };
}

function attemptPages(sql: Sql, detail: ExportDetail, lead: string): ReadPage {
  const select = sql.tuples<[string, after: number, limit: number], AttemptCells<string>>(
    `SELECT ${lead}, ${attemptColumns(detail, 'attempt')} ${FROM_ATTEMPTS}
       WHERE last.campaign_id = ? AND last.seq > ? ORDER BY last.seq LIMIT ? + 0`,
  );

  return (campaignId, after, limit, paths) => {
    const rows = select(campaignId, after, limit).map((cells) => toRow(cells, paths));
    const last = rows.at(-1)?.attempt?.id;
    return { rows, last: last === undefined ? after : seqOf(last) };
  };
}

function toRow(cells: AttemptCells<string>, paths: ReadonlyMap<number, string>): ExportRow {
  const row = readLead(cells[0], paths);
  fillAttempt(row, cells);
  return row;
}

/** The paths of a campaign's lists by number: a join would look one up for each of a million rows. */
function listPaths(sql: Sql): (campaignId: string) => ReadonlyMap<number, string> {
  const select = sql.tuples<[campaignId: string], [number, string]>(
    'SELECT number, path FROM lists WHERE campaign_id = ?',
  );
  return (campaignId) => new Map(select(campaignId));
}

/**
 * Reads a campaign in one read transaction, on a connection of its own: other writes go on meanwhile, and the
 * write-ahead log grows until the transaction has ended.
 */
export async function readSnapshot<T>(
  { openToRead, failures }: Pick<Engine, 'openToRead' | 'failures'>,
  campaignId: string,
  use: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  const db = openToRead();
  const sql = sqlOf(db);
  // Only errors of these reads are explained: an error of `use` is not a failure of the database.
  async function* pages(query: ExportQuery) {
    try {
      yield* exportPages(sql, campaignId, query);
    } catch (error) {
      throw failures.explain(error);
    }
  }
  function begin() {
    try {
      sql.run('BEGIN')();
      const campaigns = campaignTable(sql).reads.listCampaigns();
      const campaign = campaigns.find(({ id }) => id === campaignId);
      if (campaign === undefined) throw new Error(`no campaign has the id ${campaignId}`);
      return { campaign, lists: leadTable(sql).reads.lists(campaignId) };
    } catch (error) {
      throw failures.explain(error);
    }
  }
  try {
    return await use({ ...begin(), pages });
  } finally {
    db.close();
  }
}
