import { own } from './own.ts';

/** Where the variables of a list's rows are: the indexes of the columns of each name, in the list's order. */
export type VariableColumns = ReadonlyMap<string, readonly number[]>;

/** A variable has the trimmed name of its column; columns without a name are none. */
export function variableColumns(headers: readonly string[]): VariableColumns {
  const columns = new Map<string, number[]>();
  headers.forEach((header, at) => {
    const name = header.trim();
    if (name !== '') columns.set(name, [...(columns.get(name) ?? []), at]);
  });
  return columns;
}

/** The variable of a row: where several columns have its name, the first cell that is not blank; blank: ''. */
export function variableIn(cells: readonly string[], columns: readonly number[] = []): string {
  for (const at of columns) {
    const cell = cells[at] ?? '';
    if (cell.trim() !== '') return cell;
  }
  return '';
}

/**
 * Why a person is held whose row has no word for the agent's prompt; null: it has all of them.
 *
 * @param needed names of columns; null: the prompt has not been read yet
 */
export function blankReason(
  needed: readonly string[] | null,
  variables: Readonly<Record<string, string>>,
): string | null {
  if (needed === null)
    return "the agent's prompt has not been read since agent or `variables: require` was set; start the campaign again";
  const blank = needed.filter((name) => (own(variables, name) ?? '').trim() === '');
  if (blank.length === 0) return null;
  const are = blank.length === 1 ? 'is' : 'are';
  return `${blank.map((name) => `"${name}"`).join(', ')} ${are} blank in the list`;
}
