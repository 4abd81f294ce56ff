import type { ListMapping } from '../../../domain/lists/list-mapping.ts';
import { personIn, type Person } from '../../../domain/lists/person.ts';
import type { Sql } from '../sql.ts';

/** What the body of a dial may contain about a lead. */
export interface LeadCells {
  /** The cells by column name; when two columns have the same name, the first cell that is not empty counts. */
  variables: Record<string, string>;
  /** Read from the columns that were recognised in the lead's own list. */
  person: Person;
}

export function leadCellsStatement(sql: Sql) {
  const selectCells = sql.row<
    [leadRow: number],
    { headers: string[]; mapping: Pick<ListMapping, 'fields'> | null; cells: string[] }
  >(
    `SELECT lists.headers, lists.mapping, leads.cells FROM leads JOIN lists ON lists.id = leads.list_id
     WHERE leads.row = ?`,
    { json: ['headers', 'mapping', 'cells'] },
  );

  return (leadRow: number): LeadCells => {
    const { headers = [], cells = [], mapping = null } = selectCells(leadRow) ?? {};
    const variables: Record<string, string> = {};
    headers.forEach((header, at) => {
      const name = header.trim();
      if (name !== '' && !variables[name]) variables[name] = cells[at] ?? '';
    });
    // A list that was not read from a file has no mapping.
    return { variables, person: personIn(mapping ?? { fields: {} }, cells) };
  };
}
