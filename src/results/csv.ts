import { csvLine } from '../domain/csv.ts';
import { CALL_COLUMNS } from './columns.ts';
import type { ResultFormat } from './rows.ts';

/**
 * RFC 4180 in UTF-8: comma, CRLF, quotes where needed; cells that a spreadsheet would run as a formula have a
 * `'` before them. A list's own column that is named like one of ours is kept; ours come after it.
 */
export const csvFormat: ResultFormat = (headers) => ({
  head: csvLine([...headers, ...CALL_COLUMNS]),
  detail: 'columns',
  row: ({ own, call }) => csvLine([...own, ...CALL_COLUMNS.map((name) => toText(call[name]))]),
});

function toText(value: string | number | null): string {
  return value === null ? '' : String(value);
}
