/**
 * The value of a flag among words that are not parsed yet, for what is needed before parsing or without it: messages of
 * mistakes, stack traces, completion.
 */
export function typedValue(flag: string, words: readonly string[]): string | undefined {
  const at = words.findIndex((word) => word === flag || word.startsWith(`${flag}=`));
  const word = words[at];
  return word === flag ? words[at + 1] : word?.slice(flag.length + 1);
}
