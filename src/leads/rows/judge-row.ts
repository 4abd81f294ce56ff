import type { CountryCode } from 'libphonenumber-js/max';
import type { NumberPolicy } from '../../domain/campaign.ts';
import type { ListMapping } from '../../domain/lists/list-mapping.ts';
import type { E164 } from '../../domain/phone.ts';
import { callAnswers } from '../columns/call-answers.ts';
import { countryNamed } from '../phone/countries.ts';
import type { CsvRow } from '../read/csv-rows.ts';
import { everyNumber } from '../phone/every-number.ts';
import { isFictional } from '../phone/fictional.ts';
import { labelForbids } from '../columns/label-columns.ts';
import type { ListRow, RowNote } from './list-row.ts';
import { parsePhone, type ParsedPhone } from '../phone/parse-phone.ts';
import {
  damagedText,
  doNotCall,
  duplicateInList,
  notTheirNumber,
  refusal,
  unclearConsent,
  unknownCountry,
  type Refusal,
} from './refusal.ts';
import type { ListMemory } from './list-memory.ts';
import { fewCells, fitterOf, isRejects, rejectedMisfit } from './misfits.ts';
import type { RowShape } from './row-shape.ts';

export interface RowOptions {
  /** The country of numbers without `+`; null: such rows are rejected, never guessed. */
  country: CountryCode | null;
  /** Rejects numbers of ranges kept for fiction, as a live service needs it. */
  refuseFictional: boolean;
  /** Default: see `NumberPolicy`. */
  policy?: NumberPolicy | undefined;
}

/** What is known of a list once its first rows are read. */
export interface JudgedList {
  headers: readonly string[];
  shape: RowShape;
  mapping: ListMapping;
  memory: ListMemory;
}

/**
 * Says of each row of a list, in its order, what becomes of it. Its memory keeps the
 * numbers that were seen, so that a second one is a duplicate.
 */
export function rowJudge(list: JudgedList, options: RowOptions): (row: CsvRow) => ListRow {
  const { mapping, headers, shape, memory } = list;
  const { country, refuseFictional, policy } = options;
  memory.begin(JSON.stringify({ country, refuseFictional, policy }));
  const { firstLines } = memory;
  const answerOf = callAnswers(mapping);
  const fitOf = fitterOf(list);
  // What was refused for a letter that cannot be read is refused until somebody has written it anew.
  const isAgain = isRejects(headers);
  const labels = new Map((mapping.labels ?? []).map(({ phone, label }) => [phone, label]));

  return function judge({ line, cells: written, damagedAt }): ListRow {
    const fit = fitOf(written);
    if (typeof fit === 'object')
      return rejectedMisfit(list, country, { line, cells: written }, fit);
    const cells = filledUp(written, headers.length);
    const notes = fit === 'few' ? [fewCells(line, written.length, shape.columns)] : [];
    const isDamaged = damagedAt !== undefined || (isAgain && isStillDamaged(cells));
    const found = isDamaged ? damaged(cells, damagedAt) : findNumber(cells);
    const asked = answerOf(cells);
    if (!found.ok) {
      const rejected = { kind: 'rejected', line, cells, notes, refusal: found.refusal } as const;
      return asked?.says === 'no' ? withItsWish(rejected, asked.column) : rejected;
    }
    const { phone } = found.parsed;
    if (asked?.says === 'unclear') {
      const why = unclearConsent(phone, headers[asked.column] ?? '', cells[asked.column] ?? '');
      return { kind: 'rejected', line, cells, notes, refusal: why };
    }
    if (asked !== undefined) {
      memory.keepAsked(phone, line);
      const why = doNotCall(phone, headers[asked.column] ?? '', cells[asked.column] ?? '');
      return {
        kind: 'suppressed',
        line,
        cells,
        notes,
        phones: [phone, ...allNumbers(cells).filter((other) => other !== phone)],
        refusal: why,
      };
    }
    const firstLine = firstLines.add(phone, line);
    if (firstLine !== undefined && firstLine !== line) {
      return { kind: 'duplicate', line, cells, notes, refusal: duplicateInList(phone, firstLine) };
    }
    noteNumber(notes, line, cells, found);
    return { kind: 'good', line, cells, notes, phone, fictional: found.fictional };
  };

  /** The reason why quotes the cell. */
  function isStillDamaged(cells: string[]): boolean {
    return cells.some((cell, at) => hasDamage(cell) && headers[at] !== 'reason');
  }

  /** The first number that can be called, in the order of the columns; or what is wrong with the first one that is there. */
  function findNumber(cells: string[]): Found | { ok: false; refusal: Refusal } {
    let refused: Refusal | undefined;
    for (const index of mapping.phones) {
      const cell = cells[index] ?? '';
      if (cell.trim() === '') continue;
      const label = cells[labels.get(index) ?? -1] ?? '';
      if (labelForbids(label)) {
        refused ??= notTheirNumber(cell, label);
        continue;
      }
      const parsed = parseIn(cells, index);
      const fictional = parsed.ok && isFictional(parsed.phone);
      if (parsed.ok && !(fictional && options.refuseFictional))
        return { ok: true, parsed, index, fictional };
      refused ??= parsed.ok ? refusal('fictional_number', cell) : parsed.refusal;
    }
    return { ok: false, refusal: refused ?? refusal('phone_missing', '') };
  }

  /** Whoever asked not to be called is not called at any number that the row may mean. */
  function allNumbers(cells: string[]): E164[] {
    const said = countryIn(cells);
    const home = said === '' ? options.country : (countryNamed(said) ?? options.country);
    // Also where it stands in the column by which they asked: `DNC Phone`.
    const columns = [...mapping.phones, ...mapping.doNotCall];
    return [...new Set(columns.flatMap((index) => everyNumber(cells[index] ?? '', home)))];
  }

  /** A row that is not taken counts all the same where it says that somebody is not to be called. */
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
    const why = doNotCall(phone, header, cells[asked] ?? '');
    return { ...row, doNotCall: { note: why.text, phones: [phone, ...others] } };
  }

  /** A row's own country outranks the operator's; one that is not known leaves nothing to assume. */
  function parseIn(cells: string[], index: number): ParsedPhone {
    const cell = cells[index] ?? '';
    const said = countryIn(cells);
    if (said === '') return parseAs(cell, options.country, index);
    const parsed = parseAs(cell, countryNamed(said) ?? null, index);
    const isUnknown = !parsed.ok && parsed.refusal.code === 'no_country';
    return isUnknown ? { ok: false, refusal: unknownCountry(cell, said) } : parsed;
  }

  function countryIn(cells: string[]): string {
    const { country: column } = mapping.fields;
    return column === undefined ? '' : (cells[column] ?? '').trim();
  }

  /** By the habit of its column, which is learned from the cells that can be read in one way only. */
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
      notes.push({
        code: 'mended_number',
        text: `line ${line}: "${cell.trim()}" as ${phone} (${mended})`,
      });
    }
    if (!assigned) {
      notes.push({
        code: 'unassigned_number',
        text: `${phone} is in a range not known to be in use`,
      });
    }
  }
}

function damaged(cells: readonly string[], at: number | undefined) {
  return { ok: false, refusal: damagedText(cells.find(hasDamage) ?? '', at) } as const;
}

function hasDamage(cell: string): boolean {
  return cell.includes('\ufffd');
}

type RejectedRow = Extract<ListRow, { kind: 'rejected' }>;

interface Found {
  ok: true;
  parsed: Extract<ParsedPhone, { ok: true }>;
  index: number;
  fictional: boolean;
}

function filledUp(cells: string[], width: number): string[] {
  if (cells.length === width) return cells;
  return Array.from({ length: width }, (_, i) => cells[i] ?? '');
}
