import type { Database } from 'better-sqlite3';
import type { ListMapping } from '../../../domain/lists/list-mapping.ts';
import { personIn, type Person } from '../../../domain/lists/person.ts';

/** What the body of a dial may say of a lead. */
export interface LeadCells {
  /** The cells by their columns; where two have one name, the first cell that is not empty counts. */
  variables: Record<string, string>;
  /** By the columns that were recognised in the lead's own list. */
  person: Person;
}

export function leadCellsStatement(db: Database) {
  const selectCells = db.prepare<
    [number],
    { headers: string; mapping: string | null; cells: string }
  >(
    `SELECT lists.headers, lists.mapping, leads.cells FROM leads JOIN lists ON lists.id = leads.list_id
     WHERE leads.row = ?`,
  );

  return (leadRow: number): LeadCells => {
    const row = selectCells.get(leadRow);
    const headers = JSON.parse(row?.headers ?? '[]') as string[];
    const cells = JSON.parse(row?.cells ?? '[]') as string[];
    // A list that was not read from a file has no mapping.
    const mapping = JSON.parse(row?.mapping ?? '{"fields":{}}') as Pick<ListMapping, 'fields'>;
    const variables: Record<string, string> = {};
    headers.forEach((header, at) => {
      const name = header.trim();
      if (name !== '' && !variables[name]) variables[name] = cells[at] ?? '';
    });
    return { variables, person: personIn(mapping, cells) };
  };
}
