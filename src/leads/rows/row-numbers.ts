import type { CountryCode } from 'libphonenumber-js/max';

import type { CallingPolicy } from '../../domain/calling/policy.ts';
import type { NumberPolicy } from '../../domain/campaign.ts';
import type { E164 } from '../../domain/phone.ts';
import type { ListLayout } from '../columns/layout.ts';
import { labelForbids } from '../columns/row-shape.ts';
import { ColumnStyles, hasPlus } from '../phone/column-styles.ts';
import { countryNamed } from '../phone/countries.ts';
import { everyNumber } from '../phone/every-number.ts';
import { isFictional, parsePhone, type ParsedPhone } from '../phone/parse-phone.ts';
import { refusal } from '../phone/phone-refusal.ts';
import { rowSize, type CsvRow } from '../read/row.ts';
import { countriesOfState } from '../zones/postal-codes.ts';
import type { CellCounts } from './list-row.ts';
import { rowRefusal, type Refusal } from './row-person.ts';

export interface NumberOptions {
  /** ISO 3166 country of numbers without `+`; null: such rows are rejected, never guessed. */
  country: string | null;
  /** Default: see `NumberPolicy`. */
  policy?: NumberPolicy | undefined;
  /** True: rejects numbers of ranges kept for fiction, as is required with a live service. Default false. */
  refuseFictional?: boolean;
  /** The moment by which days in cells are past, epoch ms. Default: no day is. */
  now?: number | undefined;
  /** What limits the campaign's calls: a consent may be too old for it. Default: nothing does. */
  calling?: CallingPolicy | undefined;
}

/** `NumberOptions` whose country was checked. */
export type RowOptions = Omit<NumberOptions, 'country'> & { country: CountryCode | null };

/** The layout of a list, known once its first rows are read, and the memory of its rows and numbers. */
export type ListColumns = ListLayout & { memory: ListMemory };

/** A number of a row that can be called. */
export interface Found {
  parsed: Extract<ParsedPhone, { ok: true }>;
  index: number;
  fictional: boolean;
}

/** Cells of a row, each up to 60 µs: a row of 500 that are no numbers is rejected. */
const MOST_TRIED = 500;

export function rowNumbers({ mapping, memory }: ListColumns, options: RowOptions) {
  const { refuseFictional = false, policy } = options;
  const labels = new Map((mapping.labels ?? []).map(({ phone, label }) => [phone, label]));

  /** The first number that can be called, in the order of the columns; else the refusal of the first filled cell. */
  function first(cells: string[]): Found | Refusal {
    let refused: Refusal | undefined;
    let tried = 0;
    for (const index of mapping.phones) {
      const found = tried < MOST_TRIED ? numberIn(cells, index) : undefined;
      if (found === undefined) continue;
      if ('parsed' in found) return found;
      refused ??= found;
      tried += 1;
    }
    return refused ?? refusal('phone_missing', '');
  }

  /** Further numbers of the person that can be called, in the order of the columns. */
  function further(cells: string[], { parsed, index: at }: Found): E164[] {
    const columns = mapping.phones.slice(mapping.phones.indexOf(at) + 1);
    if (columns.length === 0) return NONE;
    const phones = new Set<E164>();
    for (const index of columns) {
      const found = numberIn(cells, index);
      if (found !== undefined && 'parsed' in found) phones.add(found.parsed.phone);
    }
    phones.delete(parsed.phone);
    return [...phones];
  }

  /** Every number that the row may mean: a person who asked not to be called is suppressed at all of these numbers. */
  function all(cells: string[]): E164[] {
    const { home, states } = homesOf(cells);
    // The do-not-call column may hold a number itself: `DNC Phone`.
    const columns = [...mapping.phones, ...mapping.doNotCall];
    const homes = new Set([home ?? options.country, ...states]);
    const read = (index: number) =>
      [...homes].flatMap((country) => everyNumber(cells[index] ?? '', country));
    return [...new Set(columns.flatMap(read))];
  }

  /** The number of a column, why it cannot be called, or undefined where the cell is empty. */
  function numberIn(cells: string[], index: number): Found | Refusal | undefined {
    const cell = cells[index] ?? '';
    if (cell.trim() === '') return undefined;
    const label = cells[labels.get(index) ?? -1] ?? '';
    if (labelForbids(label)) return rowRefusal('not_their_number', cell, label);
    const parsed = parseIn(cells, index);
    if (!parsed.ok) return parsed.refusal;
    const fictional = isFictional(parsed.phone);
    if (fictional && refuseFictional) return refusal('fictional_number', cell);
    return { parsed, index, fictional };
  }

  /**
   * The row's own country comes before the operator's, also where it is unknown: then no country is assumed for a
   * number without `+`. One with `+` must not be a number without country code of any place that the row may be of.
   */
  function parseIn(cells: string[], index: number): ParsedPhone {
    const cell = cells[index] ?? '';
    const { said, home, states } = homesOf(cells);
    if (!hasPlus(cell)) {
      const parsed = parseAs(cell, home, index);
      const isUnknown = said !== '' && !parsed.ok && parsed.refusal.code === 'no_country';
      return isUnknown ? { ok: false, refusal: refusal('unknown_country', cell, said) } : parsed;
    }
    const country = home ?? options.country;
    for (const other of states) {
      const parsed = other === country ? undefined : parseAs(cell, other, index, true);
      if (parsed?.ok === false && parsed.plus !== undefined) return parsed;
    }
    const isSaid = country !== null && (states.includes(country) || (said !== '' && home !== null));
    return parseAs(cell, country, index, isSaid);
  }

  /** The country that the row is of, as its cell says it; where that says nothing, also those of its state. */
  function homesOf(cells: string[]) {
    const { country, state } = mapping.fields;
    const said = country === undefined ? '' : (cells[country] ?? '').trim();
    const home = said === '' ? options.country : (countryNamed(said) ?? null);
    const states = said === '' && state !== undefined ? countriesOfState(cells[state] ?? '') : [];
    return { said, home, states };
  }

  /** Reads a number in the style of its column, which is learned from the cells that are not ambiguous. */
  function parseAs(
    cell: string,
    country: CountryCode | null,
    index: number,
    isSaid = false,
  ): ParsedPhone {
    if (country === null) return parsePhone(cell, null, policy);
    const { styles } = memory;
    const parsed = parsePhone(cell, country, policy, styles.of(index, country, cell), isSaid);
    styles.see(index, country, cell, parsed);
    return parsed;
  }

  return { first, further, all };
}

const NONE: E164[] = [];

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
    if (this.#size === 0) return undefined;
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
