import { copyFile, link, lstat, mkdir, rename, unlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import type { ListSources } from '../../domain/lists/list-mapping.ts';
import {
  DONE,
  isAtWork,
  isSameState,
  nthName,
  type FileState,
} from '../../leads/folders/candidates.ts';
import { isGone } from '../../runtime/process.ts';
import type { Campaign, WatchedList } from '../../store/port.ts';
import type { World } from '../world.ts';
import type { TakingCampaign } from './import-staged.ts';
import { stateAt } from './scan-places.ts';

/** A list that was refused, or has rows that were held back, as problems and notices name it. */
export interface RefusedList {
  campaign: Campaign;
  /** Where the file was found, or its address. */
  path: string;
  /** Of its bytes; null: it was not read. */
  sha256: string | null;
  /** The code of the error, e.g. `LIST_HAS_NO_PHONE_COLUMN`. */
  code: string;
  /** One sentence, and the next step. */
  why: string;
  hint: string | null;
  /** How many rows were held back of a list that was taken; null: it was not taken. */
  held: number | null;
}

/**
 * Called for each list that is refused, before it is kept that it was: a process that is killed in between calls it
 * again with the same list.
 */
export type OnRefused = (list: RefusedList) => Promise<void>;

/** What a process remembers from look to look; nothing depends on it but how often files are read and told of. */
export interface Remembered {
  /** By path: when a state of a file was seen first (monotonic ms). */
  seen: Map<string, { state: FileState; at: number }>;
  /** Files that stay in their place as long as they are unchanged. */
  settled: Map<string, FileState>;
  /** Sentences, and when they were told (monotonic ms). */
  told: Map<string, number>;
  /** Hashes of what this process is taking now. */
  atWork: Set<string>;
}

/** One look at the places of one campaign. */
export interface Taking {
  of: TakingCampaign;
  sources: ListSources;
  memory: Remembered;
  world: World;
  onRefused: OnRefused;
}

/** The copies of taken files, beside the database. */
export function stagingFolder({ store }: Pick<TakingCampaign, 'store'>): string {
  return join(store.folder, 'taking');
}

/** Whether another process may be taking this file. A claim of this very process that it is not at is a broken-off one. */
export function isBusy({ sha256, taker }: WatchedList, { memory, world }: Taking): boolean {
  if (memory.atWork.has(sha256)) return true;
  const { host, boot, pid } = world.owner;
  if (taker.host === host && taker.boot === boot && taker.pid === pid) return false;
  return isAtWork({ taker }, world.clock.now(), isGone(taker, world.owner));
}

/** A trouble that lasts is told again after this time, so that every night hears of it. */
const TELL_AGAIN_MS = 12 * 3_600_000;

/** Tells a problem, unless it was told lately. */
export function tellOnce(
  sentence: string,
  { memory: { told }, world }: Pick<Taking, 'memory' | 'world'>,
) {
  const now = world.clock.monotonic();
  if (now - (told.get(sentence) ?? -Infinity) < TELL_AGAIN_MS) return;
  told.set(sentence, now);
  world.tell(sentence, 'problem');
}

/** What goes with a moved list: a copy of its rejected rows, or the reason for which it was refused. */
export type Beside = { rejects: string } | { reason: string } | null;

/**
 * Moves a file into the folder `taken` or `refused` beside it, under a name that is free there. A file of the
 * same name that was written meanwhile stays.
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
