import { plainHeader } from './plain-header.ts';

/** A longer header is read so far only: it is text, no name. */
const LONGEST_HEADER = 200;

/** Letters that Unicode does not take apart, as people write them who have no key for them. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ł: 'l',
  ı: 'i',
  ς: 'σ',
  // Persian and Urdu keyboards have letters of their own that look the same.
  ی: 'ي',
  ک: 'ك',
  ہ: 'ه',
  ھ: 'ه',
  ۃ: 'ة',
};

/**
 * Words as they are compared across spellings: `plainHeader` without accents, so that `Téléphone` and `TELEPHONE`,
 * `Không gọi` and `khong goi` are the same. Marks that change a word stay (Devanagari, Thai, kana, Hangul).
 */
export function foldWords(text: string): string {
  return foldLetters(plainHeader(text.slice(0, LONGEST_HEADER)));
}

function foldLetters(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]|\u0640|[\u064b-\u0655]|\u093c/g, '')
    .replace(/[ßæœøđłıςیکہھۃ]/g, (letter) => LETTERS[letter] ?? letter)
    .normalize('NFC');
}

/**
 * Phrases that are looked for anywhere in a header, separated by ` | `. Of a phrase: `a/b` is either word, `a_b` two
 * words in a row, `anruf…` any word that begins so, `*` up to three words of any kind. What begins with `=` is looked
 * for inside of words too, as languages without spaces need it.
 */
export function phraseTest(phrases: string): (folded: string) => boolean {
  let spaced: RegExp | undefined;
  let unspaced: RegExp | undefined;
  function compile(): [RegExp, RegExp] {
    const all = foldLetters(phrases)
      .split('|')
      .map((phrase) => phrase.trim());
    const inside = all.filter((phrase) => phrase.startsWith('='));
    const words = all.filter((phrase) => phrase !== '' && !phrase.startsWith('='));
    unspaced = either(inside.flatMap((phrase) => alternatives(phrase.slice(1), '')));
    spaced = either(words.map(asPattern), '(?:^| )');
    return [spaced, unspaced];
  }
  return (folded) => {
    // Thousands of words: made at the first list, not at every start of the program.
    const [first, second] =
      spaced === undefined || unspaced === undefined ? compile() : [spaced, unspaced];
    return first.test(`${folded} `) || second.test(folded.replaceAll(' ', ''));
  };
}

function asPattern(phrase: string): string {
  return phrase
    .split(' ')
    .map((part) => (part === '*' ? '(?:\\S+ ){0,3}' : `(?:${alternatives(part, ' ').join('|')})`))
    .join('');
}

function alternatives(part: string, end: string): string[] {
  return part.split('/').map((word) => {
    // The sign of a stem has been folded, too.
    const stem = word.endsWith('...') ? '\\S*' : '';
    return word.replaceAll('_', ' ').replace('...', '') + stem + end;
  });
}

function either(patterns: readonly string[], before = ''): RegExp {
  // Nothing to look for: nothing is found.
  if (patterns.length === 0) return /(?!)/u;
  return new RegExp(`${before}(?:${patterns.join('|')})`);
}
