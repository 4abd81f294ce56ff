import type { Io } from '../io.ts';
import { printLines, printTable, say, type Table } from './output.ts';

/**
 * A table that a terminal can show: where it is too wide, columns that say nothing are left out, then the last one,
 * then the rows stand below each other. Off a terminal it is whole.
 */
export function printFittedTable(io: Io, ...[headers, rows]: Table): void {
  const all = headers.map((_, at) => at);
  const isNarrow = (columns: readonly number[]) =>
    widthOf(columns, [headers, ...rows]) <= io.columns;
  if (!io.stdoutIsTty || isNarrow(all)) {
    printTable(io, headers, rows);
    return;
  }
  const telling = all.filter((at) => rows.some((row) => (row[at] ?? 0) !== 0));
  const last = headers.length - 1;
  const some = [telling, telling.filter((at) => at !== last)].find(isNarrow);
  if (some === undefined || (rows.length === 1 && !some.includes(last))) {
    printBelow(io, headers, rows);
    return;
  }
  const pick = <T>(cells: readonly T[]) => cells.filter((_, at) => some.includes(at));
  printTable(io, pick(headers), rows.map(pick));
  if (!some.includes(last))
    say(io, `The terminal is too narrow for ${headers[last] ?? ''}; --json has it.`);
}

function printBelow(io: Io, ...[headers, rows]: Table): void {
  rows.forEach((row, index) => {
    if (index > 0) printLines(io, ['']);
    printLines(
      io,
      headers.map((header, at) => `${`${header}:`.padEnd(11)}${row[at] ?? '-'}`),
    );
  });
}

/** Two blanks stand between columns. */
function widthOf(columns: readonly number[], rows: Table[1]): number {
  const widest = columns.map((at) => Math.max(...rows.map((row) => String(row[at] ?? '-').length)));
  return widest.reduce((sum, width) => sum + width + 2, -2);
}
