/** A name quoted as one word of a shell command: `spring`, `'spring renewals'`. */
export function shellWord(word: string): string {
  return /^[\w./:@+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
