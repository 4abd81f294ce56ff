import { nearest } from '../../text/nearest.ts';
import { AppError, EXIT } from '../../runtime/errors.ts';
import { ATTEMPT_COLUMNS, CALL_COLUMNS, type AttemptColumn, type CallColumn } from '../columns.ts';

/** One column of a results file. */
export type Column =
  /** A column of the list; `index` is its place among them. */
  | { kind: 'own'; name: string; index: number }
  | { kind: 'call'; name: CallColumn | AttemptColumn }
  /** What only JSON lines can hold. */
  | { kind: 'extra'; name: Extra };

export const EXTRAS = ['turns', 'analytics'] as const;
export type Extra = (typeof EXTRAS)[number];

/**
 * The columns of a file, in their order: the list's own, then ours, then (for JSON lines) turns and the raw
 * answer; or those that were asked for, in the order in which they were.
 *
 * @param wanted names; of a header that the list has twice all are meant
 * @throws AppError `COLUMN_UNKNOWN` (exit 2), naming those there are
 */
export function layoutOf(
  headers: readonly string[],
  options: { per: 'lead' | 'attempt'; extras: boolean; wanted: readonly string[] | null },
): Column[] {
  const { per, extras, wanted } = options;
  const ours = per === 'attempt' ? [...CALL_COLUMNS, ...ATTEMPT_COLUMNS] : CALL_COLUMNS;
  const all: Column[] = [
    ...headers.map((name, index) => ({ kind: 'own' as const, name, index })),
    ...ours.map((name) => ({ kind: 'call' as const, name })),
    ...(extras ? EXTRAS.map((name) => ({ kind: 'extra' as const, name })) : []),
  ];
  if (wanted === null) return all;
  return wanted.flatMap((name) => {
    const found = all.filter((column) => column.name === name);
    if (found.length === 0) throw unknownColumn(name, all);
    return found;
  });
}

function unknownColumn(name: string, all: readonly Column[]): AppError {
  const names = all.map((column) => column.name);
  const near = nearest(name, names);
  const meant = near === undefined ? '.' : `; did you mean "${near}"?`;
  return new AppError('COLUMN_UNKNOWN', `There is no column "${name}"${meant}`, {
    hint: `give --columns with names of these, separated by commas: ${names.join(', ')}`,
    exitCode: EXIT.usage,
  });
}
