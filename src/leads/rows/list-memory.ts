import type { E164 } from '../../domain/phone.ts';
import { ColumnStyles } from '../phone/column-styles.ts';
import type { CellCounts } from './cell-counts.ts';
import { PhoneTable } from './phone-table.ts';
import { rowSize, type CsvRow } from '../read/row.ts';

/**
 * The most rows that are kept, about 20 MB; a longer list, or one of very large rows, is read again. Without this
 * memory the import of a workbook of 40,000 rows takes 25 % more processor time (3.5 s instead of 2.8 s); that of a CSV
 * file takes no more.
 */
const MOST_REMEMBERED = 50_000;
const MOST_BYTES = 50_000_000;

/** The most numbers for which room is allocated in advance (50 MB); for more, the table grows as the numbers come. */
const MOST_EXPECTED = 3_000_000;

/** What the survey found out about a list, kept so that the import need not do the same work again. */
export class ListMemory {
  /** The rows, header row first, of a list that is not too long; null: the rows are read from the file again. */
  rows: CsvRow[] | null = [];
  /** How its columns write numbers without `+`. */
  styles = new ColumnStyles();
  /** The line on which each number was seen first. */
  firstLines = new PhoneTable();
  /** The numbers in `firstLines` of people who asked not to be called. */
  asked = new PhoneTable();
  /** Numbers of rows that were held back, as it is not clear whether they may be called. */
  held = new PhoneTable();
  /** What its cells hold; undefined until the rows are judged. */
  cells: CellCounts | undefined;
  #readAs = '';
  #expected = 0;
  #bytes = 0;

  /** @param readAs the options under which rows are judged; when they change, the numbers seen so far are forgotten */
  begin(readAs: string): void {
    if (readAs === this.#readAs) return;
    this.#readAs = readAs;
    this.firstLines = new PhoneTable(this.#expected);
    this.asked = new PhoneTable();
    this.held = new PhoneTable();
  }

  /** Keeps the number of a row that says that the person must not be called. */
  keepAsked(phone: E164, line: number): void {
    this.firstLines.add(phone, line);
    this.asked.add(phone, line);
  }

  /** @param total the estimated number of all rows; if it is above the limit, no rows are kept */
  remember(rows: readonly CsvRow[], total: number): void {
    this.#expected = Math.min(total, MOST_EXPECTED);
    if (this.rows === null) return;
    for (const row of rows) this.#bytes += rowSize(row);
    const isLong = Math.max(this.rows.length + rows.length, total) > MOST_REMEMBERED;
    if (isLong || this.#bytes > MOST_BYTES) this.rows = null;
    else for (const row of rows) this.rows.push(row);
  }

  /** Frees the rows, as the list is not read again; its numbers are kept. */
  forget(): void {
    this.rows = null;
  }
}
