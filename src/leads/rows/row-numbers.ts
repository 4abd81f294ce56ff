import type { CountryCode } from 'libphonenumber-js/max';
import type { CallingPolicy } from '../../domain/calling/policy.ts';
import type { NumberPolicy } from '../../domain/campaign.ts';
import type { E164 } from '../../domain/phone.ts';
import { labelForbids } from '../columns/row-shape.ts';
import type { ListLayout } from '../columns/layout.ts';
import { hasPlus } from '../phone/column-styles.ts';
import { countryNamed } from '../phone/countries.ts';
import { everyNumber } from '../phone/every-number.ts';
import { isFictional, parsePhone, type ParsedPhone } from '../phone/parse-phone.ts';
import { refusal } from '../phone/phone-refusal.ts';
import { countriesOfState } from '../zones/postal-codes.ts';
import type { ListMemory } from './list-memory.ts';
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

export function rowNumbers({ mapping, memory }: ListColumns, options: RowOptions) {
  const { refuseFictional = false, policy } = options;
  const labels = new Map((mapping.labels ?? []).map(({ phone, label }) => [phone, label]));

  /** The first number that can be called, in the order of the columns; else the refusal of the first filled cell. */
  function first(cells: string[]): Found | Refusal {
    let refused: Refusal | undefined;
    for (const index of mapping.phones) {
      const found = numberIn(cells, index);
      if (found === undefined) continue;
      if ('parsed' in found) return found;
      refused ??= found;
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
