import type { ExportRow, List } from '../store/port.ts';

/**
 * The lists' own columns, as one set for all lists of a campaign: their union, in order of first appearance. A header
 * that a list has twice gives two columns; the second is merged with the second column of that header in other lists.
 */
export function ownColumns(lists: readonly List[]) {
  const headers: string[] = [];
  const places = new Map<string, number>();
  const byList = new Map<number, number[]>();
  for (const list of lists) {
    const seen = new Map<string, number>();
    const own = [...list.headers, ...list.added.map(({ header }) => header)];
    const indexes = own.map((header) => {
      const nth = (seen.get(header) ?? 0) + 1;
      seen.set(header, nth);
      const key = `${nth} ${header}`;
      const known = places.get(key);
      if (known !== undefined) return known;
      places.set(key, headers.length);
      return headers.push(header) - 1;
    });
    byList.set(list.number, indexes);
  }
  // In a campaign with one list, the cells of every row are already in the order of `headers`.
  const isInOrder = (cells: readonly string[]) =>
    lists.length === 1 && cells.length === headers.length;

  return {
    /** The headers as written: those of the first list, then those that later lists add. */
    headers,
    /** The lead's cells in the order of `headers`; the lead must come from one of `lists`. */
    cellsOf: ({ cursor, cells }: Pick<ExportRow, 'cursor' | 'cells'>): string[] => {
      if (isInOrder(cells)) return cells;
      const own = new Array<string>(headers.length).fill('');
      for (const [i, index] of (byList.get(cursor.list) ?? []).entries())
        own[index] = cells[i] ?? '';
      return own;
    },
  };
}
