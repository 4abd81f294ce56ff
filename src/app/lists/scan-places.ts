import { lstat, readdir, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isAddress, isGlob, type ListSources } from '../../domain/lists/list-sources.ts';
import { fileTroubleOf } from '../../domain/file-trouble.ts';
import { DONE, matchesGlob, mayBeList, type FileState } from '../../leads/folders/candidates.ts';

/** A file of a place that may be a list. */
export interface Candidate {
  path: string;
  state: FileState;
  /** When its `.done` was changed; null: there is none. */
  markedAt: number | null;
  /** Set for a link to a file outside the folder, which is not followed: where it leads. */
  outside: string | null;
}

export interface Scan {
  /** Oldest first, so that of several complete lists the newest one has the last word. */
  candidates: Candidate[];
  /** Places that cannot be read, as sentences. */
  problems: string[];
}

/** The files of folders and globs that may be lists. Folders in them are left alone. */
export async function scanPlaces({ from }: Pick<ListSources, 'from'>): Promise<Scan> {
  const scan: Scan = { candidates: [], problems: [] };
  for (const place of from.filter((one) => !isAddress(one))) {
    const isFolder = (await stat(place).catch(() => undefined))?.isDirectory() === true;
    const glob = !isFolder && isGlob(place) ? basename(place) : null;
    const folder = glob === null ? place : dirname(place);
    try {
      scan.candidates.push(...(await scanFolder(folder, glob)));
    } catch (error) {
      const { is, check } = fileTroubleOf(error, 'read');
      scan.problems.push(
        `The folder of lists ${folder} ${is}, so no list is taken from it. ${check}`,
      );
    }
  }
  const unique = new Map(scan.candidates.map((one) => [one.path, one]));
  const byAge = (a: Candidate, b: Candidate) =>
    a.state.mtimeMs - b.state.mtimeMs || (a.path < b.path ? -1 : 1);
  return { ...scan, candidates: [...unique.values()].toSorted(byAge) };
}

async function scanFolder(folder: string, glob: string | null): Promise<Candidate[]> {
  const found: Candidate[] = [];
  const names = await readdir(folder);
  for (const name of names) {
    if (!mayBeList(name) || (glob !== null && !matchesGlob(name, glob))) continue;
    const candidate = await candidateAt(folder, name);
    if (candidate !== undefined) found.push(candidate);
  }
  return found;
}

/** Undefined for what is no file, for a link within the folder, and for a file that has gone meanwhile. */
async function candidateAt(folder: string, name: string): Promise<Candidate | undefined> {
  const path = join(folder, name);
  const found = await stateAt(path);
  if (found === undefined) return undefined;
  const { isFile, isLink, ...state } = found;
  if (isLink) {
    const target = await realpath(path).catch(() => readlink(path).catch(() => ''));
    const isInside = dirname(target) === (await realpath(folder));
    return isInside ? undefined : { path, state, markedAt: null, outside: target };
  }
  if (!isFile) return undefined;
  const marker = await lstat(path + DONE).catch(() => undefined);
  return { path, state, markedAt: marker?.mtimeMs ?? null, outside: null };
}

/** What is at a path, without following a link; undefined: nothing that can be seen. */
export async function stateAt(path: string) {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return undefined;
  const { size, mtimeMs, ino } = found;
  return { size, mtimeMs, ino, isFile: found.isFile(), isLink: found.isSymbolicLink() };
}
