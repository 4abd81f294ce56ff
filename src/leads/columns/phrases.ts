import { foldLetters } from '../../text/fold-words.ts';

/**
 * Tests whether a folded text contains one of several phrases, separated by ` | `. In a phrase, `a/b` is either word,
 * `a_b` two words in a row, `anruf…` any word with this beginning, `*` up to three words of any kind. A phrase that
 * begins with `=` is also found inside words, for languages without spaces.
 */
export function phraseTest(phrases: string): (folded: string) => boolean {
  let compiled: { spaced: RegExp; unspaced: RegExp } | undefined;
  return (folded) => {
    // Compiled at the first use: there are thousands of words, and most commands need none of them.
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
  // Without patterns, a RegExp that never matches.
  if (patterns.length === 0) return /(?!)/u;
  return new RegExp(`${before}(?:${patterns.join('|')})`);
}
