import { csvCell, spreadsheetCell } from '../domain/csv.ts';
import { cellOf, type ResultFormat } from './format.ts';
import type { ResultRow } from './rows.ts';

/** What a spreadsheet keeps of a cell, in UTF-16 units; the rest would be lost without a word. */
const LONGEST_CELL = 32_767;
const CUT = ' … [cut: a spreadsheet holds no more; the whole text is in the jsonl export]';

/**
 * RFC 4180 in UTF-8: comma, CRLF, quotes where needed; cells that a spreadsheet would run as a formula have a
 * `'` before them. A list's own column that is named like one of ours is kept; ours come after it.
 */
export const csvFormat: ResultFormat = lines('', csvCell);

/**
 * The same for a double click in Excel or LibreOffice: a byte order mark, cells cut with a mark where a
 * spreadsheet would cut them, and a `'` also before numbers that it would change (a plus, zeros in front,
 * more than eleven digits).
 */
export const excelFormat: ResultFormat = lines('\ufeff', (text) => spreadsheetCell(capped(text)));

/** @param before the first line */
function lines(before: string, toCell: (text: string) => string): ResultFormat {
  return {
    detail: 'columns',
    begin: async (columns, sink) => {
      const names = columns.map(({ name }) => toCell(name));
      await sink(`${before}${names.join(',')}\r\n`);
      // A third of the columns says the same in nearly every row (campaign, agent, zone): a million times.
      const last = columns.map((column, i) => {
        const before = i === 0 ? '' : ',';
        return { column, before, value: null as string | number | null, cell: before };
      });
      const toLine = (row: ResultRow): string => {
        let line = '';
        for (const known of last) {
          const value = cellOf(known.column, row);
          if (value !== known.value) {
            known.value = value;
            known.cell = known.before + (value === null ? '' : toCell(String(value)));
          }
          line += known.cell;
        }
        return `${line}\r\n`;
      };
      return {
        add: (rows) => {
          let text = '';
          for (const row of rows) text += toLine(row);
          return sink(text);
        },
        end: async () => undefined,
      };
    },
  };
}

/** Cut to what fits with the mark and a guard; never between the halves of a character. */
export function capped(text: string): string {
  // One less, as a guard may come before it.
  if (text.length < LONGEST_CELL) return text;
  const end = LONGEST_CELL - 1 - CUT.length;
  const isSplit = /[\ud800-\udbff]/.test(text.charAt(end - 1));
  return text.slice(0, isSplit ? end - 1 : end) + CUT;
}
