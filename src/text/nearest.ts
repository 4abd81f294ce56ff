/** Characters; a longer text is no misspelt word. */
const LONGEST = 100;

/**
 * The known word that was probably meant: equal except for case and dashes, or a few letters away.
 * Undefined when none is near, so that no message suggests nonsense.
 */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  if (word.length > LONGEST) return undefined;
  const wanted = plain(word);
  const near = Array.from(known, (one) => ({
    word: one,
    distance: editDistance(wanted, plain(one)),
  }));
  const [best] = near.toSorted((a, b) => a.distance - b.distance);
  const allowed = Math.max(1, Math.floor(wanted.length / 3));
  return best !== undefined && best.distance <= allowed ? best.word : undefined;
}

function plain(word: string): string {
  return word.toLowerCase().replaceAll(/[-_ ]/g, '');
}

/** Optimal string alignment: insertions, deletions, replacements and swaps of neighbours. */
function editDistance(a: string, b: string): number {
  const rows: number[][] = [];
  const at = (i: number, j: number) => rows[i]?.[j] ?? Infinity;
  for (let i = 0; i <= a.length; i++) {
    const row: number[] = [];
    rows.push(row);
    for (let j = 0; j <= b.length; j++) {
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const replaced = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = isSwapped ? at(i - 2, j - 2) + 1 : Infinity;
      const best = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, replaced, swapped);
      row.push(i + j === 0 ? 0 : best);
    }
  }
  return at(a.length, b.length);
}
