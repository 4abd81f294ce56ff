import { lstat, readdir, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import { fileTroubleOf } from '../../domain/file-trouble.ts';
import { isAddress, isGlob, type ListSources } from '../../domain/lists/list-mapping.ts';
import { DONE, matchesGlob, mayBeList, type FileState } from '../../leads/folders/candidates.ts';
import type { Survey } from '../../leads/import.ts';
import { AppError, EXIT, usageError } from '../../runtime/errors.ts';
import { counted } from '../../text/wording.ts';
import type { ListInput } from '../plan/plan-lists.ts';

/** A file of a place that may be a list. */
export interface Candidate {
  path: string;
  state: FileState;
  /** When its `.done` was changed; null: there is none. */
  markedAt: number | null;
  /** Set for a link to a file outside the folder, which is not followed: where it leads. */
  outside: string | null;
}

interface Scan {
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

/** The error for lists without anybody to call. It has an example of each reason, so `check` would add nothing. */
export function nobodyToCall(surveys: readonly Survey[], { choices }: ListInput): AppError {
  const [first] = surveys;
  const examples = Object.keys(first?.byReason ?? {}).flatMap(
    (code) => first?.examples.find((one) => one.code === code) ?? [],
  );
  const lines = examples.map(({ line, text }) => `line ${line}: ${text}`);
  const { rows = 0, path = 'The list', byReason = {} } = first ?? {};
  const needsCountry = (byReason.no_country ?? 0) > 0;
  const allAsk = rows > 0 && first?.suppressed === rows;
  const areUnclear = rows > 0 && (byReason.unclear_consent ?? 0) === rows;
  const phone = choices.find(({ target }) => target === 'phone');
  const column = phone?.column ?? first?.scanned.headers[first.scanned.mapping.phones[0] ?? 0];
  return usageError(
    'LIST_HAS_NO_GOOD_ROW',
    [`${path}: none of ${counted(rows, 'row')} has a number that can be called.`, ...lines],
    needsCountry
      ? 'give --country with the two-letter code of the numbers, e.g. --country US'
      : allAsk
        ? 'give another list; `import` and `run` keep this one only as numbers that no campaign calls'
        : areUnclear
          ? 'mend these rows, or give the flag that they name'
          : `mend these rows, or give a column other than "${column ?? ''}" with --map phone="NAME"`,
  );
}

/** Whether a list has neither people for a campaign nor any who ask not to be called. */
export function bringsNothing({ good, suppressed, byReason }: Survey): boolean {
  return good + suppressed + (byReason.already_in_campaign ?? 0) === 0;
}

/** Errors that say nothing of the list itself: it is tried again at the next look. */
const LATER = ['LIST_UNFINISHED', 'LIST_CHANGED', 'LIST_NOT_FOUND', 'CAMPAIGN_ARCHIVED'];

/** Whether a list is to be refused for this error; any other one concerns the machine, the campaign or the moment. */
export function isRefusal(error: unknown): error is AppError {
  return error instanceof AppError && error.exitCode === EXIT.usage && !LATER.includes(error.code);
}
