import { lstat, readdir, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import type { CampaignSettings } from '../../domain/campaign.ts';
import { fileTroubleOf } from '../../domain/file-trouble.ts';
import { isAddress, isGlob, type ListSources } from '../../domain/lists/list-mapping.ts';
import {
  DONE,
  isComplete,
  matchesGlob,
  mayBeList,
  type FileState,
} from '../../leads/folders/candidates.ts';
import { surveyList, type Survey } from '../../leads/import.ts';
import { columnsUndecided } from '../../leads/rows/column-questions.ts';
import { AppError, EXIT, messageOf, usageError } from '../../runtime/errors.ts';
import { grouped } from '../../text/amounts.ts';
import { counted } from '../../text/wording.ts';
import { confirmSync, waitingOutside } from '../plan/import-plan.ts';
import {
  countReturning,
  lookUpIn,
  mappingsFor,
  numbersOf,
  type ListInput,
  type PlannedLists,
  type Reading,
} from '../plan/plan-lists.ts';
import type { World } from '../world.ts';

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

/**
 * Adds what the next opening would take from a campaign's folders and globs, as lists and as sentences. Reads each list
 * and writes nothing; addresses are not asked. A file counts as complete when it was changed at least 5 s ago.
 */
export async function withForetold(
  lists: PlannedLists,
  { sources, country, numbers, policy }: CampaignSettings,
  reading: Omit<Reading, 'input'>,
  world: World,
): Promise<PlannedLists> {
  if (sources === undefined) return lists;
  const { store, campaign, live } = reading;
  const isSync = sources.mode === 'sync';
  const stored = campaign === undefined ? [] : ((await store?.lists(campaign.id)) ?? []);
  const { candidates, problems } = await scanPlaces(sources);
  const addresses = sources.from.filter(isAddress);
  const lines = [
    ...problems,
    ...addresses.map(
      (one) => `${one} would be asked for a list; who is on it is not counted here.`,
    ),
  ];
  if (candidates.length === 0 && lines.length === 0)
    lines.push(`No list is in ${sources.from.join(', ')} now.`);
  const surveys: Survey[] = [];
  for (const candidate of candidates) lines.push(await foretell(candidate));
  // Of complete lists, the newest has the last word.
  const last = isSync ? surveys.at(-1) : undefined;
  const taken = last === undefined ? surveys : [last];
  let fresh = taken.reduce((sum, survey) => sum + survey.fresh, lists.fresh);
  let left = 0;
  const open = store && campaign && { store, campaign, world };
  if (open !== undefined) fresh += await countReturning(open, numbersOf(taken));
  if (last && open) for await (const some of waitingOutside(open, last.phones)) left += some.length;
  if (left > 0)
    lines.push(
      `${counted(left, 'person who waits is', 'people who wait are')} not on it: they leave.`,
    );
  const all = [...lists.surveys, ...taken];
  return { ...lists, fresh: fresh - left, left, surveys: all, fromPlaces: lines };

  async function foretell({ path, state, markedAt, outside }: Candidate): Promise<string> {
    if (outside !== null) return `${path} would be refused: it is a link out of its folder.`;
    const before = { state, agoMs: world.clock.now() - state.mtimeMs };
    if (!isComplete(state, before, markedAt))
      return `${path} would wait: it is empty, or was changed in the last 5 s.`;
    try {
      const survey = await surveyList(path, {
        known: (list) => mappingsFor(list, stored),
        country,
        policy: numbers,
        refuseFictional: live,
        now: world.clock.now(),
        calling: policy,
        lookUp: lookUpIn(reading, isSync ? [] : [...lists.surveys, ...surveys], world),
      });
      const { rows, good, suppressed } = survey;
      if (bringsNothing(survey))
        return `${path} would be refused: none of ${counted(rows, 'row')} is good.`;
      const asked = suppressed === 0 ? '' : `, ${grouped(suppressed)} not to be called`;
      const { scanned } = survey;
      const question = columnsUndecided(scanned, scanned.memory.cells);
      if (isSync && store && campaign) {
        const progress = await store.progress(campaign.id, world.clock.now());
        const given = { ...lists, known: [], surveys: [survey], goesOn: undefined, progress };
        const alone = { ...world, attended: false, tell: () => undefined };
        await confirmSync({ ...given, phones: survey.phones, campaign, store }, false, alone);
      }
      if (question === undefined) surveys.push(survey);
      const held =
        question === undefined ? '' : ` Not counted here, rows held back: ${question.message}`;
      return `${path} would be taken: ${counted(rows, 'row')}, ${grouped(good)} good${asked}.${held}`;
    } catch (error) {
      if (isRefusal(error)) return `${path} would be refused: ${messageOf(error)}`;
      return `${path} would stay: ${messageOf(error)}`;
    }
  }
}
