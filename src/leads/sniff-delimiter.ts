/** Delimiters of lists, the likelier first. */
const DELIMITERS = [',', ';', '\t', '|'] as const;

/**
 * The delimiter of a list by its header line: the one that a `sep=` line names, else the most frequent
 * outside quotes, else a comma. csv-parse's own guess splits one-column files at a digit.
 *
 * @param head the beginning of the file
 */
export function sniffDelimiter(head: string): string {
  const named = /^sep=(.)\r?\n/i.exec(head)?.[1];
  if (named !== undefined) return named;
  const header = firstLine(head.replace(/"[^"]*"/g, ''));
  let best: string = DELIMITERS[0];
  for (const delimiter of DELIMITERS) {
    if (count(header, delimiter) > count(header, best)) best = delimiter;
  }
  return best;
}

function firstLine(text: string): string {
  return text.split(/[\r\n]+/).find((line) => line.trim() !== '') ?? '';
}

function count(text: string, delimiter: string): number {
  return text.split(delimiter).length - 1;
}
