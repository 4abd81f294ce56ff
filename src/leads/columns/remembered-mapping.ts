import type { ListMapping, MappingChoice } from '../../domain/lists/list-mapping.ts';

/**
 * The mapping of an earlier list, with the indexes of a list that has all of its columns, in any order, and perhaps
 * further ones; undefined where a column is missing. Of several columns with one header, the first is the first.
 */
export function alignMapping(
  mapping: ListMapping,
  from: readonly string[],
  to: readonly string[],
): ListMapping | undefined {
  const places = new Map<string, number[]>();
  for (const [index, header] of to.entries())
    places.set(header, [...(places.get(header) ?? []), index]);
  // A file of rejected rows has two columns more than its list.
  const isRejects = from.at(-2) === 'line' && from.at(-1) === 'reason';
  const moved = (isRejects ? from.slice(0, -2) : from).map(
    (header) => places.get(header)?.shift() ?? -1,
  );
  if (moved.includes(-1)) return undefined;
  const at = (index: number) => moved[index] ?? -1;
  const { phones, fields, doNotCall, mayCall = [], callStates = [], unclear = [] } = mapping;
  const { labels = [], notTheirs = [], ignored = [] } = mapping;
  return {
    phones: phones.map(at),
    fields: Object.fromEntries(Object.entries(fields).map(([field, index]) => [field, at(index)])),
    doNotCall: doNotCall.map(at),
    mayCall: mayCall.map(({ column, emptyIsNo }) => ({ column: at(column), emptyIsNo })),
    callStates: callStates.map(at),
    unclear: unclear.map(at),
    labels: labels.map(({ phone, label }) => ({ phone: at(phone), label: at(label) })),
    notTheirs: notTheirs.map(at),
    ignored: ignored.map(at),
    chosen: chosenIn(mapping).map(({ target, column }) => ({
      target,
      column: column === null ? null : at(column),
    })),
  };
}

/** What a person chose. Of mappings stored before callsheet kept this, only the ignored columns are known to be chosen. */
export function chosenIn({ chosen, ignored = [] }: ListMapping): MappingChoice[] {
  return chosen ?? ignored.map((column) => ({ target: 'ignore', column }));
}

/** Targets that several columns can have, which add up; a choice for any other target replaces the one before. */
const MANY = ['doNotCall', 'mayCall', 'refusals', 'ignore'];

/** Adds later choices to earlier ones. The later one holds for the same column, and for a target of one column. */
export function mergeChoices(
  earlier: readonly MappingChoice[],
  later: readonly MappingChoice[],
): MappingChoice[] {
  const isReplaced = (old: MappingChoice) =>
    later.some(({ target, column }) =>
      target === old.target
        ? !MANY.includes(target) || column === null || old.column === null || column === old.column
        : column !== null && column === old.column,
    );
  return [...earlier.filter((old) => !isReplaced(old)), ...later];
}

/**
 * A mapping that lets nobody be called whom the mapping of an earlier list would not let be called. What a person chose
 * stays.
 */
export function stricter(
  now: ListMapping,
  before: ListMapping,
  chosen: readonly MappingChoice[],
): ListMapping {
  const isOpen = (index: number) => !chosen.some(({ column }) => column === index);
  const isOff = (target: MappingChoice['target']) =>
    chosen.some((choice) => choice.target === target && choice.column === null);
  const both = (one: readonly number[] = [], other: readonly number[] = []) =>
    [...new Set([...one, ...other.filter(isOpen)])].sort((a, b) => a - b);
  const doNotCall = isOff('doNotCall') ? now.doNotCall : both(now.doNotCall, before.doNotCall);
  const callStates = isOff('doNotCall') ? now.callStates : both(now.callStates, before.callStates);
  const { mayCall = [] } = now;
  const mayBefore = isOff('mayCall')
    ? []
    : (before.mayCall ?? []).filter(({ column }) => isOpen(column));
  const find = (list: typeof mayBefore, wanted: number) =>
    list.find(({ column }) => column === wanted);
  return {
    ...now,
    doNotCall,
    callStates: callStates ?? [],
    mayCall: [
      ...mayCall.map(({ column, emptyIsNo }) => ({
        column,
        emptyIsNo: emptyIsNo || find(mayBefore, column)?.emptyIsNo === true,
      })),
      ...mayBefore.filter(({ column }) => find(mayCall, column) === undefined),
    ],
    unclear: both(now.unclear, before.unclear).filter(
      (index) => now.unclear?.includes(index) === true || !isDecided(now, index),
    ),
  };
}

function isDecided({ doNotCall, mayCall = [] }: ListMapping, index: number): boolean {
  return doNotCall.includes(index) || mayCall.some(({ column }) => column === index);
}
