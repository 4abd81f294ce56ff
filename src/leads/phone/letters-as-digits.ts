/** North American numbers that end in a word. A word of one repeated letter (212-555-XXXX) hides the digits. */
const WORD = /^(\+?1?[2-9]\d{2}\d{0,4})([A-Z]{3,7})(\d{0,4})$/;
const KEYS = ['', '', 'ABC', 'DEF', 'GHI', 'JKL', 'MNO', 'PQRS', 'TUV', 'WXYZ'];

/** `212-555-CALL` as digits, or undefined where the letters are no part of a number. */
export function lettersAsDigits(text: string): string | undefined {
  const bare = text.replace(/[\s().-]/g, '').toUpperCase();
  const [, before, word, after] = WORD.exec(bare) ?? [];
  if (before === undefined || word === undefined || new Set(word).size < 2) return undefined;
  const digits = Array.from(word, (letter) => KEYS.findIndex((key) => key.includes(letter)));
  const number = `${before}${digits.join('')}${after ?? ''}`;
  return /^\+?1?\d{10}$/.test(number) ? number : undefined;
}
