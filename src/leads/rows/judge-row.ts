import type { CountryCode } from 'libphonenumber-js/max';

import { consentEnd } from '../../domain/calling/limits.ts';
import { placeOf } from '../../domain/calling/zone-key.ts';
import type { ListMapping } from '../../domain/lists/list-mapping.ts';
import { HOUR_MS } from '../../domain/time-units.ts';
import type { ListLayout } from '../columns/layout.ts';
import { callAnswers, isStateOfNo, type CallAnswer } from '../columns/permission-answers.ts';
import { isRejects, reach, rowAlignment, type Misalignment } from '../columns/row-shape.ts';
import { deniesRefusal, isYesOrNo, saysNo } from '../columns/words/permission-words.ts';
import { countryNamed } from '../phone/countries.ts';
import { everyNumber } from '../phone/every-number.ts';
import { quoted } from '../phone/phone-refusal.ts';
import { padded, type CsvRow } from '../read/row.ts';
import { openColumns } from './column-questions.ts';
import {
  CellCounts,
  type ListRow,
  type RejectedRow,
  type RowNote,
  type RowTimes,
} from './list-row.ts';
import { rowNumbers, type Found, type ListColumns, type RowOptions } from './row-numbers.ts';
import { rowPlaces, rowRefusal, type Refusal } from './row-person.ts';

/** Written to the rejects file for a cell that the row lacks, so that nobody takes the cell for an empty one. */
const MISSING = '(missing)';

type Table = Pick<ListLayout, 'headers' | 'shape' | 'mapping'>;

/** As `rowAlignment`; when a rejects file is imported, a cell that is still marked as missing counts as missing. */
function listAlignment({ headers, shape, mapping }: Table): ReturnType<typeof rowAlignment> {
  const fitOf = rowAlignment(shape, mapping);
  if (!isRejects(headers)) return fitOf;
  return (cells) => {
    const fit = fitOf(cells);
    if (typeof fit === 'object' || !cells.includes(MISSING)) return fit;
    const missing = cells.flatMap((cell, at) => (cell === MISSING ? [at] : []));
    return { kind: 'short', by: -missing.length, missing };
  };
}

/**
 * Rejects a row whose cells are not below their headings. If a do-not-call cell may have moved, every place to which it
 * may have moved is read; where one of them says no, every number in the row is suppressed.
 * @param country of numbers without `+`, or null
 */
function rejectMisaligned(
  { headers, shape, mapping }: Table,
  country: CountryCode | null,
  { line, cells }: { line: number; cells: string[] },
  misfit: Misalignment,
): RejectedRow {
  const isShort = misfit.kind === 'short';
  const width = cells.filter((cell) => cell !== MISSING).length;
  const rejected: RejectedRow = {
    kind: 'rejected',
    line,
    notes: [],
    // Shifted cells are not moved back, so that the operator sees the shift in the rejects file.
    cells: isShort ? padded(cells, headers.length, MISSING) : cells,
    refusal: isShort
      ? rowRefusal('short_row', width, shape, misfit.missing, headers)
      : rowRefusal('shifted_row', width, shape),
  };
  const wish = wishOf(cells, mapping, misfit.by);
  if (wish === undefined) return rejected;
  const homes = new Set([country, ...countriesIn(cells, mapping, misfit.by)]);
  const phones = [...homes].flatMap((home) => cells.flatMap((cell) => everyNumber(cell, home)));
  const [first, ...others] = new Set(phones);
  if (first === undefined) return rejected;
  const { text } = rowRefusal('do_not_call', first, headers[wish.column] ?? '', wish.cell);
  return { ...rejected, doNotCall: { note: text, phones: [first, ...others] } };
}

function fewCells(line: number, cells: number, columns: number): RowNote {
  const has = `line ${line} has ${cells} cell${cells === 1 ? '' : 's'}, but there are ${columns} column names`;
  return { code: 'ragged_row', text: `${has}; the missing ones are empty` };
}

/** The column and the cell that ask not to be called; looks at each place to which the cell may have moved. */
function wishOf(cells: readonly string[], mapping: ListMapping, by: number) {
  const { doNotCall, mayCall = [], callStates = [] } = mapping;
  const near = (columns: readonly number[], isNo: (cell: string) => boolean) => {
    for (const column of columns) {
      const at = [column, ...reach(column, by)].find((place) => isNo(cells[place] ?? ''));
      if (at !== undefined) return { column, cell: cells[at] ?? '' };
    }
    return undefined;
  };
  return (
    near(doNotCall, (cell) => isYesOrNo(cell) && !deniesRefusal(cell)) ??
    near(callStates, isStateOfNo) ??
    near(
      mayCall.map(({ column }) => column),
      (cell) => saysNo(cell) || isStateOfNo(cell),
    )
  );
}

function countriesIn(cells: readonly string[], { fields }: ListMapping, by: number): CountryCode[] {
  const { country: column } = fields;
  if (column === undefined) return [];
  return [column, ...reach(column, by)].flatMap((at) => countryNamed(cells[at] ?? '') ?? []);
}

/**
 * Decides whether a row is good, rejected, a duplicate or suppressed. Rows have to come in the order of the list, as
 * the second row with a number is a duplicate.
 */
export function rowJudge(list: ListColumns, options: RowOptions): (row: CsvRow) => ListRow {
  const { mapping, headers, shape, memory } = list;
  const { country, refuseFictional = false, policy, now, calling } = options;
  memory.begin(JSON.stringify({ country, refuseFictional, policy }));
  const { firstLines } = memory;
  const today = now === undefined ? '' : new Date(now).toISOString().slice(0, 10);
  const answerOf = callAnswers(mapping, today);
  const fitOf = listAlignment(list);
  // In a rejects file that is imported, a row with U+FFFD in it is rejected until somebody has corrected the text.
  const isAgain = isRejects(headers);
  const numbers = rowNumbers(list, options);
  const placeAt = rowPlaces(mapping);
  // The first reading of a list counts its cells, a later one only reads them.
  const isCounted = memory.cells !== undefined;
  const counts = (memory.cells ??= new CellCounts(headers));
  const isOpen = openColumns(mapping);

  return function judge({ line, cells: written, isDamaged }): ListRow {
    const fit = fitOf(written);
    if (typeof fit === 'object')
      return rejectMisaligned(list, country, { line, cells: written }, fit);
    const cells = padded(written, headers.length);
    const notes = fit === 'few' ? [fewCells(line, written.length, shape.columns)] : [];
    const row = { line, cells, notes };
    const quoteOf = (column: number) => [headers[column] ?? '', cells[column] ?? ''] as const;
    const found =
      isDamaged === true || (isAgain && isStillDamaged(cells))
        ? rowRefusal('damaged_text', cells.find(hasDamage) ?? '')
        : numbers.first(cells);
    const refused = (isCounted ? counts.refusing(cells) : counts.count(cells)).find(isOpen);
    const answer = answerOf(cells);
    const asked = askedBy(answer, refused);
    if ('code' in found) {
      const rejected = { kind: 'rejected', ...row, refusal: found } as const;
      if (asked?.says === 'forever') return withItsWish(rejected, asked.column);
      const [theirs] = asked === undefined ? [] : numbers.all(cells);
      return theirs === undefined ? rejected : { ...rejected, stops: theirs };
    }
    const { phone } = found.parsed;
    const stopped = (refusal: Refusal) =>
      ({ kind: 'rejected', ...row, refusal, stops: phone }) as const;
    const { place, refusal: unknownPlace } = placeAt(phone, cells);
    const times = answer?.says === 'between' ? timesOf(answer, quoteOf) : undefined;
    if (answer?.given !== undefined && times !== undefined && now !== undefined) {
      const end = consentEnd(calling, () => placeOf(place.zoneKey), times);
      if (end !== null && end.at <= now) {
        memory.held.add(phone, line);
        const quote = quoteOf(answer.given.column);
        return stopped(rowRefusal('consent_expired', phone, ...quote, end.why));
      }
    }
    if (asked !== undefined) {
      const { says, column } = asked;
      const isState = says === 'unclear' && mapping.callStates?.includes(column) === true;
      const code = isState ? 'unclear_refusal' : CODES[says];
      const refusal = rowRefusal(code, phone, ...quoteOf(column));
      if (says !== 'forever') {
        memory.held.add(phone, line);
        return stopped(refusal);
      }
      memory.keepAsked(phone, line);
      const others = numbers.all(cells).filter((other) => other !== phone);
      return { kind: 'suppressed', ...row, phones: [phone, ...others], refusal, place };
    }
    // Before the number is kept: a later row with a known time zone is no duplicate of this one.
    if (unknownPlace !== undefined) return stopped(unknownPlace);
    const firstLine = memory.held.lineOf(phone) ?? firstLines.add(phone, line);
    if (firstLine !== undefined && firstLine !== line) {
      const refusal = rowRefusal('duplicate_in_list', phone, firstLine);
      return { kind: 'duplicate', ...row, refusal, phone, times };
    }
    noteNumber(notes, line, cells, found);
    const { fictional } = found;
    const good = {
      kind: 'good',
      line,
      cells,
      notes,
      phone,
      fictional,
      place,
      times,
    } as const;
    const further = numbers.further(cells, found);
    if (further.length === 0) return good;
    const alternatives = further.map((other) => ({
      phone: other,
      zoneKey: placeAt(other, cells).place.zoneKey,
    }));
    return { ...good, alternatives };
  };

  /** The column `reason` of a rejects file quotes the damaged cell, so U+FFFD in that column does not count. */
  function isStillDamaged(cells: string[]): boolean {
    return cells.some((cell, at) => hasDamage(cell) && headers[at] !== 'reason');
  }

  /** Adds numbers to suppress to a rejected row that asks not to be called, or a note where no number can be read. */
  function withItsWish(row: RejectedRow, asked: number): RejectedRow {
    const { line, cells, notes, refusal } = row;
    const [phone, ...others] = numbers.all(cells);
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

const CODES = {
  forever: 'do_not_call',
  here: 'out_of_use',
  expired: 'consent_expired',
  unclear: 'unclear_consent',
  perhapsNo: 'unclear_refusal',
} as const;

/** What forbids the call; a refusal in a column that nobody has decided about is the weakest. */
function askedBy(
  answer: CallAnswer | undefined,
  refused: number | undefined,
): { says: keyof typeof CODES; column: number } | undefined {
  if (answer !== undefined && answer.says !== 'between')
    return { says: answer.says, column: answer.column };
  return refused === undefined ? undefined : { says: 'perhapsNo', column: refused };
}

/**
 * Days of a row as moments that are safe wherever the person is: a day that has to be over is over in the last zone
 * (UTC-12), a day on which a consent ends is over in the first one (UTC+14).
 */
function timesOf(
  { column, after, through, given }: CallAnswer,
  quoteOf: (column: number) => readonly [header: string, cell: string],
): RowTimes {
  const times: RowTimes = {};
  if (after !== undefined) {
    const [header, cell] = quoteOf(column);
    const why = `"${header}" says ${quoted(cell)}`;
    times.notBefore = { at: Date.parse(after) + 36 * HOUR_MS, why };
  }
  if (through !== undefined) times.consentUntil = Date.parse(through) + 10 * HOUR_MS;
  if (given !== undefined) times.consentGiven = Date.parse(given.day) + 10 * HOUR_MS;
  return times;
}

function hasDamage(cell: string): boolean {
  return cell.includes('\ufffd');
}
