import { foldLetters } from './fold-words.ts';

/** Part of a phrase: words in a row, one such row or another; or up to three words of any kind. */
type Part = '*' | string[][];

/**
 * Tests whether a folded text contains one of several phrases, separated by ` | `. In a phrase, `a/b` is either word,
 * `a_b` two words in a row, `anruf…` any word with this beginning, `*` up to three words of any kind. A phrase that
 * begins with `=` is also found inside words, for languages without spaces.
 */
export function phraseTest(phrases: string): (folded: string) => boolean {
  let known: ReturnType<typeof read> | undefined;
  return (folded) => {
    // Read at the first use, and not as one regular expression: to compile thousands of words takes 0.1 s.
    const { byStart, inside } = (known ??= read(phrases));
    const words = folded.split(' ');
    return (
      words.some((word, at) =>
        byStart.get(startOf(word))?.some((parts) => isAt(at, words, parts)),
      ) ||
      (inside?.test(words.join('')) ?? false)
    );
  };
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
        byStart.set(start, [...(byStart.get(start) ?? []), [[row], ...others]]);
      }
    }
  }
  return { byStart, inside: inside.length === 0 ? undefined : new RegExp(inside.join('|')) };
}

/** Two letters: no beginning of a word (`anruf…`) is shorter. */
function startOf(word = ''): string {
  return word.slice(0, 2);
}

function rowsOf(part: string): string[][] {
  return part.split('/').map((row) => row.split('_'));
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
