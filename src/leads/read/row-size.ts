import type { CsvRow } from './regular-rows.ts';

/** About how many bytes the cells of a row take in memory: their letters, and as much for each cell as tells where it is. */
export function rowSize({ cells }: CsvRow): number {
  let size = cells.length * 8;
  for (const cell of cells) size += cell.length;
  return size;
}
