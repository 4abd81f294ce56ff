import { personIn } from '../domain/lists/person.ts';
import type { List } from '../store/port.ts';

/**
 * The name of the person of a row, by the columns that the import of its list recognised; null where it has none.
 *
 * @param list of the row; a single call has none
 */
export function nameIn(
  list: Pick<List, 'mapping'> | undefined,
  cells: readonly string[],
): string | null {
  const { fullName = '' } = personIn(list?.mapping ?? { fields: {} }, cells);
  return fullName === '' ? null : fullName;
}
