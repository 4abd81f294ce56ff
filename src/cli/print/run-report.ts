import type { RunReport } from '../../app/run/run-and-report.ts';
import { summaryLines } from '../../results/summary.ts';
import { EXIT, type ExitCode } from '../../runtime/errors.ts';
import { withIso } from '../../text/iso-times.ts';
import { localTime } from '../../text/local-time.ts';
import { counted } from '../../text/plural.ts';
import type { Io } from '../io.ts';
import { printJson, say } from '../terminal/output.ts';
import { progressJson } from './json-times.ts';
import { heldInDoubt } from './resolve-words.ts';

/** How a run ended: figures, where the results are, and why it ended. @param report null: it was left at once */
export function printRunReport(report: RunReport | null, json: boolean, io: Io): ExitCode {
  if (report === null) return EXIT.interrupted;
  const { campaign, progress, results, exit } = report;
  const { timezone } = campaign.settings;
  if (json && results.path !== null) {
    printJson(io, {
      campaign: campaign.name,
      state: campaign.state,
      ...progressJson(progress, timezone),
      resultsFile: results.path,
      exitCode: exit.code,
      why: exit.why,
      ...withIso({ nextAt: exit.nextAt }, ['nextAt'], timezone),
    });
  }
  const held = report.heldByDoubts;
  const next = exit.nextAt === null ? '' : ` Next at ${localTime(exit.nextAt, timezone)}.`;
  const lines = [
    ...summaryLines(progress),
    ...(held.length === 0 ? [] : [heldInDoubt(held, campaign)]),
    ...(results.path === null
      ? []
      : [`Results: ${results.path} (${counted(results.rows, 'row')})`]),
    `${exit.why}${next}`,
  ];
  for (const line of lines) say(io, line, 'end', exit.code);
  return exit.code;
}
