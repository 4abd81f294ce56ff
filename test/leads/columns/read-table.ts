import { formatOf, listRows } from '../../../src/leads/read/list-rows.ts';
import { tempList } from '../temp-list.ts';

/**
 * All rows of a list, names and titles too, as an import reads them: encoding and delimiter told by the bytes.
 * A row is its cells with `|` between them, so that a table of cases can be read.
 *
 * @param delimiter default: told by the text
 */
export async function readTable(
  content: string | Uint8Array,
  delimiter?: string,
): Promise<string[]> {
  const path = tempList(content);
  const found = await formatOf(path, {});
  const format = found.kind === 'text' && delimiter !== undefined ? { ...found, delimiter } : found;
  const rows: string[] = [];
  for await (const piece of listRows(path, format, () => undefined)) {
    for (const { cells } of piece) rows.push(cells.join('|'));
  }
  return rows;
}
