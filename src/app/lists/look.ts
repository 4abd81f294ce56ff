import {
  COLUMN_TARGETS,
  isSent,
  LIST_FIELDS,
  type ChosenReading,
  type ColumnTarget,
  type ListField,
  type ListMapping,
} from '../../domain/lists/list-mapping.ts';
import { columnOf, type ColumnChoice } from '../../leads/columns/column-choices.ts';
import { columnsUndecided, frequentIn } from '../../leads/rows/column-questions.ts';
import { lookAtList, type ListLook } from '../../leads/rows/first-reading.ts';
import { AppError, attempt, troubleOf } from '../../runtime/errors.ts';
import type { List } from '../../store/port.ts';
import type { Meaning, SentList, SentLists } from '../../views/lists.ts';
import { fileOf } from '../plan/unfinished-import.ts';
import { namedAs, type ListInput, type ListPath } from '../plan/plan-lists.ts';
import { readAsOf } from '../typed.ts';
import type { World } from '../world.ts';

type Clocked = Pick<World, 'clock'>;

/** Everything about a list is found from the list itself. */
export const NOTHING_CHOSEN: ChosenReading = {
  ...{ columns: {}, encoding: null, delimiter: null, sheet: null, asOf: null },
};

/** The lists of a campaign that were sent and are not imported yet, each as it is to be read. */
export async function sentPaths(lists: readonly List[], world: World): Promise<ListPath[]> {
  const paths: ListPath[] = [];
  for (const list of lists.filter(isSent))
    paths.push({ path: list.path, file: fileOf(list), input: await inputOf(list, world) });
  return paths;
}

async function inputOf(list: List, world: World): Promise<ListInput> {
  const { path, input } = list;
  const chosen = input ?? NOTHING_CHOSEN;
  const { asOf: day, columns } = chosen;
  const asOf = day === null ? null : readAsOf('The day of the list', day, world.clock.now());
  const format = { ...formatOptions(chosen), asOf };
  if (Object.keys(columns).length === 0) return { ...format, choices: [] };
  const look = await seeList(fileOf(list), path, chosen, world);
  return { ...format, choices: choicesFor(chosenColumns(chosen, look.headers), foundIn(look)) };
}

/** Looks at each list that was sent: a file that is no list does not hide the others. */
export async function lookAtSent(lists: readonly List[], world: Clocked): Promise<SentLists> {
  const all: SentList[] = [];
  for (const list of lists.filter(isSent)) all.push(await lookAtOne(list, world));
  return { lists: all, meanings: MEANINGS };
}

async function lookAtOne(list: List, world: Clocked): Promise<SentList> {
  const { id, path: name, bytes, input } = list;
  const reading = input ?? NOTHING_CHOSEN;
  const of = { list: id, name, bytes, reading };
  try {
    const look = await seeList(fileOf(list), name, reading, world);
    const { format, sheet, sheets, headerLine, rows, warnings } = look;
    return {
      ...{ ...of, ...NO_LIST, ...format, sheet, sheets, headerLine, rows, warnings },
      ...columnsOf(look, name, reading),
    };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { ...of, ...NO_LIST, problem: troubleOf(error) };
  }
}

const NO_LIST = {
  ...{ kind: null, encoding: null, delimiter: null, sheet: null, sheets: [], headerLine: null },
  ...{ rows: null, columns: [], warnings: [] },
};

/** A list as it was read, with the sheets of a workbook. */
interface SeenList extends ListLook {
  sheet: string | null;
  sheets: SentList['sheets'];
}

/** Lists that were looked at lately: a file that was sent never changes, so that what was found of it holds. */
const seen = new Map<string, Promise<SeenList>>();
const MOST_SEEN = 50;

export function seeList(
  file: string,
  name: string,
  input: ChosenReading,
  world: Clocked,
): Promise<SeenList> {
  const { encoding, delimiter, sheet } = input;
  const key = JSON.stringify([file, name, encoding, delimiter, sheet]);
  const known = seen.get(key);
  if (known !== undefined) return known;
  const [oldest] = seen.keys();
  if (seen.size >= MOST_SEEN && oldest !== undefined) seen.delete(oldest);
  const reading = readList(file, name, input, world);
  seen.set(key, reading);
  // What failed is tried again: the disk may be back.
  reading.catch(() => seen.delete(key));
  return reading;
}

async function readList(
  file: string,
  name: string,
  input: ChosenReading,
  { clock }: Clocked,
): Promise<SeenList> {
  const { encoding, delimiter, sheet } = formatOptions(input);
  const look = await namedAs({ path: name, file }, () =>
    lookAtList(name, { file, encoding, delimiter, sheet, clock }),
  );
  if (look.format.kind === 'text') return { ...look, sheet: null, sheets: [] };
  const { sheetsOf } = await import('../../leads/workbook/rows.ts');
  const { sheets, chosen } = await sheetsOf(file, look.format.sheet);
  const all = sheets.map(({ name, isHidden }) => ({ name, hidden: isHidden }));
  return { ...look, sheet: chosen, sheets: all };
}

/** As the importer takes them. */
export function formatOptions({ encoding, delimiter, sheet }: ChosenReading) {
  return {
    encoding: encoding ?? undefined,
    delimiter: delimiter ?? undefined,
    sheet: sheet ?? undefined,
  };
}

/** What the list says by itself; null: it does not say which column is called. */
export function foundIn(look: ListLook): ListMapping | null {
  return attempt(() => look.mapBy([])).value;
}

function columnsOf(look: SeenList, path: string, input: ChosenReading) {
  const { headers, samples, cells } = look;
  const found = foundIn(look);
  const chosen = chosenColumns(input, headers);
  const { value, error } = attempt(() => look.mapBy(choicesFor(chosen, found)));
  const mapping = value ?? found;
  const problem =
    value === null ? error : (columnsUndecided({ path, headers, mapping: value }, cells) ?? null);
  return {
    problem: problem && troubleOf(problem),
    columns: headers.map((header, index) => {
      const place = mapping?.phones.indexOf(index) ?? -1;
      const taken = mapping === null ? 'keep' : meaningOf(mapping, index);
      return {
        column: `#${index + 1}`,
        header,
        samples: samples[index] ?? [],
        frequent: frequentIn(cells, index),
        // What was chosen is shown as chosen, also where it cannot be read so.
        meaning: problem === null ? taken : (chosen.get(index) ?? taken),
        order: place === -1 ? null : place + 1,
        chosen: chosen.has(index),
      };
    }),
  };
}

/** What people are told each meaning is, in the order of a menu. */
const MEANING_TEXTS: Readonly<Record<Meaning, string>> = {
  phone: 'number to call',
  firstName: 'first name',
  lastName: 'last name',
  name: 'full name',
  company: 'company',
  email: 'e-mail',
  externalId: 'id in your own system',
  timezone: 'time zone',
  state: 'state',
  postalCode: 'postal code',
  country: 'country',
  doNotCall: 'people with something here are not called',
  mayCall: 'only people with a yes here are called',
  refusals: 'looked through for words such as DNC',
  ignore: 'nothing: kept as it is',
  outOfUse: 'says that somebody is not called in this campaign',
  lastDay: 'the last day of a refusal or a consent',
  notTheirs: "never called: other people's or dead numbers",
  label: 'says whose number is beside it',
  keep: 'kept as it is',
};

const MEANINGS = (Object.keys(MEANING_TEXTS) as Meaning[]).map((meaning) => ({
  meaning,
  text: MEANING_TEXTS[meaning],
  choosable: COLUMN_TARGETS.some((target) => target === meaning),
}));

/** What a mapping takes a column for. @param index from 0 */
function meaningOf(mapping: ListMapping, index: number): Meaning {
  const { phones, fields, doNotCall, mayCall = [], callStates = [] } = mapping;
  const { outOfUse = [], lastDays = [], notTheirs = [], labels = [], ignored = [] } = mapping;
  if (phones.includes(index)) return 'phone';
  const [field] = Object.entries(fields).find(([, column]) => column === index) ?? [];
  if (field !== undefined) return field as ListField;
  if (doNotCall.includes(index)) return 'doNotCall';
  if (mayCall.some(({ column }) => column === index)) return 'mayCall';
  if (callStates.includes(index)) return 'refusals';
  if (outOfUse.some(({ column }) => column === index)) return 'outOfUse';
  if (lastDays.some(({ column }) => column === index)) return 'lastDay';
  if (notTheirs.includes(index)) return 'notTheirs';
  if (labels.some(({ label }) => label === index)) return 'label';
  return ignored.includes(index) ? 'ignore' : 'keep';
}

/** Columns that a person has chosen, by their index; those that the list does not have are left out. */
export function chosenColumns(
  { columns }: Pick<ChosenReading, 'columns'>,
  headers: readonly string[],
): Map<number, ColumnTarget> {
  const chosen = new Map<number, ColumnTarget>();
  for (const [column, target] of Object.entries(columns)) {
    const index = columnOf({ target, column }, headers);
    if (typeof index === 'number') chosen.set(index, target);
  }
  return chosen;
}

/**
 * The choices, as --map gives them, that change the given columns alone: every other column stays what it was found
 * to be. Of several numbers to call, those that were chosen come first, in the order of choosing.
 *
 * @param found what the list says by itself; null: it does not say which column is called
 */
export function choicesFor(
  chosen: ReadonlyMap<number, ColumnTarget>,
  found: ListMapping | null,
): ColumnChoice[] {
  const isOther = (index: number) => !chosen.has(index);
  const of = (target: ColumnTarget) =>
    [...chosen].filter(([, each]) => each === target).map(([index]) => index);
  const choices: ColumnChoice[] = [];
  const choose = (target: ColumnTarget, indexes: readonly number[]) => {
    for (const index of indexes) choices.push({ target, column: `#${index + 1}` });
  };
  const before = found?.phones ?? [];
  if (of('phone').length > 0 || !before.every(isOther)) {
    const phones = [...of('phone'), ...before.filter(isOther)];
    if (phones.length > 0) choose('phone', phones);
    else choices.push({ target: 'phone', column: '-' });
  }
  for (const target of ['doNotCall', 'mayCall', 'refusals', 'ignore'] as const)
    choose(target, of(target));
  for (const field of LIST_FIELDS) {
    const own = of(field).at(-1);
    const old = found?.fields[field];
    if (own !== undefined) choose(field, [own]);
    else if (old !== undefined && !isOther(old)) choices.push({ target: field, column: '-' });
  }
  return choices;
}
