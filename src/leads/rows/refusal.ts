import type { RowShape } from './row-shape.ts';

/** Why a row is not taken. Stable: they are counted by these names, also in `--json`. */
export type RefusalCode =
  | 'phone_missing'
  | 'not_a_number'
  | 'no_country'
  | 'unknown_country'
  | 'excel_scientific'
  | 'several_numbers'
  /** It can be read in two ways, and both are numbers. */
  | 'ambiguous_number'
  | 'has_extension'
  | 'too_short'
  | 'too_long'
  | 'not_assignable'
  | 'unassigned_number'
  | 'never_called'
  | 'fictional_number'
  | 'duplicate_in_list'
  | 'already_in_campaign'
  | 'do_not_call'
  | 'unclear_consent'
  | 'not_their_number'
  /** Its cells are not below the headings that they belong to. */
  | 'shifted_row'
  /** Columns that decide something are missing in it. */
  | 'short_row'
  /** Some of its bytes are no text in the encoding of its list. */
  | 'damaged_text'
  | 'suppressed';

export interface Refusal {
  code: RefusalCode;
  /** One sentence: the value, what is wrong with it, what to do. */
  text: string;
}

type CellRefusal = Exclude<
  RefusalCode,
  | 'no_country'
  | 'not_a_number'
  | 'ambiguous_number'
  | 'unknown_country'
  | 'duplicate_in_list'
  | 'already_in_campaign'
  | 'do_not_call'
  | 'unclear_consent'
  | 'not_their_number'
  | 'shifted_row'
  | 'short_row'
  | 'damaged_text'
  | 'suppressed'
>;

const LONGEST_VALUE = 40;

/** @param what for `never_called`: what kind of number it is */
export function refusal(code: CellRefusal | 'toll_free', cell: string, what = ''): Refusal {
  const value = quoted(cell);
  switch (code) {
    case 'phone_missing':
      return { code, text: `the phone cell is ${value}; fill in the number` };
    case 'excel_scientific':
      return {
        code,
        text: `${value} is a number that a spreadsheet has shortened, its digits are lost; format the column as text and export the list again`,
      };
    case 'several_numbers':
      return { code, text: `${value} holds more than one number, run together; keep one` };
    case 'has_extension':
      return {
        code,
        text: `${value} has an extension, which a call cannot dial; give a direct number, or let it be called without with --set numbers.extension=accept`,
      };
    case 'too_short':
      return {
        code,
        text: `${value} has ${digitsOf(cell)}, too few for a phone number (short and emergency numbers are never called)${cell.trim().startsWith('+') ? '; digits are missing in it' : '; write it in full with + and country code'}`,
      };
    case 'too_long':
      return {
        code,
        text: `${value} has ${digitsOf(cell)}, too many for a phone number; correct it or write it with + and country code`,
      };
    case 'not_assignable':
      return { code, text: `${value} is a number that nobody can have; correct it` };
    case 'unassigned_number':
      return {
        code,
        text: `${value} is in a range not known to be in use, which is refused here; correct it, or let such numbers in with --set numbers.unassigned=accept`,
      };
    case 'never_called':
      return { code, text: `${value} is ${what}, which is never called; give a direct number` };
    case 'toll_free':
      return {
        code: 'never_called',
        text: `${value} is a toll-free number, which is not called here; give a direct number, or let such numbers in with --set numbers.tollFree=accept`,
      };
    case 'fictional_number':
      return {
        code,
        text: `${value} belongs to a range kept for fiction, which a live service is never given; use the service "simulated" to rehearse`,
      };
  }
}

/** @param what it is instead, where that is known, e.g. `a date` */
export function notANumber(cell: string, what?: string): Refusal {
  const is = what === undefined ? 'is not a phone number' : `is ${what}, not a phone number`;
  return { code: 'not_a_number', text: `${quoted(cell)} ${is}; ${howToWrite(cell)}` };
}

/** What is missing in a cell that holds a number all the same. */
function howToWrite(cell: string): string {
  const isLong = cell.replace(/\D/g, '').length >= 7;
  if (isLong && /\p{L}/u.test(cell)) return 'leave the number alone in its cell, without words';
  return cell.trim().startsWith('+') ? 'correct it' : 'write it with + and country code';
}

/** @param readings what it may be */
export function ambiguous(cell: string, readings: readonly string[]): Refusal {
  const text = `${quoted(cell)} can be ${readings.join(' or ')}, and nothing tells which; write it with + and country code, or with the 0 that numbers begin with at home, if they do`;
  return { code: 'ambiguous_number', text };
}

export function noCountry(cell: string): Refusal {
  return {
    code: 'no_country',
    text: `${quoted(cell)} has no + and country code; pass --country with the two-letter code it belongs to, or write it with +`,
  };
}

export function unknownCountry(cell: string, country: string): Refusal {
  return {
    code: 'unknown_country',
    text: `${quoted(cell)} has no +, and its country ${quoted(country)} is not known; write a two-letter code such as US`,
  };
}

export function duplicateInList(phone: string, firstLine: number): Refusal {
  return { code: 'duplicate_in_list', text: `duplicate of line ${firstLine} (${phone})` };
}

export function alreadyInCampaign(phone: string, line: number, list: string): Refusal {
  return {
    code: 'already_in_campaign',
    text: `${phone} is in the campaign already (line ${line} of ${list})`,
  };
}

/** @param header of the do-not-call column, @param cell what is in it */
export function doNotCall(phone: string, header: string, cell: string): Refusal {
  return {
    code: 'do_not_call',
    text: `${phone} asked not to be called ("${header}": ${quoted(cell)})`,
  };
}

/** @param header of the column that is to say whether the person may be called, @param cell what is in it */
export function unclearConsent(phone: string, header: string, cell: string): Refusal {
  return {
    code: 'unclear_consent',
    text: `${phone} is not called, as "${header}" does not say that it may be (${quoted(cell)}); write yes or no there, or leave the column out of it with --map ignore="${header}"`,
  };
}

/** @param label what stands beside the number, e.g. `Home Fax` */
export function notTheirNumber(cell: string, label: string): Refusal {
  return {
    code: 'not_their_number',
    text: `${quoted(cell)} has the label ${quoted(label)}, by which nobody is called; give a number of the person`,
  };
}

/** @param cells how many it has */
export function shiftedRow(cells: number, shape: RowShape): Refusal {
  const { delimiter } = shape;
  const sign = delimiter === null ? '' : aDelimiter(delimiter);
  const why =
    delimiter === null
      ? 'they have moved to the right, or a column has no heading; move them back, or give it one'
      : cells < shape.columns
        ? `${sign} too few has moved those after it; put it back`
        : `${sign} too many has moved those after it; put the cell that holds one in quotes`;
  const or = delimiter !== null && shape.hasHeadings && cells > shape.columns ? OR_HEADING : '';
  return { code: 'shifted_row', text: `the row has ${widths(cells, shape)}: ${why}${or}` };
}

const OR_HEADING = ', or give each column a heading';

/** @param cells how many it has, @param missing the columns that it would need */
export function shortRow(
  cells: number,
  shape: RowShape,
  missing: readonly number[],
  headers: readonly string[],
): Refusal {
  const names = missing.slice(0, 3).map((column) => `"${headers[column] ?? ''}"`);
  const more = missing.length > names.length ? ` and ${missing.length - names.length} more` : '';
  const are = missing.length === 1 ? 'is' : 'are';
  const text = `the row has ${widths(cells, shape)}: ${names.join(', ')}${more} ${are} missing; fill in all cells, with nothing between the delimiters where one is empty`;
  return { code: 'short_row', text };
}

function widths(cells: number, { columns, hasHeadings }: RowShape): string {
  const has = `${cells} cell${cells === 1 ? '' : 's'}`;
  if (!hasHeadings) return `${has}, and most have ${columns}`;
  return `${has}, and there ${columns === 1 ? 'is 1 heading' : `are ${columns} headings`}`;
}

function aDelimiter(delimiter: string): string {
  const names: Record<string, string> = {
    ',': 'a comma',
    ';': 'a semicolon',
    '\t': 'a tab',
    '|': 'a |',
  };
  return names[delimiter] ?? `a "${delimiter}"`;
}

/** @param cell the first one that is damaged, @param at the byte of the file, counted from 0 */
export function damagedText(cell: string, at: number | undefined): Refusal {
  const where = at === undefined ? '' : ` at byte ${at.toLocaleString('en-US')} of the file`;
  return {
    code: 'damaged_text',
    text: `${quoted(cell)} cannot be read as UTF-8${where}; write it anew there`,
  };
}

/** @param why with source and date, e.g. `by the operator on 2026-01-05` */
export function suppressed(phone: string, why: string): Refusal {
  return { code: 'suppressed', text: `${phone} is on the suppression list (${why})` };
}

function quoted(cell: string): string {
  const text = cell.trim();
  if (text === '') return 'empty';
  return `"${text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}...` : text}"`;
}

function digitsOf(cell: string): string {
  const count = cell.normalize('NFKC').replace(/\D/g, '').length;
  return `${count} digit${count === 1 ? '' : 's'}`;
}
