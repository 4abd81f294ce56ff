/** One spelling for all of `in-progress`, `inProgress`, `In Progress` and `IN_PROGRESS`: `in_progress`. */
export function normalizeWord(word: string): string {
  return word
    .trim()
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replace(/[\s.-]+/g, '_')
    .toLowerCase();
}
