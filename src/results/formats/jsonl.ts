import { typedCellOf, type ResultFormat } from './format.ts';
import type { Column } from './layout.ts';
import type { ResultRow } from '../rows.ts';

/**
 * One JSON object a line and lead: `lead` with the list's own columns, our `call_` columns as text, number or
 * null, `turns` with who said what, `analytics` with the service's answer as it came.
 */
export const jsonlFormat: ResultFormat = {
  detail: 'everything',
  begin: async (columns, sink) => {
    const own = columns.filter((column) => column.kind === 'own');
    const names = distinctNames(own.map(({ name }) => name));
    const others = columns.filter((column) => column.kind !== 'own');
    const toLine = (row: ResultRow): string => {
      const lead = Object.fromEntries(names.map((name, i) => [name, row.own[own[i]?.index ?? 0]]));
      const rest = Object.fromEntries(others.map((column) => [column.name, valueOf(column, row)]));
      return `${JSON.stringify(own.length === 0 ? rest : { lead, ...rest })}\n`;
    };
    return {
      add: (rows) => sink(rows.map(toLine).join('')),
      end: async () => undefined,
    };
  },
};

function valueOf(column: Exclude<Column, { kind: 'own' }>, row: ResultRow): unknown {
  if (column.kind === 'call') return typedCellOf(column, row);
  return column.name === 'turns' ? row.turns : row.raw;
}

/** An object holds a name once: the second `note` is `note_2`, a column without a name `column_3`. */
function distinctNames(headers: readonly string[]): string[] {
  const taken = new Set<string>();
  return headers.map((header, i) => {
    const base = header === '' ? `column_${i + 1}` : header;
    let name = base;
    for (let n = 2; taken.has(name) || (name !== header && headers.includes(name)); n++) {
      name = `${base}_${n}`;
    }
    taken.add(name);
    return name;
  });
}
