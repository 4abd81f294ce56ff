import type { RehearsalReport } from '../../app/rehearsal/rehearse.ts';
import { adviceLines, endLine, neverLines } from '../../app/sentences/rehearsal-lines.ts';
import type { Rehearsal } from '../contract/campaigns.ts';

/** What a rehearsal shows, as the result of its job. */
export function rehearsalAnswer(report: RehearsalReport): Rehearsal {
  return {
    nights: report.nights,
    lines: [endLine(report), ...neverLines(report), ...adviceLines(report)],
  };
}
