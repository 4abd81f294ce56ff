import { CALL_COLUMNS } from './columns.ts';
import type { ResultFormat } from './rows.ts';

/**
 * One JSON object a line and lead: `lead` with the list's own columns, our `call_` columns as text, number or
 * null, `turns` with who said what, `analytics` with the service's answer as it came.
 */
export const jsonlFormat: ResultFormat = (headers) => {
  const names = distinctNames(headers);
  return {
    head: '',
    detail: 'everything',
    row: ({ own, call, turns, raw }) => {
      const lead = Object.fromEntries(names.map((name, i) => [name, own[i] ?? '']));
      const ours = Object.fromEntries(CALL_COLUMNS.map((name) => [name, call[name]]));
      return `${JSON.stringify({ lead, ...ours, turns, analytics: raw })}\n`;
    },
  };
};

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
