import type { WatchedList } from '../../store/port.ts';

/** The state of a file; it changes while a program writes the file. */
export interface FileState {
  /** Bytes. */
  size: number;
  /** Last change, epoch ms with fractions. */
  mtimeMs: number;
  /** Another file that took the same name has another number. */
  ino: number;
}

/** A file that did not change for this long is complete. */
export const QUIET_MS = 5_000;

/** A file of the same name with this ending marks a list as complete. */
export const DONE = '.done';

/** False for hidden and temporary names, and for other kinds of files. */
export function mayBeList(name: string): boolean {
  return !/^(\.|~)/.test(name) && LIST_NAME.test(name) && !LEFT_BESIDE.test(name);
}

/** Files that callsheet itself puts beside lists. */
const LEFT_BESIDE = /\.(rejects|refused)\.(csv|txt)$/i;

/** Endings of lists. A name that goes on after them (`.csv.part`, `.csv.crdownload`, `.csv.tmp`) is no list yet. */
const LIST_NAME = /\.(csv|tsv|txt|gz|zip|xlsx?|ods|numbers)$/i;

/** True when a name matches a glob of `*` and `?`; capitals do not matter, as in the endings of lists. */
export function matchesGlob(name: string, glob: string): boolean {
  const escaped = glob.replace(/[.+^${}()|[\]\\]/g, '\\$&').replaceAll('?', '.');
  // What stands after a `*` is found once, and not sought again: else ten of them take years.
  const [first = '', ...found] = escaped.split(/\*+/);
  const last = found.pop();
  const between = found.map((part, n) => `(?=(.*?${part}))\\${n + 1}`).join('');
  const rest = last === undefined ? '' : `${between}.*${last}`;
  return new RegExp(`^${first}${rest}$`, 'isu').test(name);
}

export function isSameState(one: FileState, other: FileState): boolean {
  return one.size === other.size && one.mtimeMs === other.mtimeMs && one.ino === other.ino;
}

/**
 * Whether a file is complete. An empty file without a mark is not: programs create a file before they write into it.
 * @param before what an earlier look saw, and how long ago that was (ms); undefined: the file was not there
 * @param markedAt last change of its `.done` file; null: none. A mark older than the file belongs to an earlier file
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
 * What happens to a complete file. `take`: import it; `instead` is the row of its content that the claim replaces.
 * `wait`: another process takes it. `move`: it was taken or refused before and only has to be moved. `known`: this
 * content was taken before, under any name. `leave`: it stays where it is.
 */
type Fate =
  | { kind: 'take'; instead: WatchedList | null }
  | { kind: 'wait' }
  | { kind: 'move'; to: 'taken' | 'refused' }
  | { kind: 'known'; row: WatchedList }
  | { kind: 'leave' };

type FoundFile = Pick<FileState, 'mtimeMs'> & { path: string };

/**
 * @param row the stored row of this content; undefined: the content is new
 * @param isAtWork whether the process that claimed the content may still be working on it
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
    // A person who moved a refused file back has probably corrected it, so it is tried again.
    if (after === 'move') return isSameFile ? { kind: 'move', to: 'refused' } : again(row);
    return row.path === path && mtimeMs <= row.at ? { kind: 'leave' } : again(row);
  }
  if (after === 'move') return isSameFile ? { kind: 'move', to: 'taken' } : { kind: 'known', row };
  return row.path === path ? { kind: 'leave' } : { kind: 'known', row };
}

function again(row: WatchedList): Fate {
  return { kind: 'take', instead: row };
}

/** A process of another machine counts as gone when it has not reported for this long; the rows it added stay. */
const SILENT_MS = 10 * 60_000;

/** @param isGone true: the process is certainly gone */
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
