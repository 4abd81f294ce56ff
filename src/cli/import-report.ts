import type { ImportReport } from '../leads/import.ts';
import type { RowCounts } from '../leads/tally.ts';
import { counted } from './plural.ts';
import { shellWord } from './shell-word.ts';

/** What became of a list, in sentences: counts, examples of what was not taken, and how to bring it back. */
export function importLines(report: ImportReport, campaign: string): string[] {
  const { list, added, alreadyThere, rejectsPath } = report;
  const were = alreadyThere === 1 ? 'was' : 'were';
  const there = alreadyThere > 0 ? `, ${alreadyThere} ${were} there already` : '';
  const lines = [
    `${list.path}: ${counted(report.rows, 'row')}, ${added} added${there}${notTaken(report)}; numbers from column "${report.phoneColumn}".`,
    ...exampleLines(report),
  ];
  if (rejectsPath !== null) {
    lines.push(
      `Rows not taken are in ${rejectsPath}; mend them there, then:`,
      `  callsheet import ${shellWord(campaign)} ${shellWord(rejectsPath)}`,
    );
  }
  return lines;
}

/** Up to three examples a reason, and what is odd in rows that were taken. */
export function exampleLines({ examples, byReason, notes }: RowCounts): string[] {
  const toMend = examples.filter(({ code }) => code !== 'already_in_campaign');
  const lines = toMend.map(({ line, text }) => `  line ${line}: ${text}`);
  const all = Object.values(byReason).reduce((sum, count) => sum + count, 0);
  const more = all - toMend.length - inCampaign({ byReason });
  if (more > 0) lines.push(`  and ${more} more`);
  for (const { count, example } of Object.values(notes)) {
    lines.push(
      `  ${counted(count, 'row')} taken as ${count === 1 ? 'it is' : 'they are'}: ${example}`,
    );
  }
  return lines;
}

export function notTaken({ rejected, duplicates, byReason }: RowCounts): string {
  const parts = [];
  const known = inCampaign({ byReason });
  if (rejected > 0) parts.push(`${rejected} rejected`);
  if (duplicates > known) parts.push(counted(duplicates - known, 'duplicate'));
  if (known > 0) parts.push(`${known} in the campaign already by another list`);
  return parts.length === 0 ? '' : `, ${parts.join(', ')}`;
}

function inCampaign({ byReason }: Pick<RowCounts, 'byReason'>): number {
  return byReason.already_in_campaign ?? 0;
}
