import type { E164 } from '../../domain/phone.ts';
import { ColumnStyles } from '../phone/column-styles.ts';
import { PhoneTable } from './phone-table.ts';
import { rowSize, type CsvRow } from '../read/row.ts';

/**
 * So many rows are kept, some 20 MB; a longer list, or one of very large rows, is read again. Without this the import
 * of a workbook of 40,000 rows takes 25 % more processor time (3.5 s instead of 2.8 s); that of a CSV file does not.
 */
const MOST_REMEMBERED = 50_000;
const MOST_BYTES = 50_000_000;

/** So much room for numbers is made at once, 50 MB; for more it is made as they come. */
const MOST_EXPECTED = 3_000_000;

/** What was found out about a list while it was surveyed, so that its import need not find it out again. */
export class ListMemory {
  /** The rows, names first, of a list that is not too long; null: it is read from the file again. */
  rows: CsvRow[] | null = [];
  /** How its columns write numbers without `+`. */
  styles = new ColumnStyles();
  /** The line on which each number was seen first. */
  firstLines = new PhoneTable();
  /** Of these, who asked not to be called. */
  asked = new PhoneTable();
  #readAs = '';
  #expected = 0;
  #bytes = 0;

  /** @param readAs the options under which rows are judged; others begin anew */
  begin(readAs: string): void {
    if (readAs === this.#readAs) return;
    this.#readAs = readAs;
    this.firstLines = new PhoneTable(this.#expected);
    this.asked = new PhoneTable();
  }

  /** The number of a row that says that it is not to be called. */
  keepAsked(phone: E164, line: number): void {
    this.firstLines.add(phone, line);
    this.asked.add(phone, line);
  }

  /** @param total of all rows, as far as it is known; a list that will be too long is not begun with */
  remember(rows: readonly CsvRow[], total: number): void {
    this.#expected = Math.min(total, MOST_EXPECTED);
    if (this.rows === null) return;
    for (const row of rows) this.#bytes += rowSize(row);
    const isLong = Math.max(this.rows.length + rows.length, total) > MOST_REMEMBERED;
    if (isLong || this.#bytes > MOST_BYTES) this.rows = null;
    else for (const row of rows) this.rows.push(row);
  }

  /** Nobody reads the list a further time; what numbers it has stays known. */
  forget(): void {
    this.rows = null;
  }
}
