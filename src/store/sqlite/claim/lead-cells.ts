import { fieldsOf, type MergedColumns } from '../../../domain/lists/merge-columns.ts';
import { personIn, type Person } from '../../../domain/lists/person.ts';
import { variableColumns, variableIn } from '../../../domain/lists/row-variables.ts';
import type { Sql } from '../sql.ts';
import { asOf } from '../tables/people/lead-before.ts';

/** What the body of a dial may contain about a lead. */
export interface LeadCells {
  /** By column name, see `variableIn`. */
  variables: Record<string, string>;
  /** Read from the columns that were recognised in the lead's own list. */
  person: Person;
}

export function leadCellsStatement(sql: Sql) {
  const selectCells = sql.row<
    [{ leadRow: number; seq: number | null }],
    MergedColumns & { cells: string[] }
  >(
    `SELECT lists.headers, lists.mapping, lists.added, ${asOf('cells', '@seq')} AS cells
     FROM leads JOIN lists ON lists.id = leads.list_id WHERE leads.row = @leadRow`,
    { json: ['headers', 'mapping', 'added', 'cells'] },
  );

  /** @param seq the attempt that the cells are to be those of; default null: the next one */
  return (leadRow: number, seq: number | null = null): LeadCells => {
    const found = selectCells({ leadRow, seq });
    if (found === undefined) return { variables: {}, person: {} };
    const { cells, added } = found;
    const headers = [...found.headers, ...added.map(({ header }) => header)];
    const named = Array.from(variableColumns(headers), ([name, at]) => [
      name,
      variableIn(cells, at),
    ]);
    const variables = Object.fromEntries(named) as Record<string, string>;
    return { variables, person: personIn({ fields: fieldsOf(found) }, cells) };
  };
}
