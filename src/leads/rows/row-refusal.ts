import { counted } from '../../text/plural.ts';
import { quoted, type PhoneRefusalCode, type RefusalOf } from '../phone/phone-refusal.ts';
import type { RowShape } from '../columns/row-shape.ts';

/** Why a row is not taken. The keys must stay stable: refusals are counted by these names, also in `--json`. */
const TEXTS = {
  duplicate_in_list: (phone: string, firstLine: number) =>
    `duplicate of line ${firstLine} (${phone})`,
  already_in_campaign: (phone: string, line: number, list: string) =>
    `${phone} is in the campaign already (line ${line} of ${list})`,
  /** `header`: of the do-not-call column; `cell`: the content of that column. */
  do_not_call: (phone: string, header: string, cell: string) =>
    `${phone} asked not to be called ("${header}": ${quoted(cell)})`,
  /** `header`: of the column that says whether the person may be called; `cell`: the content of that column. */
  unclear_consent: (phone: string, header: string, cell: string) =>
    `${phone} is not called, as "${header}" does not say that it may be (${quoted(cell)}); write yes or no there, or leave the column out of it with --map ignore="${header}"`,
  /** A refusal in a column without a meaning, or one that may be no refusal: `Do not call before 10am`. */
  unclear_refusal: (phone: string, header: string, cell: string) =>
    `${phone} is not called, as "${header}" (${quoted(cell)}) may say so; write "do not call" there or empty the cell, or give --map refusals="${header}" or --map ignore="${header}"`,
  /** `label`: the content of the label column beside the number, e.g. `Home Fax`. */
  not_their_number: (cell: string, label: string) =>
    `${quoted(cell)} has the label ${quoted(label)}, and such numbers are not called; give the person's own number`,
  /** The cell says that nobody calls this person, and not that they refuse calls: `Deceased`, `Wrong number`. */
  out_of_use: (phone: string, header: string, cell: string) =>
    `${phone} is not called by this campaign ("${header}": ${quoted(cell)}); it is not on the suppression list`,
  /** The day of a consent is over, or it was given too long ago for the rules; `why`: as in `consentEnd`. */
  consent_expired: (phone: string, header: string, cell: string, why = 'has ended') =>
    `${phone} is not called, as its consent ${why} ("${header}": ${quoted(cell)}); write the new day there`,
  /** The row's cells are not below the headings that they belong to. */
  shifted_row: shiftedRow,
  /** The row lacks cells of columns that are needed to judge it. */
  short_row: shortRow,
  /** Some bytes of the row are not valid UTF-8. */
  damaged_text: (cell: string) => `${quoted(cell)} cannot be read as UTF-8; write it anew there`,
  /** The cell of the time-zone column; `nearest`: the known name that is most like it, where one is. */
  unknown_timezone: (cell: string, nearest: string | undefined) =>
    `time zone ${quoted(cell)} is not known; ${nearest === undefined ? 'write' : `did you mean "${nearest}"? Write`} ${TIMEZONES}`,
  /** `why`: source and date, e.g. `by the operator on 2026-01-05`. */
  suppressed: (phone: string, why: string) => `${phone} is on the suppression list (${why})`,
};

const TIMEZONES =
  'an IANA name (America/New_York), a usual one (Eastern, EST, CET), an offset (+05:30), or leave the cell empty';

export type RefusalCode = PhoneRefusalCode | keyof typeof TEXTS;
export type Refusal = RefusalOf<RefusalCode>;

export function rowRefusal<C extends keyof typeof TEXTS>(
  code: C,
  ...values: Parameters<(typeof TEXTS)[C]>
): Refusal {
  const write = TEXTS[code] as (...values: unknown[]) => string;
  return { code, text: write(...values) };
}

/** @param cells how many cells the row has */
function shiftedRow(cells: number, shape: RowShape): string {
  const { delimiter } = shape;
  const sign = DELIMITERS[delimiter ?? ''] ?? `a "${delimiter ?? ''}"`;
  const why =
    delimiter === null
      ? 'they have moved to the right, or a column has no heading; move them back, or give it one'
      : cells < shape.columns
        ? `${sign} is missing, which has moved the cells after it; put it back`
        : `${sign} too many has moved the cells after it; put the cell that holds one in quotes`;
  const or = delimiter !== null && shape.hasHeadings && cells > shape.columns ? OR_HEADING : '';
  return `the row has ${widths(cells, shape)}: ${why}${or}`;
}

const OR_HEADING = ', or give each column a heading';

/** @param cells how many cells the row has, @param missing the needed columns that the row lacks */
function shortRow(
  cells: number,
  shape: RowShape,
  missing: readonly number[],
  headers: readonly string[],
): string {
  const names = missing.slice(0, 3).map((column) => `"${headers[column] ?? ''}"`);
  const more = missing.length > names.length ? ` and ${missing.length - names.length} more` : '';
  const are = missing.length === 1 ? 'is' : 'are';
  return `the row has ${widths(cells, shape)}: ${names.join(', ')}${more} ${are} missing; fill in all cells, with nothing between the delimiters where one is empty`;
}

function widths(cells: number, { columns, hasHeadings }: RowShape): string {
  const has = counted(cells, 'cell');
  if (!hasHeadings) return `${has}, and most have ${columns}`;
  return `${has}, and there ${columns === 1 ? 'is 1 heading' : `are ${columns} headings`}`;
}

const DELIMITERS: Readonly<Record<string, string>> = {
  ',': 'a comma',
  ';': 'a semicolon',
  '\t': 'a tab',
  '|': 'a |',
};
