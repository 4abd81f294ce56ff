import { createHash } from 'node:crypto';
import { AppError } from '../runtime/errors.ts';
import type { CsvRow } from './csv-rows.ts';
import { rowJudge, type RowOptions } from './judge-row.ts';
import type { ListRow } from './list-row.ts';
import { listRows } from './list-rows.ts';
import type { ScannedList } from './scan-list.ts';

/**
 * The rows of a scanned list, as they were then. Of a long list it holds one row and the numbers seen so far.
 *
 * @throws AppError `LIST_CHANGED` at the end of a list too long to be remembered, when the file's bytes are
 *   not those that were scanned
 */
export async function* readRows(list: ScannedList, options: RowOptions): AsyncGenerator<ListRow> {
  const judge = rowJudge(list, options);
  for await (const row of list.memory.rows ?? readAgain(list)) {
    if (row.line > list.headerLine) yield judge(row);
  }
}

/** Lets go of what was remembered: nobody reads the list a further time. */
export function forgetRows({ memory }: ScannedList): void {
  memory.rows = null;
  memory.phones.clear();
  memory.numbers.forget();
}

async function* readAgain(list: ScannedList): AsyncGenerator<CsvRow> {
  const hash = createHash('sha256');
  yield* listRows(list.file, list.format, (bytes) => hash.update(bytes));
  if (hash.digest('hex') !== list.sha256) throw changed(list.path);
}

function changed(path: string): AppError {
  return new AppError(
    'LIST_CHANGED',
    `${path} was changed while it was read; none of its leads is called.`,
    {
      hint: 'run the same command again when nothing writes to the file',
    },
  );
}
