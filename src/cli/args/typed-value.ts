/**
 * The value of a flag among words that are not parsed yet, for what is needed before parsing or without it: messages of
 * mistakes, stack traces, completion. In completion, bash passes the = of `--db=x` as a word of its own.
 */
export function typedValue(flag: string, words: readonly string[]): string | undefined {
  const at = words.findIndex((word) => word === flag || word.startsWith(`${flag}=`));
  const [word, next, last] = at < 0 ? [] : words.slice(at);
  if (word !== undefined && word !== flag) return word.slice(flag.length + 1);
  return next === '=' ? last : next;
}
