import type { Analytics } from '../../domain/analytics.ts';
import { typedCellOf } from '../columns.ts';
import type { ResultFormat } from './format.ts';

/**
 * One JSON object per line and row: `lead` with the list's own columns, the `call_` columns as text, number or null,
 * `turns` with who said what, `analytics` with the service's answer unchanged.
 */
export const jsonlFormat: ResultFormat = async (columns, sink) => {
  const own = columns.filter((column) => column.kind === 'own');
  const names = distinctNames(own.map(({ name }) => name));
  const others = columns.filter((column) => column.kind !== 'own');
  return {
    add: (rows) => {
      const lines = rows.map((row) => {
        const lead = Object.fromEntries(names.map((name, i) => [name, own[i]?.value(row)]));
        const rest = Object.fromEntries(
          others.map((column) => [
            column.name,
            column.kind === 'extra' ? column.value(row) : typedCellOf(column, row),
          ]),
        );
        return `${JSON.stringify(own.length === 0 ? rest : { lead, ...rest })}\n`;
      });
      return sink(lines.join(''));
    },
    end: async () => undefined,
  };
};

/** Analytics as commands print them in JSON: `cost` is a number there, as in the export, and not decimal text. */
export function jsonAnalytics(analytics: Analytics | null) {
  const { cost = null } = analytics ?? {};
  return analytics && { ...analytics, cost: cost === null ? null : Number(cost) };
}

/** Names that are unique, as keys of an object must be: the second `note` is `note_2`, a nameless column `column_3`. */
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
