import type { CountryCode } from 'libphonenumber-js/max';
import type { NumberPolicy } from '../../domain/campaign.ts';
import type { E164 } from '../../domain/phone.ts';
import { callAnswers } from '../columns/permission-answers.ts';
import type { ListLayout } from '../columns/layout.ts';
import { countryNamed } from '../phone/countries.ts';
import { padded, type CsvRow } from '../read/row.ts';
import { everyNumber } from '../phone/every-number.ts';
import { isFictional } from '../phone/fictional.ts';
import { labelForbids } from '../columns/label-columns.ts';
import type { ListRow, RejectedRow, RowNote } from './list-row.ts';
import { parsePhone, type ParsedPhone } from '../phone/parse-phone.ts';
import { refusal } from '../phone/phone-refusal.ts';
import { rowRefusal, type Refusal } from './row-refusal.ts';
import type { ListMemory } from './list-memory.ts';
import { fewCells, listAlignment, isRejects, rejectMisaligned } from './misaligned-rows.ts';

/** What decides which numbers of a list are taken. */
export interface NumberOptions {
  /** ISO 3166 country of numbers without `+`; null: such rows are rejected, never guessed. */
  country: string | null;
  /** Default: see `NumberPolicy`. */
  policy?: NumberPolicy | undefined;
  /** True: rejects numbers of ranges kept for fiction, as is required with a live service. Default false. */
  refuseFictional?: boolean;
}

/** `NumberOptions` whose country was checked. */
export type RowOptions = Omit<NumberOptions, 'country'> & { country: CountryCode | null };

/** The layout of a list, known once its first rows are read, and the memory of its rows and numbers. */
export type ListColumns = ListLayout & { memory: ListMemory };

/**
 * Decides what becomes of each row: good, rejected, duplicate or suppressed. Rows have to come in the order of the
 * list. The list's memory keeps the numbers that were seen, so that the second row with a number is a duplicate.
 */
export function rowJudge(list: ListColumns, options: RowOptions): (row: CsvRow) => ListRow {
  const { mapping, headers, shape, memory } = list;
  const { country, refuseFictional = false, policy } = options;
  memory.begin(JSON.stringify({ country, refuseFictional, policy }));
  const { firstLines } = memory;
  const answerOf = callAnswers(mapping);
  const fitOf = listAlignment(list);
  // In a rejects file that is imported, a row with U+FFFD in it is rejected until somebody has corrected the text.
  const isAgain = isRejects(headers);
  const labels = new Map((mapping.labels ?? []).map(({ phone, label }) => [phone, label]));

  return function judge({ line, cells: written, damagedAt }): ListRow {
    const fit = fitOf(written);
    if (typeof fit === 'object')
      return rejectMisaligned(list, country, { line, cells: written }, fit);
    const cells = padded(written, headers.length);
    const notes = fit === 'few' ? [fewCells(line, written.length, shape.columns)] : [];
    const isDamaged = damagedAt !== undefined || (isAgain && isStillDamaged(cells));
    const found = isDamaged
      ? rowRefusal('damaged_text', cells.find(hasDamage) ?? '', damagedAt)
      : findNumber(cells);
    const asked = answerOf(cells);
    if ('code' in found) {
      const rejected = { kind: 'rejected', line, cells, notes, refusal: found } as const;
      return asked?.says === 'no' ? withItsWish(rejected, asked.column) : rejected;
    }
    const { phone } = found.parsed;
    if (asked !== undefined) {
      const { says, column } = asked;
      const code = says === 'no' ? 'do_not_call' : 'unclear_consent';
      const why = rowRefusal(code, phone, headers[column] ?? '', cells[column] ?? '');
      if (says === 'unclear') return { kind: 'rejected', line, cells, notes, refusal: why };
      memory.keepAsked(phone, line);
      const others = allNumbers(cells).filter((other) => other !== phone);
      return { kind: 'suppressed', line, cells, notes, phones: [phone, ...others], refusal: why };
    }
    const firstLine = firstLines.add(phone, line);
    if (firstLine !== undefined && firstLine !== line) {
      const why = rowRefusal('duplicate_in_list', phone, firstLine);
      return { kind: 'duplicate', line, cells, notes, refusal: why };
    }
    noteNumber(notes, line, cells, found);
    return { kind: 'good', line, cells, notes, phone, fictional: found.fictional };
  };

  /** The column `reason` of a rejects file quotes the damaged cell, so U+FFFD in that column does not count. */
  function isStillDamaged(cells: string[]): boolean {
    return cells.some((cell, at) => hasDamage(cell) && headers[at] !== 'reason');
  }

  /** The first number that can be called, in the order of the columns; else the refusal of the first filled cell. */
  function findNumber(cells: string[]): Found | Refusal {
    let refused: Refusal | undefined;
    for (const index of mapping.phones) {
      const cell = cells[index] ?? '';
      if (cell.trim() === '') continue;
      const label = cells[labels.get(index) ?? -1] ?? '';
      if (labelForbids(label)) {
        refused ??= rowRefusal('not_their_number', cell, label);
        continue;
      }
      const parsed = parseIn(cells, index);
      const fictional = parsed.ok && isFictional(parsed.phone);
      if (parsed.ok && !(fictional && refuseFictional)) return { parsed, index, fictional };
      refused ??= parsed.ok ? refusal('fictional_number', cell) : parsed.refusal;
    }
    return refused ?? refusal('phone_missing', '');
  }

  /** Every number that the row may mean: a person who asked not to be called is suppressed at all of these numbers. */
  function allNumbers(cells: string[]): E164[] {
    const said = countryIn(cells);
    const home = said === '' ? options.country : (countryNamed(said) ?? options.country);
    // The do-not-call column may hold a number itself: `DNC Phone`.
    const columns = [...mapping.phones, ...mapping.doNotCall];
    return [...new Set(columns.flatMap((index) => everyNumber(cells[index] ?? '', home)))];
  }

  /** Adds numbers to suppress to a rejected row that asks not to be called, or a note where no number can be read. */
  function withItsWish(row: RejectedRow, asked: number): RejectedRow {
    const { line, cells, notes, refusal } = row;
    const [phone, ...others] = allNumbers(cells);
    const header = headers[asked] ?? '';
    if (phone === undefined) {
      if (refusal.code === 'phone_missing') return row;
      const text = `line ${line}: asked not to be called ("${header}"), and nobody is suppressed by it: ${refusal.text}`;
      notes.push({ code: 'nobody_suppressed', text });
      return row;
    }
    const why = rowRefusal('do_not_call', phone, header, cells[asked] ?? '');
    return { ...row, doNotCall: { note: why.text, phones: [phone, ...others] } };
  }

  /** The row's own country comes before the operator's, also where it is unknown: then no country is assumed. */
  function parseIn(cells: string[], index: number): ParsedPhone {
    const cell = cells[index] ?? '';
    const said = countryIn(cells);
    if (said === '') return parseAs(cell, options.country, index);
    const parsed = parseAs(cell, countryNamed(said) ?? null, index);
    const isUnknown = !parsed.ok && parsed.refusal.code === 'no_country';
    return isUnknown ? { ok: false, refusal: refusal('unknown_country', cell, said) } : parsed;
  }

  function countryIn(cells: string[]): string {
    const { country: column } = mapping.fields;
    return column === undefined ? '' : (cells[column] ?? '').trim();
  }

  /** Reads a number in the style of its column, which is learned from the cells that are not ambiguous. */
  function parseAs(cell: string, country: CountryCode | null, index: number): ParsedPhone {
    if (country === null) return parsePhone(cell, null, policy);
    const { styles } = memory;
    const parsed = parsePhone(cell, country, policy, styles.of(index, country));
    if (parsed.ok) styles.see(index, country, cell, parsed.phone);
    else if (parsed.refusal.code === 'ambiguous_number') styles.doubt(index, country);
    return parsed;
  }

  function noteNumber(notes: RowNote[], line: number, cells: string[], found: Found): void {
    const { parsed, index } = found;
    const { phone, assigned, mended } = parsed;
    const cell = cells[index] ?? '';
    const first = mapping.phones[0] ?? 0;
    if (index !== first) {
      const from = `line ${line}: ${phone} of column "${headers[index] ?? ''}"`;
      const text = `${from}, as "${headers[first] ?? ''}" has no number that can be called`;
      notes.push({ code: 'other_column', text });
    }
    if (mended !== null) {
      const text = `line ${line}: "${cell.trim()}" as ${phone} (${mended})`;
      notes.push({ code: 'mended_number', text });
    }
    if (!assigned) {
      const text = `${phone} is in a range not known to be in use`;
      notes.push({ code: 'unassigned_number', text });
    }
  }
}

function hasDamage(cell: string): boolean {
  return cell.includes('\ufffd');
}

interface Found {
  parsed: Extract<ParsedPhone, { ok: true }>;
  index: number;
  fictional: boolean;
}
