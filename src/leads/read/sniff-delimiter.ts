/** Delimiters that lists use, the most likely first. */
const DELIMITERS = [',', ';', '\t', '|'] as const;

/** How many lines are looked at. */
const LINES = 50;

/** A cell that contains nothing but a number. */
const NUMBER = /^[\s"'=+(]*\d[\d\s()./-]{5,}(?:"\s*)?$/;

/**
 * The delimiter of a list: the one that a `sep=` line names, else the one that splits the most lines into the same
 * number of cells; of two equally good ones, the one that leaves more whole numbers in cells. The detection of
 * csv-parse splits one-column files at a digit.
 *
 * @param head the beginning of the file
 */
export function sniffDelimiter(head: string): string {
  const named = /^\ufeff?sep=(.)\r?\n/i.exec(head)?.[1];
  if (named !== undefined) return named;
  const lines = linesOf(head);
  const scored = DELIMITERS.map((delimiter) => ({ delimiter, score: scoreOf(lines, delimiter) }));
  return scored.reduce((best, next) => (isBetter(next.score, best.score) ? next : best)).delimiter;
}

/** The lines without quoted text and without the last line, which may be cut off. */
function linesOf(head: string): string[] {
  const pieces = head.split('"');
  // Every second piece is quoted, but not behind a quote without an end.
  const bare = pieces.filter((_, at) => at % 2 === 0 || at === pieces.length - 1).join('"');
  const lines = bare.split(/[\r\n]+/).filter((line) => line.trim() !== '');
  return lines.slice(0, Math.max(1, Math.min(LINES, lines.length - 1)));
}

/** Scores, most important first: lines with the usual number of cells, cells that are numbers, cells per line. */
function scoreOf(lines: readonly string[], delimiter: string): number[] {
  const widths = new Map<number, number>();
  let numbers = 0;
  for (const line of lines) {
    const cells = line.split(delimiter);
    if (cells.length > 1) widths.set(cells.length, (widths.get(cells.length) ?? 0) + 1);
    numbers += cells.filter((cell) => NUMBER.test(cell)).length;
  }
  const [width = 1, agreeing = 0] = [...widths].sort((a, b) => b[1] - a[1])[0] ?? [];
  return [agreeing, numbers, width];
}

function isBetter(score: readonly number[], than: readonly number[]): boolean {
  const at = score.findIndex((value, place) => value !== than[place]);
  return (score[at] ?? 0) > (than[at] ?? 0);
}
