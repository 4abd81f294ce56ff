/** A text with fewer digits is a short code, or only a part of a number. */
export const FEWEST_DIGITS = 7;

/** Characters that are read as one cell of numbers: for long texts some patterns take time that grows with its square. */
export const LONGEST_CELL = 1_000;

export function digitsIn(text: string): number {
  return text.replace(/\D+/g, '').length;
}

/** True for a cell that looks like a phone number, even a malformed one; false for a date. */
export function looksLikeNumber(cell: string): boolean {
  const written = cell.trim();
  if (written.length > LONGEST_CELL) return false;
  const text = written.normalize('NFKC').trim();
  const bare = text.replace(/^(?:[+(\s]*(?:tel:|['="]))+/i, '');
  if (/^['="]*\d{1,4}([-/.])\d{1,2}\1\d{1,4}(?:[ T].*)?$/.test(text)) return false;
  if (SCIENTIFIC.test(text)) return true;
  const digits = digitsIn(text);
  return (
    digits >= 6 &&
    digits <= 40 &&
    /^[\d\s().+/;,|-]+(?:[^\d\s().+/;,|-]\D{0,2}[\d\s().+/;,|"-]*)?$/.test(bare)
  );
}

/** True for placeholders that people write where there is no number. */
export function isMissing(text: string): boolean {
  return /^(?:n\/?a|none|null|nil|unknown|[-–—.?]*)$/i.test(text);
}

/** Matches a long number that a spreadsheet has shortened and that has lost its last digits: 2.12555E+9. */
export const SCIENTIFIC = /^\+?\d(?:[.,]\d+)?e\+?\d+$/i;

/** North American numbers that end in a word. A word of one repeated letter (212-555-XXXX) hides the digits. */
const WORD = /^(\+?1?[2-9]\d{2}\d{0,4})([A-Z]{3,7})(\d{0,4})$/;
const KEYS = ['', '', 'ABC', 'DEF', 'GHI', 'JKL', 'MNO', 'PQRS', 'TUV', 'WXYZ'];

/** `212-555-CALL` as digits, or undefined where the letters are not a part of a number. */
export function lettersAsDigits(text: string): string | undefined {
  const bare = text.replace(/[\s().-]/g, '').toUpperCase();
  const [, before, word, after] = WORD.exec(bare) ?? [];
  if (before === undefined || word === undefined || new Set(word).size < 2) return undefined;
  const digits = Array.from(word, (letter) => KEYS.findIndex((key) => key.includes(letter)));
  const number = `${before}${digits.join('')}${after ?? ''}`;
  return /^\+?1?\d{10}$/.test(number) ? number : undefined;
}
