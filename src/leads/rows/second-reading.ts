import { createHash } from 'node:crypto';
import type { CsvRow } from '../read/row.ts';
import { batchesOf } from '../read/batches.ts';
import { rowJudge, type RowOptions } from './judge-row.ts';
import type { ListRow } from './list-row.ts';
import { listRows } from '../read/list-rows.ts';
import { listChanged } from '../read/unreadable.ts';
import type { ScannedList } from './first-reading.ts';

/**
 * The rows of a scanned list, some at a time, as they were then. Of a long list it holds few rows and the numbers.
 *
 * @throws AppError `LIST_CHANGED` at the end of a list too long to be remembered, when the file's bytes are
 *   not those that were scanned
 */
export async function* readRows(list: ScannedList, options: RowOptions): AsyncGenerator<ListRow[]> {
  const judge = rowJudge(list, options);
  const { rows } = list.memory;
  for await (const piece of rows === null ? readAgain(list) : batchesOf(rows)) {
    const data = piece.filter((row) => row.line > list.headerLine);
    yield data.map(judge);
  }
}

/** Lets go of what was remembered: nobody reads the list a further time. */
export function forgetRows({ memory }: ScannedList): void {
  memory.forget();
}

async function* readAgain(list: ScannedList): AsyncGenerator<CsvRow[]> {
  const hash = createHash('sha256');
  yield* listRows(list.file, list.format, (bytes) => hash.update(bytes));
  if (hash.digest('hex') !== list.sha256) throw listChanged(list.path);
}
