import { counted } from '../../text/plural.ts';
import type { PlusReading } from './plus-without-code.ts';
import { digitsIn, FEWEST_DIGITS } from './phone-cell.ts';
import { oneForm } from '../../text/fold-words.ts';

export interface RefusalOf<Code> {
  code: Code;
  /** One sentence: the value, what is wrong with it, what to do. */
  text: string;
}

const LONGEST_VALUE = 40;

/** Why a cell has no number to call. The keys must stay stable: rows are counted by these names, also in `--json`. */
const TEXTS = {
  phone_missing: (value) => `the phone cell is ${value}; fill in the number`,
  not_a_number: (value, cell, what) =>
    `${value} is ${what === '' ? '' : `${what}, `}not a phone number; ${howToWrite(cell)}`,
  no_country: (value) =>
    `${value} has no + and country code; pass --country with the two-letter code it belongs to, or write it with +`,
  unknown_country: (value, _, country) =>
    `${value} has no +, and its country ${quoted(country)} is not known; write a two-letter code such as US`,
  excel_scientific: (value) =>
    `${value} is a number that a spreadsheet has shortened, its digits are lost; format the column as text and export the list again`,
  several_numbers: (value) => `${value} holds more than one number, run together; keep one`,
  /** The cell can be read in two ways, and both are phone numbers. */
  ambiguous_number: (value, _, readings) =>
    `${value} can be ${readings}, and nothing tells which; write it with + and country code, or with the 0 that numbers begin with at home, if they do`,
  has_extension: (value) =>
    `${value} has an extension, which a call cannot dial; give a direct number, or let it be called without with --set numbers.extension=accept`,
  too_short: (value, cell) =>
    `${value} has ${digitsOf(cell)}, too few for a phone number (short and emergency numbers are never called)${cell.trim().startsWith('+') ? '; digits are missing in it' : '; write it in full with + and country code'}`,
  too_long: (value, cell) =>
    `${value} has ${digitsOf(cell)}, too many for a phone number; correct it or write it with + and country code`,
  not_assignable: (value) => `${value} is a number that nobody can have; correct it`,
  unassigned_number: (value) =>
    `${value} is in a range not known to be in use, which is refused here; correct it, or let such numbers in with --set numbers.unassigned=accept`,
  never_called: (value, _, what) =>
    `${value} is ${what}, which is never called; give a direct number`,
  toll_free: (value) =>
    `${value} is a toll-free number, which is not called here; give a direct number, or let such numbers in with --set numbers.tollFree=accept`,
  fictional_number: (value) =>
    `${value} belongs to a range kept for fiction, which a live service is never given; use the service "simulated" to rehearse`,
} satisfies Record<string, (value: string, cell: string, what: string) => string>;

export type PhoneRefusalCode = Exclude<keyof typeof TEXTS, 'toll_free'>;
export type PhoneRefusal = RefusalOf<PhoneRefusalCode>;

/**
 * @param what depends on the code. `never_called`: the kind of number; `not_a_number`: what the cell is instead, where
 *   known, e.g. `a date`; `unknown_country`: the country as written; `ambiguous_number`: the possible numbers
 */
export function refusal(code: keyof typeof TEXTS, cell: string, what = ''): PhoneRefusal {
  const text = TEXTS[code](quoted(cell), cell, what);
  return { code: code === 'toll_free' ? 'never_called' : code, text };
}

/** The refusal of a number with `+` whose country code may be missing: both readings, and how to write each. */
export function codeMayLack(cell: string, { home, written, code }: PlusReading): PhoneRefusal {
  const both = `${quoted(cell)} can be ${home.number} without its country code, or ${written}`;
  const text =
    code === null
      ? `${both}, which is no number in use; write it in full, with + and country code`
      : `${both} as it is; write the one that is meant, the second with a space behind +${code}`;
  return { code: 'ambiguous_number', text };
}

/** How to correct a cell that is not readable as a number. */
function howToWrite(cell: string): string {
  const isLong = digitsIn(cell) >= FEWEST_DIGITS;
  if (isLong && /\p{L}/u.test(cell)) return 'leave the number alone in its cell, without words';
  return cell.trim().startsWith('+') ? 'correct it' : 'write it with + and country code';
}

/** A cell as messages quote it: in quotes and shortened, or `empty`. */
export function quoted(cell: string): string {
  const text = cell.trim();
  if (text === '') return 'empty';
  return `"${text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}...` : text}"`;
}

function digitsOf(cell: string): string {
  return counted(digitsIn(oneForm(cell)), 'digit');
}
