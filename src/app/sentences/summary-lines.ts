import { nightText } from '../../domain/nights/night.ts';
import { figureLines } from '../../results/figure-lines.ts';
import type { summarizeCampaign } from '../results/report.ts';

type Summary = Awaited<ReturnType<typeof summarizeCampaign>>;

/** The figures of a campaign, or of one of its nights, as lines with bars for a fixed-width font. */
export function summaryLinesOf({ name, night, timezone, figures }: Summary): string[] {
  return figureLines(titleOf(name, night), timezone, figures);
}

function titleOf(name: string, night: string | null): string {
  if (night === null) return name;
  return `${name}, ${night === '' ? 'before nights were kept' : `night of ${nightText({ date: night })}`}`;
}
