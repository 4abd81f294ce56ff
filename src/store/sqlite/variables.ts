import type { Database } from 'better-sqlite3';

/** The cells of a lead's row by their columns, for the body of a dial. Where two have one name, the first cell that is not empty counts. */
export function variableStatement(db: Database) {
  const selectCells = db.prepare<[number], { headers: string; cells: string }>(
    `SELECT lists.headers, leads.cells FROM leads JOIN lists ON lists.id = leads.list_id
     WHERE leads.row = ?`,
  );

  return (leadRow: number): Record<string, string> => {
    const row = selectCells.get(leadRow);
    const headers = JSON.parse(row?.headers ?? '[]') as string[];
    const cells = JSON.parse(row?.cells ?? '[]') as string[];
    const variables: Record<string, string> = {};
    headers.forEach((header, at) => {
      const name = header.trim();
      if (name !== '' && !variables[name]) variables[name] = cells[at] ?? '';
    });
    return variables;
  };
}
