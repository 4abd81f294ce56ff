import type { WatchedList } from '../../store/port.ts';

/** What the file system says of a file; a file that is still being written differs from one look to the next. */
export interface FileState {
  /** Bytes. */
  size: number;
  /** When it was changed, epoch ms with fractions. */
  mtimeMs: number;
  /** The file itself: another file that took its name has another number. */
  ino: number;
}

/** A file was unchanged for this long: it is complete. */
export const QUIET_MS = 5_000;

/** A file of the same name and this ending says that a list is complete. */
export const DONE = '.done';

/** Whether a name in a folder may be a list; hidden and temporary names, and other kinds of files, are left alone. */
export function mayBeList(name: string): boolean {
  return !/^(\.|~)/.test(name) && LIST_NAME.test(name) && !LEFT_BESIDE.test(name);
}

/** Files that are never lists, although their names end like one: what callsheet puts beside taken lists. */
const LEFT_BESIDE = /\.(rejects|refused)\.(csv|txt)$/i;

/** Endings of lists. A name that goes on after them (`.csv.part`, `.csv.crdownload`, `.csv.tmp`) is no list yet. */
const LIST_NAME = /\.(csv|tsv|txt|gz|zip|xlsx?|ods|numbers)$/i;

/** True when a name matches a glob of `*` and `?`; capitals do not matter, as in the endings of lists. */
export function matchesGlob(name: string, glob: string): boolean {
  const escaped = glob.replace(/[.+^${}()|[\]\\]/g, '\\$&');
  const pattern = escaped.replaceAll(/\*+/g, '.*').replaceAll('?', '.');
  return new RegExp(`^${pattern}$`, 'isu').test(name);
}

export function isSameState(one: FileState, other: FileState): boolean {
  return one.size === other.size && one.mtimeMs === other.mtimeMs && one.ino === other.ino;
}

/**
 * Whether a file is complete. An empty one without a mark is not: programs make a file before they write into it.
 *
 * @param before what an earlier look saw, and how long ago that was (ms); undefined: it was not there
 * @param markedAt when its `.done` was changed; null: there is none. One that is older than the file belonged to a former
 *   file of that name.
 */
export function isComplete(
  now: FileState,
  before: { state: FileState; agoMs: number } | undefined,
  markedAt: number | null,
): boolean {
  if (markedAt !== null && markedAt >= now.mtimeMs) return true;
  if (now.size === 0 || before === undefined) return false;
  return before.agoMs >= QUIET_MS && isSameState(now, before.state);
}

/**
 * What becomes of a complete file. `take`: it is read and imported; `instead` is the row of its content that the claim
 * replaces. `wait`: another process takes it. `move`: it was taken or refused before, and moving it is what is left.
 * `known`: this content was taken before, under this name or another. `leave`: it stays where it is, as it did before.
 */
type Fate =
  | { kind: 'take'; instead: WatchedList | null }
  | { kind: 'wait' }
  | { kind: 'move'; to: 'taken' | 'refused' }
  | { kind: 'known'; row: WatchedList }
  | { kind: 'leave' };

interface FoundFile {
  path: string;
  /** When the file was changed, epoch ms. */
  mtimeMs: number;
}

/**
 * @param row what is kept of the content of this file; undefined: it is new
 * @param isAtWork whether the process that claimed the content may still be at it
 */
export function fateOf(
  row: WatchedList | undefined,
  { path, mtimeMs }: FoundFile,
  after: 'move' | 'keep',
  isAtWork: boolean,
): Fate {
  if (row === undefined) return { kind: 'take', instead: null };
  if (row.state === 'taking') return isAtWork ? { kind: 'wait' } : { kind: 'take', instead: row };
  const isSameFile = row.path === path && row.movedAt === null;
  if (row.state === 'refused') {
    // Whoever puts a refused list back has changed what was wrong: it is tried again. One that stayed was not put back.
    if (after === 'move') return isSameFile ? { kind: 'move', to: 'refused' } : again(row);
    return row.path === path && mtimeMs <= row.at ? { kind: 'leave' } : again(row);
  }
  if (after === 'move') return isSameFile ? { kind: 'move', to: 'taken' } : { kind: 'known', row };
  return row.path === path ? { kind: 'leave' } : { kind: 'known', row };
}

function again(row: WatchedList): Fate {
  return { kind: 'take', instead: row };
}

/** A process of another machine that has not reported for so long counts as gone; the rows it added stay. */
const SILENT_MS = 10 * 60_000;

/** Whether the claim of a process counts. @param isGone true: the process is certainly gone */
export function isAtWork(
  { taker }: Pick<WatchedList, 'taker'>,
  now: number,
  isGone: boolean,
): boolean {
  return !isGone && taker.seenAt > now - SILENT_MS;
}

/** Name for a file in `taken/` or `refused/` where names are taken already: `a.csv`, `a-2.csv`, `a-3.csv`. */
export function nthName(name: string, n: number): string {
  if (n === 1) return name;
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? `${name}-${n}` : `${name.slice(0, dot)}-${n}${name.slice(dot)}`;
}
