import { setImmediate } from 'node:timers/promises';

import type { ResolvedSettings } from '../../config/settings.ts';
import { isSent, type ListMapping } from '../../domain/lists/list-mapping.ts';
import type { E164 } from '../../domain/phone.ts';
import { shownLine } from '../../domain/safe-text.ts';
import type { ColumnChoice } from '../../leads/columns/column-choices.ts';
import { AmbiguousPhoneColumns } from '../../leads/columns/map-columns.ts';
import { alignMapping } from '../../leads/columns/remembered-mapping.ts';
import { columnsUndecided } from '../../leads/rows/column-questions.ts';
import { surveyList, type Survey, type SurveyOptions } from '../../leads/import.ts';
import type { FormatOptions } from '../../leads/read/list-rows.ts';
import { boundOf } from '../../leads/read/row.ts';
import { AppError } from '../../runtime/errors.ts';
import type { Campaign, List, PhoneFacts, Store } from '../../store/port.ts';
import { counted } from '../../text/wording.ts';
import type { OpenCampaign } from '../places/databases.ts';
import { keepStandardInput, STANDARD_INPUT } from '../places/list-or-campaign.ts';
import { historyEntry, type World } from '../world.ts';
import { fileOf } from './unfinished-import.ts';

/** A set of E.164 numbers, whatever its implementation. */
export type Numbers = Pick<ReadonlySet<string>, 'has' | 'size'>;

/** How many numbers are looked up in the store at once. */
export const NUMBERS_AT_ONCE = 1_000;

/**
 * A campaign's wanted numbers in order, up to 1,000 at a time: of leads that wait, are in a call, or left its lists.
 * Calls of the same process get a turn after each page.
 */
export async function* phonePages(
  { store, campaign }: Pick<OpenCampaign, 'store' | 'campaign'>,
  whose: 'waitingPhones' | 'callingPhones' | 'missedPhones' | 'leftPhones',
  isWanted: (phone: E164) => boolean = () => true,
): AsyncGenerator<E164[]> {
  let after: E164 | null = null;
  for (;;) {
    const page: E164[] = await store[whose](campaign.id, after, NUMBERS_AT_ONCE);
    const last = page.at(-1);
    if (last === undefined) return;
    const wanted = page.filter(isWanted);
    if (wanted.length > 0) yield wanted;
    after = last;
    await setImmediate();
  }
}

/** False for a list that was imported completely before: it brings back nobody who has left the lists since. */
export function bringsBack(known: readonly List[], sha256: string): boolean {
  const same = known.find((list) => list.sha256 === sha256);
  return same === undefined || same.finishedAt === null;
}

/** How many leads that had left a list are among `phones`. */
export async function countReturning(open: OpenCampaign, phones: Numbers): Promise<number> {
  let count = 0;
  for await (const some of leftAndOn(open, phones)) count += some.length;
  return count;
}

/** Leads that had left a list and are among `phones` wait again; the operator is told how many. */
export async function returnLeads(open: OpenCampaign, phones: Numbers): Promise<number> {
  const { store, campaign, world } = open;
  let back = 0;
  for await (const some of leftAndOn(open, phones))
    back += await store.waitAgain(campaign.id, some, world.clock.now());
  if (back === 0) return 0;
  await store.addHistory(campaign.id, historyEntry(world, 'leads.returned', { back }));
  const who = counted(back, 'person', 'people');
  const wait = back === 1 ? 'is back and waits' : 'are back and wait';
  world.tell(`${who} who had left the list ${wait} again.`);
  return back;
}

function leftAndOn(open: OpenCampaign, phones: Numbers) {
  return phonePages(open, 'leftPhones', (phone) => phones.has(phone));
}

/**
 * Reads a list. If two columns of numbers are equally good, asks on a terminal which one is called first; the other
 * columns are tried after it. Off a terminal, or without an answer, throws the error that names the flag.
 */
async function withChosenColumn<T>(
  world: World,
  choices: readonly ColumnChoice[],
  read: (choices: readonly ColumnChoice[]) => Promise<T>,
): Promise<T> {
  try {
    return await read(choices);
  } catch (error) {
    if (!(error instanceof AmbiguousPhoneColumns) || !world.attended) throw error;
    const { candidates, names } = error;
    const first = await askForColumn(world, error.message, names);
    if (!candidates.includes(first)) throw error;
    const order = [first, ...candidates.filter((index) => index !== first)];
    const chosen = order.map((index) => ({ target: 'phone', column: `#${index + 1}` }) as const);
    return read([...choices, ...chosen]);
  }
}

/** @returns the index of the column that was typed, by its number or a name that only one column has; else -1 */
async function askForColumn(world: World, problem: string, names: ReadonlyMap<number, string>) {
  const answer = await world.ask(`${shownLine(problem)}\nType the number of the column: `);
  const called = [...names].filter(([, name]) => name === answer);
  const [only] = called.length === 1 ? called : [];
  if (only !== undefined) return only[0];
  return answer !== undefined && /^#?\d{1,4}$/.test(answer)
    ? Number(answer.replace('#', '')) - 1
    : -1;
}

export interface ListInput extends FormatOptions {
  choices: readonly ColumnChoice[];
  /** The day on which the list was current, epoch ms; null: not given. */
  asOf: number | null;
}

/** Everything about reading the list is found from the list itself. */
export const AS_FOUND: ListInput = { choices: [], asOf: null };

/** What the lists would bring to the campaign. */
export interface PlannedLists {
  /** Lists to import: new ones, broken-off ones, and all if settings that decide about numbers have changed. */
  surveys: Survey[];
  /** Those of `surveys` that an existing campaign does not have yet: they need --add. */
  others: Survey[];
  /** Lists that the campaign has already, recognised by their bytes. */
  known: List[];
  /** The numbers of all lists given now, including those of `known`. */
  phones: Numbers;
  /** Good rows whose numbers the campaign does not have yet. */
  fresh: number;
  /** The campaign has no list yet, and nobody on these can be called. */
  isForNobody: boolean;
  /** Set where a person has to say first what columns mean; see `columnsUndecided`. */
  undecided: AppError | undefined;
  /** What the campaign's folders and addresses would bring, as sentences. Default: none is looked for. */
  fromPlaces?: readonly string[];
  /** How many of those who wait leave by a complete list of these places: `fresh` is less by them. */
  left?: number;
  /** How lists were read that had an input of their own, by their paths. */
  inputs?: ReadonlyMap<string, ListInput>;
}

/** A list's name (`path`) and the file that holds its bytes (`file`): they differ for standard input and uploads. */
export interface ListPath {
  path: string;
  file: string;
  /** Set for a list that was not given now, but whose broken-off import continues: how it was read then. */
  goesOn?: ListInput;
  /** How this list is read; default: as all lists of the request. */
  input?: ListInput;
  /** Gets its rows as they are judged. */
  watch?: SurveyOptions['watch'];
}

/** Runs `work`; what it throws names a list as it was sent, and not where its file is kept. */
export async function namedAs<T>(
  { path, file }: Pick<ListPath, 'path' | 'file'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError) || file === path) throw error;
    const { code, hint, exitCode, lines } = error;
    if (![...lines, hint ?? ''].some((line) => line.includes(file))) throw error;
    const mend = (text: string) => text.replaceAll(file, path);
    throw new AppError(code, lines.map(mend), {
      ...{ exitCode, cause: error },
      ...(hint !== undefined && { hint: mend(hint) }),
    });
  }
}

/** The lists of a command; standard input is copied to a file that is removed when the plan is closed. */
export async function listPaths(
  paths: readonly string[],
  world: World,
  undo: (() => Promise<void>)[],
): Promise<ListPath[]> {
  const found: ListPath[] = [];
  for (const path of paths) {
    if (path !== '-') found.push({ path, file: path });
    else {
      const kept = await keepStandardInput(world);
      undo.push(kept.remove);
      found.push({ path: STANDARD_INPUT, file: kept.path });
    }
  }
  return found;
}

export interface Reading {
  live: boolean;
  input: ListInput;
  store: Store | undefined;
  campaign: Campaign | undefined;
}

/**
 * Lists are recognised by their bytes. A list that was imported before is imported again only if that import was broken
 * off, or if country or number settings have changed, so that rejected rows may become good ones.
 */
export async function readLists(
  paths: readonly ListPath[],
  { settings, changes }: Pick<ResolvedSettings, 'settings' | 'changes'>,
  reading: Reading,
  world: World,
): Promise<PlannedLists> {
  const { store, campaign, live, input } = reading;
  const stored = campaign === undefined ? [] : ((await store?.lists(campaign.id)) ?? []);
  const taken = stored.filter((list) => !isSent(list));
  const needsReading = changes.some(({ key }) => key === 'country' || key.startsWith('numbers.'));
  const all: Survey[] = [];
  const given: Survey[] = [];
  const surveys: Survey[] = [];
  const others: Survey[] = [];
  const known: List[] = [];
  const inputs = new Map<string, ListInput>();
  for (const { path, file, goesOn, input: own, watch } of paths) {
    const progress = world.progress(`Reading ${path}`);
    const { choices: chosen, encoding, delimiter, sheet } = goesOn ?? own ?? input;
    if (own !== undefined) inputs.set(path, own);
    const read = (choices: readonly ColumnChoice[]) =>
      surveyList(path, {
        file,
        choices,
        encoding,
        delimiter,
        sheet,
        watch,
        known: (list) => mappingsFor(list, stored),
        country: settings.country,
        policy: settings.numbers,
        refuseFictional: live,
        now: world.clock.now(),
        calling: settings.policy,
        lookUp: lookUpIn(reading, all, world),
        onProgress: progress.onProgress,
        isEnough: own && boundOf(path),
      });
    const survey = await namedAs({ path, file }, () =>
      withChosenColumn(world, chosen, read),
    ).finally(progress.stop);
    const same = stored.find(({ sha256 }) => sha256 === survey.sha256);
    all.push(survey);
    if (goesOn === undefined) given.push(survey);
    if (same !== undefined) known.push(same);
    else if (stored.length > 0) others.push(survey);
    if (same === undefined || same.finishedAt === null || needsReading) surveys.push(survey);
  }
  let fresh = surveys.reduce((sum, survey) => sum + survey.fresh, 0);
  const brings = surveys.filter(({ sha256 }) => bringsBack(known, sha256));
  if (store !== undefined && campaign !== undefined && brings.length > 0)
    fresh += await countReturning({ store, campaign, world }, numbersOf(brings));
  const isForNobody = taken.length === 0 && !surveys.some(({ good }) => good > 0);
  const phones = numbersOf(given);
  const undecided = firstQuestion(surveys, taken, world);
  return { surveys, others, known, phones, fresh, inputs, isForNobody, undecided };
}

/**
 * The first list with columns that a person has to decide about. Where nobody is there and the campaign has a list with
 * the same columns, nobody is asked: the rows in question are held back, and the others go on. An import that was broken
 * off goes on without a question, too.
 */
function firstQuestion(
  surveys: readonly Survey[],
  stored: readonly List[],
  { attended }: World,
): AppError | undefined {
  for (const { scanned, sha256 } of surveys) {
    const isSame = (list: List) =>
      list.sha256 === sha256 ||
      (!attended &&
        scanned.headerLine !== 0 &&
        list.mapping !== null &&
        alignMapping(list.mapping, list.headers, scanned.headers) !== undefined);
    const question = columnsUndecided(scanned, scanned.memory.cells);
    if (question !== undefined && !stored.some(isSame)) return question;
  }
  return undefined;
}

/** How lists with the same columns were mapped. A list without column names is known by its bytes alone. */
export function mappingsFor(
  { headers, hasHeader, sha256 }: Parameters<NonNullable<SurveyOptions['known']>>[0],
  stored: readonly List[],
): ListMapping[] {
  return stored.flatMap((list) =>
    list.mapping === null || (!hasHeader && list.sha256 !== sha256)
      ? []
      : (alignMapping(list.mapping, list.headers, headers) ?? []),
  );
}

/** Looks numbers up in the store and in the lists before this one; undefined when neither exists. */
export function lookUpIn(
  { store, campaign }: Pick<Reading, 'store' | 'campaign'>,
  before: readonly Survey[],
  world: World,
) {
  if (store === undefined && before.length === 0) return undefined;
  return async (phones: E164[]): Promise<PhoneFacts[]> => {
    const query = { campaignId: campaign?.id ?? null, phones, now: world.clock.now() };
    const facts = await store?.lookUpPhones(query);
    return phones.map((phone, index) => {
      const fact = facts?.[index] ?? { suppressed: null, known: null, elsewhere: null };
      return fact.known === null ? { ...fact, known: holderIn(before, phone) } : fact;
    });
  };
}

function holderIn(before: readonly Survey[], phone: E164): PhoneFacts['known'] {
  for (const { phones, path, sha256 } of before) {
    const line = phones.lineOf(phone);
    if (line !== undefined) return { line, list: path, sha256 };
  }
  return null;
}

export function numbersOf(surveys: readonly Survey[]): Numbers {
  return {
    has: (phone) => surveys.some(({ phones }) => phones.has(phone)),
    size: surveys.reduce((sum, { phones }) => sum + phones.size, 0),
  };
}

/** Puts the list whose import was broken off first, unless it is among the given ones; `as`: see `ListPath`. */
export function withList(list: List, paths: readonly ListPath[], as: 'goesOn' | 'input') {
  const { path, encoding, sheet, delimiter } = list;
  if (paths.some((given) => given.path === path)) return [...paths];
  const how = { encoding: encoding ?? undefined, sheet: sheet ?? undefined };
  const input = { ...AS_FOUND, ...how, delimiter: delimiter ?? undefined };
  return [{ path, file: fileOf(list), [as]: input }, ...paths];
}
