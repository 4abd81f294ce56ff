import { LIST_FIELDS, type ListField, type ListMapping } from '../../domain/lists/list-mapping.ts';
import { columnOf, type ColumnChoice } from '../../leads/columns/column-choices.ts';
import { chosenMeaning, type ChosenMeaning, type DraftInput } from './draft.ts';

/** What a column was taken for; the last five cannot be chosen, `keep`: it is kept as it is. */
export type Meaning = ChosenMeaning | 'outOfUse' | 'lastDay' | 'notTheirs' | 'label' | 'keep';

/** What people are told each meaning is, in the order of a menu. */
export const MEANING_TEXTS: Readonly<Record<Meaning, string>> = {
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
  doNotCall: 'do not call whoever has something here',
  mayCall: 'call only whoever has a yes here',
  refusals: 'looked through for words such as DNC',
  ignore: 'nothing: kept as it is',
  outOfUse: 'says that somebody is not called in this campaign',
  lastDay: 'the last day of a refusal or a consent',
  notTheirs: "never called: other people's or dead numbers",
  label: 'says whose number is beside it',
  keep: 'kept as it is',
};

export function isChoosable(meaning: Meaning): meaning is ChosenMeaning {
  return chosenMeaning.safeParse(meaning).success;
}

/** What a mapping takes a column for. @param index from 0 */
export function meaningOf(mapping: ListMapping, index: number): Meaning {
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
  { columns }: Pick<DraftInput, 'columns'>,
  headers: readonly string[],
): Map<number, ChosenMeaning> {
  const chosen = new Map<number, ChosenMeaning>();
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
  chosen: ReadonlyMap<number, ChosenMeaning>,
  found: ListMapping | null,
): ColumnChoice[] {
  const isOther = (index: number) => !chosen.has(index);
  const of = (target: ChosenMeaning) =>
    [...chosen].filter(([, each]) => each === target).map(([index]) => index);
  const choices: ColumnChoice[] = [];
  const choose = (target: ChosenMeaning, indexes: readonly number[]) => {
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
  const fields = new Set([...Object.keys(found?.fields ?? {}), ...chosen.values()]);
  for (const field of fields) {
    if (!isField(field)) continue;
    const own = of(field).at(-1);
    const old = found?.fields[field];
    if (own !== undefined) choose(field, [own]);
    else if (old !== undefined && !isOther(old)) choices.push({ target: field, column: '-' });
  }
  return choices;
}

function isField(target: string): target is ListField {
  return LIST_FIELDS.some((field) => field === target);
}
