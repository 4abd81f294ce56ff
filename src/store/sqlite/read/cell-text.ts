/** Cells are JSON text with several spellings for non-ASCII characters: `%` matches these; compare them afterwards. */
export function patternOf(word: string): string {
  const inJson = JSON.stringify(word).slice(1, -1);
  // eslint-disable-next-line no-control-regex -- must match everything outside of ASCII
  return `%${inJson.replaceAll(/[\\%_]/g, '\\$&').replaceAll(/[^\x00-\x7f]+/g, '%')}%`;
}

/** A cell, or what is looked for in it, in the spelling in which both are compared. */
export function comparable(text: string): string {
  return text.normalize('NFC').trim().toLowerCase();
}

/** True when each of the words is in one of the cells; the words are `comparable`. */
export function haveWords(cells: readonly string[], words: readonly string[]): boolean {
  const texts = cells.map(comparable);
  return words.every((word) => texts.some((text) => text.includes(word)));
}
