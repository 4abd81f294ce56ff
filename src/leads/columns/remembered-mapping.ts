import type { ListMapping, MappingChoice } from '../../domain/lists/list-mapping.ts';
import { isRejects } from './row-shape.ts';

/**
 * The mapping of an earlier list with the indexes of a list that has the same columns in any order, and perhaps more;
 * undefined where a column is missing. Columns with the same header are matched in their order.
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
  const moved = (isRejects(from) ? from.slice(0, -2) : from).map(
    (header) => places.get(header)?.shift() ?? -1,
  );
  if (moved.includes(-1)) return undefined;
  // Every number in a mapping is the index of a column.
  return JSON.parse(JSON.stringify(mapping), (_, value: unknown) =>
    typeof value === 'number' ? (moved[value] ?? -1) : value,
  ) as ListMapping;
}

/** What a person chose. Mappings stored by older versions keep only the ignored columns. */
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

/** `now`, made at least as strict as the mapping of an earlier list. A person's own choices stay. */
export function stricter(
  now: ListMapping,
  before: ListMapping,
  chosen: readonly MappingChoice[],
): ListMapping {
  const isOpen = (one: OneColumn) => !chosen.some(({ column }) => column === indexOf(one));
  const isOff = (target: MappingChoice['target'] | undefined) =>
    chosen.some((choice) => choice.target === target && choice.column === null);
  const beside = <Of extends OneColumn>(
    own: readonly Of[] = [],
    known: readonly Of[] = [],
    target?: MappingChoice['target'],
  ) => [
    ...own,
    ...(isOff(target) ? [] : known).filter(
      (one) => isOpen(one) && !own.some((other) => indexOf(other) === indexOf(one)),
    ),
  ];
  const decided = [...now.doNotCall, ...(now.mayCall ?? []).map(indexOf)];
  const isMarked = (column: number) =>
    !isOff('mayCall') &&
    isOpen(column) &&
    before.mayCall?.some((one) => one.column === column && one.emptyIsNo) === true;
  return {
    ...now,
    doNotCall: beside(now.doNotCall, before.doNotCall, 'doNotCall').sort((a, b) => a - b),
    callStates: beside(now.callStates, before.callStates, 'doNotCall'),
    mayCall: beside(now.mayCall, before.mayCall, 'mayCall').map(({ column, emptyIsNo }) => ({
      column,
      emptyIsNo: emptyIsNo || isMarked(column),
    })),
    outOfUse: beside(now.outOfUse, before.outOfUse, 'doNotCall'),
    lastDays: beside(now.lastDays, before.lastDays),
    unclear: beside(
      now.unclear,
      before.unclear?.filter((index) => !decided.includes(index)),
    ),
  };
}

type OneColumn = number | { column: number };

function indexOf(one: OneColumn): number {
  return typeof one === 'number' ? one : one.column;
}
