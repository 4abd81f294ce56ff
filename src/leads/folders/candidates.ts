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
