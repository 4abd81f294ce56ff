import { foldLetters } from './fold-words.ts';

/**
 * Tests whether a folded text contains one of several phrases, separated by ` | `. In a phrase, `a/b` is either word,
 * `a_b` two words in a row, `anruf…` any word with this beginning, `*` up to three words of any kind. A phrase that
 * begins with `=` is also found inside words, for languages without spaces.
 */
export function phraseTest(phrases: string): (folded: string) => boolean {
  let compiled: ReturnType<typeof compile> | undefined;
  return (folded) => {
    // Compiled at the first use: there are thousands of words, and most commands need none of them.
    const { spaced, unspaced, isUnspaced } = (compiled ??= compile(phrases));
    return spaced(`${folded} `) || (isUnspaced(folded) && unspaced(folded.replaceAll(' ', '')));
  };
}

function compile(phrases: string) {
  const all = foldLetters(phrases)
    .split('|')
    .map((phrase) => phrase.trim());
  const inside = all
    .filter((phrase) => phrase.startsWith('='))
    .flatMap((phrase) => alternatives(phrase.slice(1), ''));
  const unspaced = either(inside);
  const firstLetters = either(inside.map(([first = '']) => first));
  return {
    spaced: spacedTest(all.filter((phrase) => phrase !== '' && !phrase.startsWith('='))),
    unspaced: (text: string) => unspaced.test(text),
    isUnspaced: (text: string) => firstLetters.test(text),
  };
}

/**
 * Looks only for the phrases that begin with a word of the text. One RegExp of all phrases needs a hundred times as
 * long: 2.2 ms for a transcript of 1,200 characters.
 */
function spacedTest(phrases: readonly string[]): (text: string) => boolean {
  const byFirst = new Map<string, string[]>();
  const compiled = new Map<string, RegExp>();
  const stems: string[] = [];
  for (const phrase of phrases) {
    const [head = '', ...rest] = phrase.split(' ');
    for (const begin of alternatives(head, ' ')) {
      const [first = ''] = begin.split(' ');
      const pattern = begin + rest.map(asPattern).join('');
      if (first.endsWith('*')) stems.push(pattern);
      else byFirst.set(first, [...(byFirst.get(first) ?? []), pattern]);
    }
  }
  const stem = either(stems, '(?:^| )');
  const beginningWith = (word: string) => {
    const known = compiled.get(word);
    const patterns = known === undefined ? byFirst.get(word) : undefined;
    if (patterns === undefined) return known;
    const made = either(patterns, '', 'y');
    compiled.set(word, made);
    return made;
  };
  return (text) => {
    for (let at = 0, end = text.indexOf(' '); end !== -1; end = text.indexOf(' ', at)) {
      const pattern = beginningWith(text.slice(at, end));
      if (pattern !== undefined) {
        pattern.lastIndex = at;
        if (pattern.test(text)) return true;
      }
      at = end + 1;
    }
    return stem.test(text);
  };
}

function asPattern(part: string): string {
  return part === '*' ? '(?:\\S+ ){0,3}' : `(?:${alternatives(part, ' ').join('|')})`;
}

function alternatives(part: string, end: string): string[] {
  return part.split('/').map((word) => {
    // `foldLetters` (NFKD) has turned `…` into three dots.
    const stem = word.endsWith('...') ? '\\S*' : '';
    return word.replaceAll('_', ' ').replace('...', '') + stem + end;
  });
}

function either(patterns: readonly string[], before = '', flags = ''): RegExp {
  // Without patterns, a RegExp that never matches.
  if (patterns.length === 0) return /(?!)/u;
  return new RegExp(`${before}(?:${patterns.join('|')})`, flags);
}
