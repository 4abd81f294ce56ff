/** How spreadsheets (Excel, LibreOffice, Google Sheets) read a cell that is not a formula. */

/** The longest text that a spreadsheet keeps in a cell, in UTF-16 units; the rest would be lost without notice. */
export const LONGEST_CELL = 32_767;
const CUT = ' … [cut: a spreadsheet holds no more; the whole text is in the jsonl export]';

/** A text cut to `LONGEST_CELL` including the mark `CUT`; never cut between the halves of a surrogate pair. */
export function capped(text: string): string {
  if (text.length <= LONGEST_CELL) return text;
  const end = LONGEST_CELL - CUT.length;
  const isSplit = /[\ud800-\udbff]/.test(text.charAt(end - 1));
  return text.slice(0, isSplit ? end - 1 : end) + CUT;
}

/** How an English month or boolean begins: the source of a regular expression. */
export const DAY_OR_TRUTH = 'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|true$|false$';
/** Matches nearly all cells that are not numbers. */
const WORD = new RegExp(`^(?!${DAY_OR_TRUTH})[a-z]`, 'i');

/** A longer cell is not read as a number or a day, unless it consists of digits only. */
const LONGEST_VALUE = 60;
const DIGITS = /^[\d.,]+$/;

const DAY = String.raw`(?:0?[1-9]|[12]\d|3[01])`;
const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const GAP = String.raw`[\s/.,-]*`;
const TIME = String.raw`\d{1,4}:\d{0,2}(?::\d{0,2}(?:\.\d+)?)?(?:\s?[ap]\.?m?\.?)?`;
const DATE = [
  String.raw`\d{1,2}\s?[/-]\s?(?:\d{1,2}|\d{4})`,
  String.raw`\d{4}\s?[/-]\s?\d{1,2}`,
  String.raw`${DAY}\s?[/.-]\s?${DAY}\s?[/.-]\s?(?:\d{4}|\d{1,2})`,
  String.raw`\d{4}\s?[/.-]\s?${DAY}\s?[/.-]\s?${DAY}`,
  String.raw`\d{1,2}\.\d{1,2}\.`,
  String.raw`(?:\d{2,4}[年년]\s?)?\d{1,2}[月월](?:\s?\d{1,2}[日일])?`,
  String.raw`\d{1,4}${GAP}${MONTH}(?:${GAP}\d{1,4})?`,
  String.raw`${MONTH}${GAP}\d{1,4}(?:${GAP}\d{1,4})?`,
].join('|');

/** Matches everything that a spreadsheet reads as a number, a day, a time or a boolean. */
const VALUE = new RegExp(
  `^(?:${[
    String.raw`[+-]?\s?[$€£¥]?\s?[+-]?(?:\d[\d,]*(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s?[%$€£¥]?-?`,
    String.raw`\(\s?[$€£¥]?\d[\d,.]*\)`,
    String.raw`[+-]?\d+\s+\d+/\d+`,
    String.raw`(?:${DATE})(?:[,\sT]+${TIME})?`,
    TIME,
    String.raw`\d{1,2}\s?[ap]m|\d{1,2}\s[ap]`,
    'true|false',
  ].join('|')})$`,
  'i',
);

/**
 * Matches a number that a spreadsheet shows unchanged, so that it may stay a number and be added up: no leading zeros,
 * at most 11 digits before the point (more are shown as 1.2E+11) and 15 in all, commas by the thousand.
 */
const SAME =
  /^(?!-0$)-?[$€£¥]?(?=[\d,.]{1,17}[%€£¥]?$)(?:0|[1-9]\d{0,10}|[1-9]\d{0,2}(?:,\d{3}){1,2})(?:\.\d+)?[%€£¥]?$/;

/**
 * True for a text that a spreadsheet would read as a number or a day and show or save as another text: leading zeros,
 * more digits than it shows or keeps, `12E5`, `1/2`, `3:4`, `(901)`, `5-`, `2026-01-05`, `5 Jan`, `TRUE`. Month names
 * are recognised in English only.
 */
export function isReadAsAnother(text: string): boolean {
  if (WORD.test(text)) return false;
  if (text.length > LONGEST_VALUE) return DIGITS.test(text);
  const plain = (/[^ -~]/.test(text) ? text.normalize('NFKC') : text).trim();
  return VALUE.test(plain) && !SAME.test(text);
}
