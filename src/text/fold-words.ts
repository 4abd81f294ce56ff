/** One spelling for all variants: `in-progress`, `inProgress`, `In Progress` and `IN_PROGRESS` become `in_progress`. */
export function normalizeWord(word: string): string {
  return word
    .trim()
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replace(/[\s.-]+/g, '_')
    .toLowerCase();
}

/** Shorter texts are not looked through for runs of marks. */
const SHORT = 200;

/**
 * One form for all ways to encode the same signs (NFKC). To order a run of accents takes time that grows with its
 * square, so 30 of a run are kept (Unicode Standard Annex 15, Stream-Safe Text Format).
 */
export function oneForm(text: string): string {
  const bounded = text.length > SHORT ? text.replace(/(\p{M}{30})\p{M}+/gu, '$1') : text;
  return bounded.normalize('NFKC');
}

/** Column headers in a form for comparing: `Phone_Number`, `phoneNumber` and `PHONE NUMBER` become equal. */
export function normalizeHeader(header: string): string {
  return oneForm(header)
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
}

/** Only this many characters of a header are compared: a longer one is a sentence, not a name. */
const LONGEST_HEADER = 200;

/** Letters that Unicode does not decompose, and what people type instead if their keyboard lacks them. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ł: 'l',
  ı: 'i',
  ς: 'σ',
  // Persian and Urdu keyboards have separate letters that look like the Arabic ones.
  ی: 'ي',
  ک: 'ك',
  ہ: 'ه',
  ھ: 'ه',
  ۃ: 'ة',
};

/**
 * Words in a form for comparing across spellings: `normalizeHeader` without accents, so that `Téléphone` and
 * `TELEPHONE`, `Không gọi` and `khong goi` are the same. Marks that change a word stay (Devanagari, Thai, kana,
 * Hangul).
 */
export function foldWords(text: string): string {
  const apart = text.slice(0, LONGEST_HEADER).replace(BESIDE_LATIN, '$& ');
  return foldLetters(normalizeHeader(apart));
}

/** The end of a word where two scripts meet: `SMS수신거부` is two words. */
const BESIDE_LATIN =
  /[a-z](?=[\p{sc=Han}\p{sc=Hangul}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}])|[\p{sc=Han}\p{sc=Hangul}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}](?=[a-z])/giu;

/** Removes accents and unifies letters that look alike; the text must be in lower case. */
export function foldLetters(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]|\u0640|[\u064b-\u0655]|\u093c/g, '')
    .replace(/[ßæœøđłıςیکہھۃ]/g, (letter) => LETTERS[letter] ?? letter)
    .normalize('NFC');
}
