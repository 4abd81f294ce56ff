import type { WatchedList } from '../../store/port.ts';

/**
 * What becomes of a complete file. `take`: it is read and imported; `instead` is the row of its content that the claim
 * replaces. `wait`: another process takes it. `move`: it was taken or refused before, and moving it is what is left.
 * `known`: this content was taken before, under this name or another. `leave`: it stays where it is, as it did before.
 */
export type Fate =
  | { kind: 'take'; instead: WatchedList | null }
  | { kind: 'wait' }
  | { kind: 'move'; to: 'taken' | 'refused' }
  | { kind: 'known'; row: WatchedList }
  | { kind: 'leave' };

export interface FoundFile {
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
