import { realpath, stat } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { AppError, EXIT, messageOf } from '../runtime/errors.ts';
import { beginFile } from '../runtime/replace-file.ts';
import type { Campaign, ExportCursor, Store } from '../store/port.ts';
import { RESULT_FORMATS, type ResultFormatName } from './formats.ts';
import { ownColumns } from './own-columns.ts';
import { resultRows } from './rows.ts';

export interface WriteOptions {
  store: Store;
  campaign: Campaign;
  /** A path, or an open stream (`-o -` is the standard output), which is not ended; its errors come as they are. */
  to: string | Writable;
  format: ResultFormatName;
}

const ROWS_PER_PAGE = 500;

/** No disk, no room: a person has to make some. */
const FULL = new Set(['ENOSPC', 'EDQUOT']);

/**
 * Writes one row per lead of the campaign, every lead of the lists that it has now. A file appears under its
 * name when it is whole and on disk (mode 0600), in the place of what was there. One page of rows is in
 * memory at a time.
 *
 * @returns how many rows, and the path as it was resolved; null for a stream
 * @throws AppError `RESULTS_NOT_WRITABLE`; what was there before is untouched then
 */
export async function writeResults(
  options: WriteOptions,
): Promise<{ rows: number; path: string | null }> {
  const { to } = options;
  if (typeof to !== 'string') {
    return { rows: await writePages(options, (text) => writeTo(to, text)), path: null };
  }
  const path = await resolveTarget(to);
  const file = await explained(to, () => beginFile(path));
  try {
    const rows = await writePages(options, (text) => explained(to, () => file.write(text)));
    await explained(to, () => file.commit(path));
    return { rows, path };
  } finally {
    await file.discard();
  }
}

/**
 * Fails now rather than after the calls: tries to write beside `path`, and removes what it wrote. Makes the
 * folders that are missing.
 *
 * @throws AppError `RESULTS_NOT_WRITABLE`
 */
export async function assertWritable(path: string): Promise<void> {
  const target = await resolveTarget(path);
  await explained(path, async () => {
    await (await beginFile(target)).discard();
  });
}

async function writePages(
  { store, campaign, format }: WriteOptions,
  write: (text: string) => Promise<void>,
): Promise<number> {
  const own = ownColumns(await store.lists(campaign.id));
  const toRow = resultRows(campaign);
  const { head, detail, row: toText } = RESULT_FORMATS[format](own.headers);
  if (head !== '') await write(head);
  let rows = 0;
  let after: ExportCursor | null = null;
  for (;;) {
    const page = await store.exportPage(campaign.id, after, ROWS_PER_PAGE, detail);
    const texts: string[] = [];
    for (const row of page) {
      const cells = own.cellsOf(row);
      // A list that is being added meanwhile has columns that the head does not name: the next file has it.
      if (cells !== undefined) texts.push(toText({ own: cells, ...toRow(row) }));
    }
    if (texts.length > 0) await write(texts.join(''));
    rows += texts.length;
    const last = page.at(-1);
    if (last === undefined || page.length < ROWS_PER_PAGE) return rows;
    after = last.cursor;
  }
}

/** A link is followed, so that it stays; a folder or a device is never replaced by a file. */
async function resolveTarget(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return path;
  if (found.isFile()) return realpath(path);
  const what = found.isDirectory() ? 'is a folder' : 'is not a regular file';
  throw notWritable(path, what, EXIT.usage);
}

async function explained<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    const exitCode = FULL.has(code) ? EXIT.person : EXIT.usage;
    throw notWritable(path, `cannot be written (${messageOf(error)})`, exitCode, error);
  }
}

function notWritable(
  path: string,
  what: string,
  exitCode: typeof EXIT.usage | typeof EXIT.person,
  cause?: unknown,
): AppError {
  const hint =
    exitCode === EXIT.person
      ? 'make room on the disk, then export again: the results are kept in the database'
      : 'name a file in a folder that you may write to with -o, or -o - for the standard output';
  const message = `the results file ${path} ${what}; allowed is a file that can be created or replaced.`;
  return new AppError('RESULTS_NOT_WRITABLE', message, { hint, exitCode, cause });
}

/** Waits until the stream has taken the text, so that a slow reader slows us and fills no memory. */
function writeTo(stream: Writable, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => {
      if (error == null) resolve();
      else reject(error);
    });
  });
}
