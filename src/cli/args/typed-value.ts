/**
 * The value of a flag among words that nobody has parsed yet, for what is needed before that or without it: messages
 * of mistakes, stack traces, completion. bash takes the = of `--db=x` for a word of its own.
 */
export function typedValue(flag: string, words: readonly string[]): string | undefined {
  const at = words.findIndex((word) => word === flag || word.startsWith(`${flag}=`));
  const [word, next, last] = at < 0 ? [] : words.slice(at);
  if (word !== undefined && word !== flag) return word.slice(flag.length + 1);
  return next === '=' ? last : next;
}
