import type { ListMapping } from '../../../domain/lists/list-mapping.ts';
import type { List } from '../../port.ts';

/** Reads the table `lists`, in rows that `toList` understands. */
export const SELECT_LISTS = `SELECT id, number, path, sha256, headers, at,
  finished_at AS finishedAt, good, rejected, duplicates, suppressed, mapping, as_of AS asOf, bytes, encoding, sheet,
  complete, importer FROM lists`;

/** A list whose arrays and objects are still JSON text. */
export interface ListRow extends Omit<List, 'headers' | 'mapping' | 'complete' | 'importer'> {
  headers: string;
  mapping: string | null;
  complete: 0 | 1;
  importer: string | null;
}

export function toList(row: ListRow): List {
  return {
    ...row,
    headers: JSON.parse(row.headers) as string[],
    mapping: JSON.parse(row.mapping ?? 'null') as ListMapping | null,
    complete: row.complete === 1,
    importer: JSON.parse(row.importer ?? 'null') as List['importer'],
  };
}
