import { constants, existsSync } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Writable } from 'node:stream';
import { promisify } from 'node:util';

import { fileTroubleOf } from '../domain/file-trouble.ts';
import { AppError, EXIT } from '../runtime/errors.ts';
import { beginFile, openSpool } from '../runtime/files.ts';
import type { Sink } from './format.ts';

/** Error codes of a full disk, which only a person can clear. */
const FULL = new Set(['ENOSPC', 'EDQUOT']);

/**
 * Checks before the calls that results can be written: creates a temporary file beside `path` and removes it. Makes
 * missing folders.
 *
 * @throws AppError `RESULTS_NOT_WRITABLE`
 */
export async function assertWritable(path: string): Promise<void> {
  await assertWritableUnwritten(path);
  const target = await resolveTarget(path);
  await explained(path, async () => {
    await (await beginFile(target)).discard();
  });
}

/**
 * As `assertWritable`, without writing anything: checks that a file may be created in the nearest existing folder.
 *
 * @throws AppError `RESULTS_NOT_WRITABLE`
 */
export async function assertWritableUnwritten(path: string): Promise<void> {
  let folder = dirname(await resolveTarget(path));
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  await explained(path, async () => {
    if (!(await stat(folder)).isDirectory()) throw new Error(`${folder} is no folder`);
    await access(folder, constants.W_OK | constants.X_OK);
  });
}

/**
 * The path of the file to replace: a link is followed, so that the link stays; a folder or a device is refused.
 *
 * @throws AppError `RESULTS_NOT_WRITABLE`
 */
async function resolveTarget(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return path;
  if (found.isFile()) return realpath(path);
  const what = found.isDirectory() ? 'is a folder' : 'is not a regular file';
  throw notWritable(path, what);
}

/** Turns disk errors into an error that names the results file. @throws AppError `RESULTS_NOT_WRITABLE` */
async function explained<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw notWritable(path, fileTroubleOf(error, 'written').is, error);
  }
}

function notWritable(path: string, what: string, cause?: unknown): AppError {
  const isFull = FULL.has((cause as NodeJS.ErrnoException | undefined)?.code ?? '');
  const hint = isFull
    ? 'make room on the disk, then export again: the results are kept in the database'
    : 'name a file in a folder that you may write to with -o, or -o - for the standard output';
  const message = `The results file ${path} ${what}; it must be a file that can be created or replaced.`;
  const exitCode = isFull ? EXIT.person : EXIT.usage;
  return new AppError('RESULTS_NOT_WRITABLE', message, { hint, exitCode, cause });
}

/**
 * Lets `write` write to a file, which appears under its name (mode 0600) only when it is complete and on disk, or to an
 * open stream, which is not ended.
 *
 * @returns the number of rows that `write` returned, and the resolved path; null for a stream
 * @throws AppError `RESULTS_NOT_WRITABLE`, with an existing file untouched; errors of a stream are thrown unchanged
 */
export async function writeOut(
  to: string | Writable,
  write: (sink: Sink) => Promise<number>,
): Promise<{ rows: number; path: string | null }> {
  return typeof to === 'string' ? toFile(to, write) : toStream(to, write);
}

async function toFile(to: string, write: (sink: Sink) => Promise<number>) {
  const path = await resolveTarget(to);
  const file = await explained(to, () => beginFile(path));
  try {
    const rows = await write((chunk) => explained(to, () => file.write(chunk)));
    await explained(to, () => file.commit(path));
    return { rows, path };
  } finally {
    await file.discard();
  }
}

/** Writes to the disk first, so that the snapshot does not stay open for a slow reader, such as a pager. */
async function toStream(to: Writable, write: (sink: Sink) => Promise<number>) {
  const spool = await openSpool();
  try {
    const rows = await write(async (chunk) => {
      if (to.destroyed) throw to.errored ?? new Error('nobody reads this any more');
      await spool.write(chunk);
    });
    // Waits until the stream has taken each chunk, so that chunks do not pile up in memory for a slow reader.
    const take = promisify((chunk: Buffer, taken: (error?: Error | null) => void) =>
      to.write(chunk, taken),
    );
    for await (const chunk of spool.read()) await take(chunk);
    return { rows, path: null };
  } finally {
    await spool.close();
  }
}
