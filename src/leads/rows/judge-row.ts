import type { E164 } from '../../domain/phone.ts';
import { consentEnd } from '../../domain/calling/limits.ts';
import { placeOf } from '../../domain/calling/zone-key.ts';
import { HOUR_MS } from '../../domain/time-units.ts';
import { callAnswers, type CallAnswer } from '../columns/permission-answers.ts';
import { quoted } from '../phone/phone-refusal.ts';
import { padded, type CsvRow } from '../read/row.ts';
import type { ListRow, RejectedRow, RowNote, RowTimes } from './list-row.ts';
import { CellCounts } from './cell-counts.ts';
import { openColumns } from './column-questions.ts';
import { rowNumbers, type Found, type ListColumns, type RowOptions } from './row-numbers.ts';
import { rowPersons } from './row-person.ts';
import { rowPlaces } from './row-place.ts';
import { rowRefusal } from './row-refusal.ts';
import { fewCells, listAlignment, isRejects, rejectMisaligned } from './misaligned-rows.ts';

/**
 * Decides what becomes of each row: good, rejected, duplicate or suppressed. Rows have to come in the order of the
 * list. The list's memory keeps the numbers that were seen, so that the second row with a number is a duplicate.
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
  const personOf = rowPersons(mapping);
  const refusing = refusingColumns(list);
  const isOpen = openColumns(mapping);

  return function judge({ line, cells: written, damagedAt }): ListRow {
    const fit = fitOf(written);
    if (typeof fit === 'object')
      return rejectMisaligned(list, country, { line, cells: written }, fit);
    const cells = padded(written, headers.length);
    const notes = fit === 'few' ? [fewCells(line, written.length, shape.columns)] : [];
    const isDamaged = damagedAt !== undefined || (isAgain && isStillDamaged(cells));
    const found = isDamaged
      ? rowRefusal('damaged_text', cells.find(hasDamage) ?? '', damagedAt)
      : numbers.first(cells);
    const refused = refusing(cells).find(isOpen);
    const answer = answerOf(cells);
    const asked =
      refused !== undefined && (answer === undefined || answer.says === 'between')
        ? { says: 'perhapsNo' as const, column: refused }
        : answer;
    if ('code' in found) {
      const rejected = { kind: 'rejected', line, cells, notes, refusal: found } as const;
      if (asked?.says === 'forever') return withItsWish(rejected, asked.column);
      const [theirs] = asked === undefined || asked.says === 'between' ? [] : numbers.all(cells);
      return theirs === undefined ? rejected : { ...rejected, stops: theirs };
    }
    const { phone } = found.parsed;
    const at = placeAt(phone, cells);
    const times = timesOf(answer, headers, cells);
    const end = consentEnd(calling, () => placeOf(at.place.zoneKey), times);
    if (answer?.given !== undefined && end !== null && now !== undefined && end.at <= now) {
      const { column } = answer.given;
      const cell = cells[column] ?? '';
      const why = rowRefusal('consent_expired', phone, headers[column] ?? '', cell, end.why);
      memory.held.add(phone, line);
      return {
        kind: 'rejected',
        line,
        cells,
        notes,
        refusal: why,
        stops: phone,
      };
    }
    if (asked !== undefined && asked.says !== 'between') {
      const { says, column } = asked;
      const isState = says === 'unclear' && mapping.callStates?.includes(column) === true;
      const code = isState ? 'unclear_refusal' : CODES[says];
      const why = rowRefusal(code, phone, headers[column] ?? '', cells[column] ?? '');
      if (says !== 'forever') {
        memory.held.add(phone, line);
        return { kind: 'rejected', line, cells, notes, refusal: why, stops: phone };
      }
      memory.keepAsked(phone, line);
      const phones: [E164, ...E164[]] = [
        phone,
        ...numbers.all(cells).filter((other) => other !== phone),
      ];
      const person = personOf(cells);
      return { kind: 'suppressed', line, cells, notes, phones, refusal: why, person, ...at.place };
    }
    // Before the number is kept: a later row with a known time zone is no duplicate of this one.
    if (at.refusal !== undefined)
      return { kind: 'rejected', line, cells, notes, refusal: at.refusal, stops: phone };
    const firstLine = memory.held.lineOf(phone) ?? firstLines.add(phone, line);
    if (firstLine !== undefined && firstLine !== line) {
      const why = rowRefusal('duplicate_in_list', phone, firstLine);
      return { kind: 'duplicate', line, cells, notes, refusal: why, phone, ...times };
    }
    noteNumber(notes, line, cells, found);
    const { fictional } = found;
    const row = { kind: 'good', line, cells, notes, phone, fictional } as const;
    const place = { ...at.place, person: personOf(cells) };
    const further = numbers.further(cells, found);
    if (further.length === 0) return { ...row, ...place, ...times };
    const alternatives = further.map((other) => ({
      phone: other,
      zoneKey: placeAt(other, cells).place.zoneKey,
    }));
    return { ...row, ...place, ...times, alternatives };
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

/**
 * Days of a row as moments that are safe wherever the person is: a day that has to be over is over in the last zone
 * (UTC-12), a day on which a consent ends is over in the first one (UTC+14).
 */
function timesOf(
  asked: CallAnswer | undefined,
  headers: readonly string[],
  cells: readonly string[],
): RowTimes {
  if (asked === undefined) return {};
  const { column, after, through, given } = asked;
  const why = `"${headers[column] ?? ''}" says ${quoted(cells[column] ?? '')}`;
  return {
    ...(after === undefined ? {} : { notBefore: { at: Date.parse(after) + 36 * HOUR_MS, why } }),
    ...(through === undefined ? {} : { consentUntil: Date.parse(through) + 10 * HOUR_MS }),
    ...(given === undefined ? {} : { consentGiven: Date.parse(given.day) + 10 * HOUR_MS }),
  };
}

/** Finds the cells of a row that refuse calls. The first reading of a list counts them, the second only reads them. */
function refusingColumns({
  memory,
  headers,
}: ListColumns): (cells: readonly string[]) => readonly number[] {
  const counted = memory.cells;
  if (counted !== undefined) return (cells) => counted.refusing(cells);
  const counts = (memory.cells = new CellCounts(headers));
  return (cells) => counts.count(cells);
}

function hasDamage(cell: string): boolean {
  return cell.includes('\ufffd');
}
