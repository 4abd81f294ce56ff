import type { CountryCode } from 'libphonenumber-js/max';
import type { NumberPolicy } from '../domain/campaign.ts';
import type { ListMapping } from '../domain/list-mapping.ts';
import type { E164 } from '../domain/phone.ts';
import { saysDoNotCall } from './column-names.ts';
import { countryNamed } from './countries.ts';
import type { CsvRow } from './csv-rows.ts';
import { isFictional } from './fictional.ts';
import type { ListRow, RowNote } from './list-row.ts';
import { parsePhone, type ParsedPhone } from './parse-phone.ts';
import { doNotCall, duplicateInList, refusal, unknownCountry, type Refusal } from './refusal.ts';
import { MOST_REMEMBERED, type ListMemory } from './list-memory.ts';

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
  named: number;
  mapping: ListMapping;
  memory: ListMemory;
}

/**
 * Says of each row of a list, in its order, what becomes of it. The list's memory keeps the numbers, so that the
 * same list is judged a second time in less.
 */
export function rowJudge(list: JudgedList, options: RowOptions): (row: CsvRow) => ListRow {
  const { mapping, headers, named, memory } = list;
  const { country, refuseFictional, policy } = options;
  memory.begin(JSON.stringify({ country, refuseFictional, policy }));
  const { firstLines } = memory;
  let next = 0;

  return function judge({ line, cells: written }): ListRow {
    const cells = fit(written, headers.length);
    const notes: RowNote[] = [];
    if (written.length < named || (written.length > named && widthOf(written) > named)) {
      notes.push(ragged(line, written.length, named));
    }
    const row = next++;
    const found = recalled(row) ?? findNumber(cells);
    if (!found.ok) return { kind: 'rejected', line, cells, notes, refusal: found.refusal };
    const { phone } = found.parsed;
    keepPlain(row, found);
    const asked = mapping.doNotCall.find((index) => saysDoNotCall(cells[index] ?? ''));
    if (asked !== undefined) {
      firstLines.add(phone, line);
      const why = doNotCall(phone, headers[asked] ?? '', cells[asked] ?? '');
      return {
        kind: 'suppressed',
        line,
        cells,
        notes,
        phones: allNumbers(phone, cells),
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

  function recalled(row: number): Found | undefined {
    const phone = memory.numbers.recall(row);
    if (phone === undefined) return undefined;
    const parsed = { ok: true, phone, assigned: true, mended: null } as const;
    return { ok: true, parsed, index: mapping.phones[0] ?? 0, fictional: isFictional(phone) };
  }

  /** Only numbers of which there is nothing to note. */
  function keepPlain(row: number, { parsed, index }: Found): void {
    const isPlain = parsed.assigned && parsed.mended === null && index === mapping.phones[0];
    if (isPlain) memory.numbers.keep(row, parsed.phone);
  }

  /** The first number that can be called, in the order of the columns; or what is wrong with the first one that is there. */
  function findNumber(cells: string[]): Found | { ok: false; refusal: Refusal } {
    let refused: Refusal | undefined;
    for (const index of mapping.phones) {
      const cell = cells[index] ?? '';
      if (cell.trim() === '') continue;
      const parsed = parseIn(cells, cell);
      const fictional = parsed.ok && isFictional(parsed.phone);
      if (parsed.ok && !(fictional && options.refuseFictional))
        return { ok: true, parsed, index, fictional };
      refused ??= parsed.ok ? refusal('fictional_number', cell) : parsed.refusal;
    }
    return { ok: false, refusal: refused ?? refusal('phone_missing', '') };
  }

  /** Whoever asked not to be called is not called at any number. */
  function allNumbers(phone: E164, cells: string[]): [E164, ...E164[]] {
    const others = mapping.phones.flatMap((index) => {
      const parsed = parseIn(cells, cells[index] ?? '');
      return parsed.ok && parsed.phone !== phone ? [parsed.phone] : [];
    });
    return [phone, ...new Set(others)];
  }

  /** A row's own country outranks the operator's; one that is not known leaves nothing to assume. */
  function parseIn(cells: string[], cell: string): ParsedPhone {
    const { country: column } = mapping.fields;
    const said = column === undefined ? '' : (cells[column] ?? '').trim();
    if (said === '') return parseOnce(cell, options.country);
    const parsed = parseOnce(cell, countryNamed(said) ?? null);
    const isUnknown = !parsed.ok && parsed.refusal.code === 'no_country';
    return isUnknown ? { ok: false, refusal: unknownCountry(cell, said) } : parsed;
  }

  /** `parsePhone` with a memory: parsing takes most of the time of reading a list. */
  function parseOnce(cell: string, country: CountryCode | null): ParsedPhone {
    const { phones } = memory;
    // Of a long list `numbers` remembers less, and that is enough.
    if (memory.rows === null) return parsePhone(cell, country, options.policy);
    const key = `${country ?? ''}:${cell}`;
    const known = phones.get(key);
    if (known !== undefined) return known;
    const parsed = parsePhone(cell, country, options.policy);
    if (phones.size < MOST_REMEMBERED) phones.set(key, parsed);
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

interface Found {
  ok: true;
  parsed: Extract<ParsedPhone, { ok: true }>;
  index: number;
  fictional: boolean;
}

/** How many cells of a row are there, empty ones at its end not counted. */
export function widthOf(cells: readonly string[]): number {
  return cells.findLastIndex((cell) => cell !== '') + 1;
}

/** While a list is surveyed not all of its columns are known: cells beyond matter to its import only. */
function fit(cells: string[], width: number): string[] {
  if (cells.length === width) return cells;
  return Array.from({ length: width }, (_, i) => cells[i] ?? '');
}

function ragged(line: number, cells: number, named: number): RowNote {
  const has = `line ${line} has ${cells} cells, the column names are ${named}`;
  const done = cells < named ? 'the missing ones are empty' : 'the others are kept';
  return { code: 'ragged_row', text: `${has}; ${done}` };
}
