import { OTHER_WORDS, PHONE_NAMES, PHONE_RANKS, PHONE_WORDS } from './column-names.ts';
import { plainHeader } from './plain-header.ts';

/** A column of numbers, by its name. */
export interface PhoneColumn {
  index: number;
  /** Whose number it is; the smallest is called first. Equal ones are told apart by the operator only. */
  rank: number;
}

/** Of the cells that are filled in, so many must look like numbers. */
const MOST = 0.6;

/** The columns whose names say that they hold a number to call, the better ones first. */
export function phoneColumnsByName(headers: readonly string[]): PhoneColumn[] {
  return headers
    .map((header, index) => ({ index, rank: rankOf(plainHeader(header)) }))
    .filter(({ rank }) => rank !== Infinity)
    .sort((a, b) => a.rank - b.rank || a.index - b.index);
}

/** True when a column holds numbers, by the rows at the beginning of the list; undefined when it is empty there. */
export function holdsNumbers(
  rows: readonly (readonly string[])[],
  index: number,
): boolean | undefined {
  const cells = rows.map((cells) => (cells[index] ?? '').trim()).filter((cell) => !isMissing(cell));
  if (cells.length === 0) return undefined;
  return cells.filter(looksLikeNumber).length >= cells.length * MOST;
}

/** True for a cell that may be a phone number, also a damaged one: a date is none. */
export function looksLikeNumber(cell: string): boolean {
  const text = cell.normalize('NFKC').trim();
  if (/^['="]*\d{1,4}([-/.])\d{1,2}\1\d{1,4}(?:[ T].*)?$/.test(text)) return false;
  if (/^\+?\d(?:[.,]\d+)?e\+?\d+$/i.test(text)) return true;
  const digits = text.replace(/\D/g, '').length;
  return (
    digits >= 6 &&
    digits <= 40 &&
    /^(?:tel:|['="+(\s])*[\d\s().+/;,|-]+(?:x|ext|or|\D{0,3})?[\d\s().+/;,|"-]*$/i.test(text)
  );
}

/** True for what people write where there is no number. */
export function isMissing(text: string): boolean {
  return /^(?:n\/?a|none|null|nil|unknown|[-–—.?]*)$/i.test(text);
}

/** Our own `call_phone` of an exported file comes last: the operator may have mended the other. */
function rankOf(header: string): number {
  if (header === 'call phone') return 7;
  if (PHONE_NAMES.has(header)) return 2;
  const words = header.split(' ');
  if (words[0] === 'call' || words.some((word) => OTHER_WORDS.has(word))) return Infinity;
  if (!words.some((word) => PHONE_WORDS.has(word))) return Infinity;
  const [rank] = PHONE_RANKS.find(([, names]) => words.some((word) => names.has(word))) ?? [2];
  // `Phone 1 - Value` before `Phone 2 - Value`, `Primary Phone` before `Phone`.
  const place = Number(words.find((word) => /^\d{1,2}$/.test(word)) ?? '1');
  return rank + place / 100 - (words.includes('primary') ? 0.5 : 0.01);
}
