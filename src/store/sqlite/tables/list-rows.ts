import type { ListMapping } from '../../../domain/lists/list-mapping.ts';
import type { List } from '../../port.ts';

/** A row of the table `lists`. */
export interface ListRow {
  id: string;
  campaign_id: string;
  number: number;
  path: string;
  sha256: string;
  headers: string;
  at: number;
  finished_at: number | null;
  good: number;
  rejected: number;
  duplicates: number;
  suppressed: number;
  mapping: string | null;
  as_of: number | null;
  bytes: number | null;
  encoding: string | null;
  sheet: string | null;
  complete: 0 | 1;
  importer: string | null;
}

export function toList(row: ListRow): List {
  return {
    id: row.id,
    number: row.number,
    path: row.path,
    sha256: row.sha256,
    headers: JSON.parse(row.headers) as string[],
    at: row.at,
    finishedAt: row.finished_at,
    good: row.good,
    rejected: row.rejected,
    duplicates: row.duplicates,
    suppressed: row.suppressed,
    mapping: row.mapping === null ? null : (JSON.parse(row.mapping) as ListMapping),
    asOf: row.as_of,
    bytes: row.bytes,
    encoding: row.encoding,
    sheet: row.sheet,
    complete: row.complete === 1,
    importer: row.importer === null ? null : (JSON.parse(row.importer) as List['importer']),
  };
}
