/** How many answers are kept by default: for the names of all columns, and the same few values in a million rows. */
const MOST_REMEMBERED = 4_000;

/** Characters: a longer text hardly occurs again, and a thousand of them would fill the memory. */
const LONGEST = 200;

/** Wraps a function so that it remembers its answers, for texts that occur again and again. */
export function remembered<T>(
  read: (text: string) => T,
  most = MOST_REMEMBERED,
): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined || known.has(text)) return before as T;
    const answer = read(text);
    if (text.length > LONGEST) return answer;
    if (known.size >= most) known.clear();
    known.set(text, answer);
    return answer;
  };
}

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
export const foldWords = remembered((text: string): string => {
  const apart = text.slice(0, LONGEST_HEADER).replace(BESIDE_LATIN, '$& ');
  return foldLetters(normalizeHeader(apart));
});

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

/** Part of a phrase: words in a row, one such row or another; or up to three words of any kind. */
type Part = '*' | string[][];

/**
 * Tests whether a folded text contains one of several phrases, separated by ` | `. In a phrase, `a/b` is either word,
 * `a_b` two words in a row, `anruf…` any word with this beginning, `*` up to three words of any kind. A phrase that
 * begins with `=` is also found inside words, for languages without spaces.
 */
export function phraseTest(phrases: string): (folded: string) => boolean {
  let known: ReturnType<typeof read> | undefined;
  return remembered((folded) => {
    // Read at the first use, and not as one regular expression: to compile thousands of words takes 0.1 s.
    const { phrasesOf, inside } = (known ??= read(phrases));
    const { words, distinct, together } = wordsOf(folded);
    const likely = new Map<string, Part[][]>();
    for (const word of distinct) {
      const all = phrasesOf(word).filter((parts) => parts.every((part) => isAmong(distinct, part)));
      if (all.length > 0) likely.set(word, all);
    }
    return (
      (likely.size > 0 &&
        words.some((word, at) => likely.get(word)?.some((parts) => isAt(at, words, parts)))) ||
      (inside?.test(together) ?? false)
    );
  });
}

/** Of the text that was asked about last: a dozen tests ask about the same one. */
let asked = { text: '', words: [''], distinct: new Set(['']), together: '' };

function wordsOf(text: string) {
  if (asked.text !== text) {
    const words = text.split(' ');
    asked = { text, words, distinct: new Set(words), together: words.join('') };
  }
  return asked;
}

function read(phrases: string) {
  /** Phrases by how their first word starts, each as often as there are first words. */
  const byStart = new Map<string, Part[][]>();
  const inside: string[] = [];
  for (const phrase of foldLetters(phrases).split('|')) {
    const [first = '', ...rest] = phrase.trim().split(' ');
    if (first.startsWith('=')) inside.push(...phrase.trim().slice(1).split('/'));
    else if (first !== '') {
      const others = rest.map((part) => (part === '*' ? part : rowsOf(part)));
      for (const row of rowsOf(first)) {
        const start = startOf(row[0]);
        const same = byStart.get(start) ?? [];
        byStart.set(start, same);
        same.push([[row], ...others]);
      }
    }
  }
  return {
    /** The phrases that may begin with a word: texts have the same words again and again. */
    phrasesOf: remembered((word) =>
      (byStart.get(startOf(word)) ?? []).filter(([row = []]) => isWord(row[0]?.[0] ?? '', word)),
    ),
    inside: inside.length === 0 ? undefined : new RegExp(inside.join('|')),
  };
}

/** Two letters: no beginning of a word (`anruf…`) is shorter. */
function startOf(word = ''): string {
  return word.slice(0, 2);
}

function rowsOf(part: string): string[][] {
  return part.split('/').map((row) => row.split('_'));
}

/** Whether a text of these words may have the part: most texts with the first word of a phrase have no other of it. */
function isAmong(words: ReadonlySet<string>, part: Part): boolean {
  return (
    part === '*' || part.some((row) => row.every((own) => own.endsWith('...') || words.has(own)))
  );
}

/** Whether the words from `at` on begin with these parts, from the `n`th on. */
function isAt(at: number, words: readonly string[], parts: readonly Part[], n = 0): boolean {
  const part = parts[n];
  if (part === undefined) return true;
  if (part === '*') return [0, 1, 2, 3].some((more) => isAt(at + more, words, parts, n + 1));
  return part.some(
    (row) =>
      row.every((own, i) => isWord(own, words[at + i])) &&
      isAt(at + row.length, words, parts, n + 1),
  );
}

function isWord(own: string, word = ''): boolean {
  // `foldLetters` (NFKD) has turned `…` into three dots.
  return word === own || (own.endsWith('...') && word.startsWith(own.slice(0, -3)));
}
