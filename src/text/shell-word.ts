/** A name as one word of a command that is to be pasted: `spring`, `'spring renewals'`. */
export function shellWord(word: string): string {
  return /^[\w./:@+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
