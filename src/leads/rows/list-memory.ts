import type { E164 } from '../../domain/phone.ts';
import { ColumnStyles } from '../phone/column-styles.ts';
import { rowSize, type CsvRow } from '../read/row.ts';
import type { CellCounts } from './row-counts.ts';

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

  /** Keeps the number of a person who must not be called. */
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

/** Maximum load factor: with more entries, finding one takes too many probes. */
const FULL = 0.8;

/** Load factor at the expected size, below the maximum: the number of rows is an estimate. */
const EXPECTED_FULL = 0.75;

/**
 * A hash table from phone number to line, for millions of numbers: E.164 has at most 15 digits, which fit a double, so
 * that an entry takes 15 to 30 bytes where a `Map` of strings takes about 130. With a `Map` the import of a million
 * rows takes 249 MB at its peak instead of 194 MB.
 */
export class PhoneTable {
  /** 0 is an empty slot. */
  #keys: Float64Array;
  #lines: Uint32Array;
  #size = 0;

  /** @param expected about how many numbers will come, so that the table need not grow; default: unknown */
  constructor(expected = 0) {
    // Not rounded up to a power of two, which may take twice the memory.
    const places = Math.max(1_024, Math.ceil(expected / EXPECTED_FULL));
    this.#keys = new Float64Array(places);
    this.#lines = new Uint32Array(places);
  }

  get size(): number {
    return this.#size;
  }

  /** Keeps the first line of a number. @returns the line on which the number was seen before, or undefined */
  add(phone: E164, line: number): number | undefined {
    const key = Number(phone);
    const at = placeOf(this.#keys, key);
    if (this.#keys[at] === key) return this.#lines[at];
    this.#keys[at] = key;
    this.#lines[at] = line;
    this.#size += 1;
    if (this.#size > this.#keys.length * FULL) this.#grow();
    return undefined;
  }

  has(phone: string): boolean {
    return this.lineOf(phone) !== undefined;
  }

  lineOf(phone: string): number | undefined {
    const key = Number(phone);
    const at = placeOf(this.#keys, key);
    return this.#keys[at] === key ? this.#lines[at] : undefined;
  }

  /** All numbers, in no particular order. */
  *[Symbol.iterator](): Generator<E164> {
    for (const key of this.#keys) if (key !== 0) yield `+${key}` as E164;
  }

  #grow(): void {
    const keys = new Float64Array(this.#keys.length * 2);
    const lines = new Uint32Array(keys.length);
    for (const [index, key] of this.#keys.entries()) {
      if (key === 0) continue;
      const at = placeOf(keys, key);
      keys[at] = key;
      lines[at] = this.#lines[index] ?? 0;
    }
    this.#keys = keys;
    this.#lines = lines;
  }
}

/** The slot of a key, or the free one where it would go (linear probing); the table is never full. */
function placeOf(keys: Float64Array, key: number): number {
  const places = keys.length;
  const mixed = Math.imul((key % 0x1_0000_0000) ^ Math.floor(key / 0x1_0000_0000), 0x9e3779b1);
  // Scales the 32-bit hash to the number of slots, which need not be a power of two.
  let at = Math.floor(((mixed ^ (mixed >>> 15)) >>> 0) * (places / 0x1_0000_0000));
  while (keys[at] !== 0 && keys[at] !== key) {
    at += 1;
    if (at === places) at = 0;
  }
  return at;
}
