import { foldLetters } from '../../text/fold-words.ts';

/**
 * Phrases that are looked for anywhere in a header, separated by ` | `. Of a phrase: `a/b` is either word, `a_b` two
 * words in a row, `anruf…` any word that begins so, `*` up to three words of any kind. What begins with `=` is looked
 * for inside of words too, as languages without spaces need it.
 */
export function phraseTest(phrases: string): (folded: string) => boolean {
  let compiled: { spaced: RegExp; unspaced: RegExp } | undefined;
  return (folded) => {
    // Compiled at the first use: thousands of words, which most commands never need.
    const { spaced, unspaced } = (compiled ??= compile(phrases));
    return spaced.test(`${folded} `) || unspaced.test(folded.replaceAll(' ', ''));
  };
}

function compile(phrases: string) {
  const all = foldLetters(phrases)
    .split('|')
    .map((phrase) => phrase.trim());
  const inside = all.filter((phrase) => phrase.startsWith('='));
  const words = all.filter((phrase) => phrase !== '' && !phrase.startsWith('='));
  const unspaced = either(inside.flatMap((phrase) => alternatives(phrase.slice(1), '')));
  return { spaced: either(words.map(asPattern), '(?:^| )'), unspaced };
}

function asPattern(phrase: string): string {
  return phrase
    .split(' ')
    .map((part) => (part === '*' ? '(?:\\S+ ){0,3}' : `(?:${alternatives(part, ' ').join('|')})`))
    .join('');
}

function alternatives(part: string, end: string): string[] {
  return part.split('/').map((word) => {
    // `foldLetters` (NFKD) has turned `…` into three dots.
    const stem = word.endsWith('...') ? '\\S*' : '';
    return word.replaceAll('_', ' ').replace('...', '') + stem + end;
  });
}

function either(patterns: readonly string[], before = ''): RegExp {
  // Nothing to look for: nothing is found.
  if (patterns.length === 0) return /(?!)/u;
  return new RegExp(`${before}(?:${patterns.join('|')})`);
}
