import type { LeadResult, LeadState, ResultSource } from '../domain/lead.ts';
import { personIn } from '../domain/lists/person.ts';
import type { Campaign, ExportRow, List } from '../store/port.ts';
import { zonedTime } from '../text/times.ts';

/** One lead, or one attempt, to be exported: `columns.ts` computes the value of each column from this row. */
export interface ResultRow extends End {
  /** The lead's cells under the list's own headers. */
  own: string[];
  stored: ExportRow;
  campaign: Campaign;
  /** Epoch ms as ISO 8601 in the campaign's zone; null where there is none. */
  time: (ms: number | null | undefined) => string | null;
}

/** Returns a function that makes the result row of a stored lead and its cells, in the order of `ownColumns`. */
export function resultRows(campaign: Campaign): (row: ExportRow, own: string[]) => ResultRow {
  const toText = zonedTime(campaign.settings.timezone);
  const time = (ms: number | null | undefined) => (ms == null ? null : toText(ms));
  return (stored, own) => ({ ...endOf(stored, campaign), own, stored, campaign, time });
}

/** The result of a single attempt; null while the attempt is open, and for an attempt that led to no call. */
export function resultOf({ state, result }: NonNullable<ExportRow['attempt']>): LeadResult | null {
  if (state === 'rejected' || state === 'unconfirmed' || state === 'no_result') return state;
  return state === 'settled' ? result : null;
}

interface End {
  state: LeadState;
  result: LeadResult | null;
  source: ResultSource | null;
  reason: string | null;
}

/** The end of a lead. A waiting lead of a cancelled campaign counts as cancelled, as `cancel` does not update leads. */
export function endOf(row: ExportRow, campaign: Campaign): End {
  if (campaign.state === 'cancelled' && row.state === 'waiting') {
    const again = row.attempts > 0 ? ' again' : '';
    const reason = `the campaign was cancelled before this person was called${again}`;
    return { state: 'done', result: 'cancelled', source: 'callsheet', reason };
  }
  const { state, result, resultSource: source } = row;
  return { state, result, source, reason: reasonOf(row) };
}

/** A lead whose attempt is `unknown` has no reason of its own yet, so the reason is made from the attempt. */
function reasonOf({ reason, attempt }: ExportRow): string | null {
  if (attempt?.state !== 'unknown') return reason;
  const why = attempt.detail === null ? '' : ` (${attempt.detail})`;
  return `the call was requested and the answer was lost${why}: it may have taken place, and is not repeated`;
}

/**
 * The name of the person of a row, from the columns that the import of the list recognised; null where there is none.
 *
 * @param list the list of the row; undefined for a single call
 */
export function nameIn(
  list: Pick<List, 'mapping'> | undefined,
  cells: readonly string[],
): string | null {
  const { fullName = '' } = personIn(list?.mapping ?? { fields: {} }, cells);
  return fullName === '' ? null : fullName;
}

/**
 * The lists' own columns, as one set for all lists of a campaign: their union, in order of first appearance. A header
 * that a list has twice gives two columns; the second is merged with the second column of that header in other lists.
 */
export function ownColumns(lists: readonly List[]) {
  const headers: string[] = [];
  const places = new Map<string, number>();
  const byList = new Map<number, number[]>();
  for (const list of lists) {
    const seen = new Map<string, number>();
    const own = [...list.headers, ...list.added.map(({ header }) => header)];
    const indexes = own.map((header) => {
      const nth = (seen.get(header) ?? 0) + 1;
      seen.set(header, nth);
      const key = `${nth} ${header}`;
      const known = places.get(key);
      if (known !== undefined) return known;
      places.set(key, headers.length);
      return headers.push(header) - 1;
    });
    byList.set(list.number, indexes);
  }
  // In a campaign with one list, the cells of every row are already in the order of `headers`.
  const isInOrder = (cells: readonly string[]) =>
    lists.length === 1 && cells.length === headers.length;

  return {
    /** The headers as written: those of the first list, then those that later lists add. */
    headers,
    /** The lead's cells in the order of `headers`; the lead must come from one of `lists`. */
    cellsOf: ({ cursor, cells }: Pick<ExportRow, 'cursor' | 'cells'>): string[] => {
      if (isInOrder(cells)) return cells;
      const own = new Array<string>(headers.length).fill('');
      for (const [i, index] of (byList.get(cursor.list) ?? []).entries())
        own[index] = cells[i] ?? '';
      return own;
    },
  };
}
