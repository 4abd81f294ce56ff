import { copyFile, link, lstat, mkdir, rename, unlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DONE, isSameState, type FileState } from '../../leads/folders/candidates.ts';
import { nthName } from '../../leads/folders/fates.ts';
import { stateAt } from './scan-places.ts';

/** What goes with a moved list: a copy of its rejected rows, or the reason for which it was refused. */
export type Beside = { rejects: string } | { reason: string } | null;

/**
 * Moves a file into the folder `taken` or `refused` beside it, under a name that is free there. A file of the same name
 * that is another one by now stays.
 *
 * @returns where it is now; null: the file that was seen is not there any more
 * @throws the system's error
 */
export async function moveFile(
  path: string,
  expected: FileState,
  to: 'taken' | 'refused',
  beside: Beside = null,
): Promise<string | null> {
  const folder = join(dirname(path), to);
  await mkdir(folder, { recursive: true });
  const target = await linkFree(path, expected, folder);
  if (target === null) return null;
  // What belongs to the list comes first: after a crash here the list is moved again, by a second name at most.
  if (beside !== null) await putBeside(target, beside);
  await removeSame(path, target);
  const marker = path + DONE;
  await rename(marker, target + DONE).catch(ignoreMissing);
  return target;
}

/** A second name for the file; null when the file is not the one that was seen. */
async function linkFree(path: string, expected: FileState, folder: string): Promise<string | null> {
  for (let n = 1; ; n++) {
    const target = join(folder, nthName(basename(path), n));
    const there = await stateAt(target);
    // Moving was interrupted between the two names.
    if (there !== undefined && isSameState(there, expected)) return target;
    if (there !== undefined) continue;
    try {
      await link(path, target);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST') continue;
      if (code === 'ENOENT') return null;
      if (!NO_LINKS.includes(code ?? '')) throw error;
      return renamed(path, expected, target);
    }
    const moved = await stateAt(target);
    if (moved !== undefined && isSameState(moved, expected)) return target;
    await unlink(target);
    return null;
  }
}

/** File systems without hard links, and links where the system forbids them. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EACCES'];

/** A rename, which may replace a file that got this very name in the same moment; nothing better is possible there. */
async function renamed(path: string, expected: FileState, target: string): Promise<string | null> {
  const now = await stateAt(path);
  if (now === undefined || !isSameState(now, expected)) return null;
  await rename(path, target);
  return target;
}

/** Removes the first name, unless another file got it meanwhile. */
async function removeSame(path: string, target: string): Promise<void> {
  const [now, moved] = [await stateAt(path), await stateAt(target)];
  if (now !== undefined && now.ino === moved?.ino) await unlink(path).catch(ignoreMissing);
}

async function putBeside(target: string, beside: NonNullable<Beside>): Promise<void> {
  if ('reason' in beside) await writeFile(`${target}.refused.txt`, beside.reason);
  else await copyFile(beside.rejects, `${target}.rejects.csv`).catch(ignoreMissing);
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

/** Moves a link itself; what it leads to stays as it is. */
export async function moveLink(path: string, reason: string): Promise<string> {
  const folder = join(dirname(path), 'refused');
  await mkdir(folder, { recursive: true });
  for (let n = 1; ; n++) {
    const target = join(folder, nthName(basename(path), n));
    if ((await lstat(target).catch(() => undefined)) !== undefined) continue;
    await rename(path, target);
    await putBeside(target, { reason });
    return target;
  }
}
