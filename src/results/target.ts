import { constants, existsSync } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileTroubleOf } from '../domain/file-trouble.ts';
import { AppError, EXIT } from '../runtime/errors.ts';
import { beginFile } from '../runtime/replace-file.ts';

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
export async function resolveTarget(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return path;
  if (found.isFile()) return realpath(path);
  const what = found.isDirectory() ? 'is a folder' : 'is not a regular file';
  throw notWritable(path, what);
}

/** Turns disk errors into an error that names the results file. @throws AppError `RESULTS_NOT_WRITABLE` */
export async function explained<T>(path: string, work: () => Promise<T>): Promise<T> {
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
