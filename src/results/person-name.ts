import { personIn } from '../domain/lists/person.ts';
import type { List } from '../store/port.ts';

/**
 * The name of the person of a row, from the columns that the import of the list recognised; null where there is none.
 *
 * @param list the list of the row; undefined for a single call
 */
export function nameIn(
  list: Pick<List, 'mapping'> | undefined,
  cells: readonly string[],
): string | null {
  const { fullName = '' } = personIn(list?.mapping ?? { fields: {} }, cells);
  return fullName === '' ? null : fullName;
}
