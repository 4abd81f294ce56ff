import { createHash } from 'node:crypto';
import type { CsvRow } from '../read/row.ts';
import { inTurns } from '../read/batches.ts';
import { rowJudge } from './judge-row.ts';
import type { RowOptions } from './row-numbers.ts';
import type { ListRow } from './list-row.ts';
import { listRows } from '../read/list-rows.ts';
import { listChanged } from '../read/unreadable.ts';
import type { ScannedList } from './first-reading.ts';

/**
 * The judged rows of a surveyed list, in batches: from memory, or read from the file again where the list is long.
 *
 * @throws AppError `LIST_CHANGED` after the last row of a list too long to be kept in memory, when the file's bytes
 *   are not those that were scanned
 */
export async function* readRows(list: ScannedList, options: RowOptions): AsyncGenerator<ListRow[]> {
  const judge = rowJudge(list, options);
  const { rows } = list.memory;
  for await (const piece of rows === null ? readAgain(list) : inTurns([rows])) {
    const data = piece.filter((row) => row.line > list.headerLine);
    yield data.map(judge);
  }
}

async function* readAgain(list: ScannedList): AsyncGenerator<CsvRow[]> {
  const hash = createHash('sha256');
  yield* listRows(list.file, list.format, (bytes) => hash.update(bytes));
  if (hash.digest('hex') !== list.sha256) throw listChanged(list.path);
}
