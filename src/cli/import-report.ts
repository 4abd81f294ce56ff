import type { ImportReport } from '../leads/import.ts';
import type { RowCounts } from '../leads/tally.ts';

/** What became of a list, in sentences: counts, examples of what was not taken, and how to bring it back. */
export function importLines(report: ImportReport, campaign: string): string[] {
  const { list, added, alreadyThere, rejectsPath } = report;
  const there = alreadyThere > 0 ? `, ${alreadyThere} were there already` : '';
  const lines = [
    `${list.path}: ${report.rows} rows, ${added} added${there}${notTaken(report)}; numbers from column "${report.phoneColumn}".`,
    ...exampleLines(report),
  ];
  if (rejectsPath !== null) {
    lines.push(
      `Rows not taken are in ${rejectsPath}; mend them there, then:`,
      `  callsheet import ${quote(campaign)} ${quote(rejectsPath)}`,
    );
  }
  return lines;
}

/** Up to three examples a reason, and what is odd in rows that were taken. */
export function exampleLines({ examples, byReason, notes }: RowCounts): string[] {
  const lines = examples.map(({ line, text }) => `  line ${line}: ${text}`);
  const shown = examples.length;
  const all = Object.values(byReason).reduce((sum, count) => sum + count, 0);
  if (all > shown) lines.push(`  and ${all - shown} more`);
  for (const note of Object.values(notes)) lines.push(`  ${note.count} rows: ${note.example}`);
  return lines;
}

export function notTaken({ rejected, duplicates }: RowCounts): string {
  const parts = [];
  if (rejected > 0) parts.push(`${rejected} rejected`);
  if (duplicates > 0) parts.push(`${duplicates} duplicates`);
  return parts.length === 0 ? '' : `, ${parts.join(', ')}`;
}

function quote(word: string): string {
  return /^[\w./:@+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
