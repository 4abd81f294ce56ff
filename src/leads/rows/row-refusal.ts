import { counted } from '../../text/plural.ts';
import { quoted, type PhoneRefusalCode } from '../phone/phone-refusal.ts';
import type { RowShape } from '../columns/row-shape.ts';

/** Why a row is not taken. Stable: they are counted by these names, also in `--json`. */
export type RefusalCode =
  | PhoneRefusalCode
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
  const sign = DELIMITERS[delimiter ?? ''] ?? `a "${delimiter ?? ''}"`;
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
