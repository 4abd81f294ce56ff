import type { DialCounts } from '../domain/nights/dial-counts.ts';
import { LEAD_RESULTS, type LeadResult } from '../domain/lead.ts';
import type { Progress } from '../store/port.ts';
import { grouped } from '../text/amounts.ts';
import { counted } from '../text/plural.ts';

/** The meaning of each result, in words for the operator. */
export const MEANING: Record<LeadResult, string> = {
  answered: 'a person spoke',
  voicemail: 'a machine answered',
  no_answer: 'nobody answered',
  busy: 'the line was busy',
  declined: 'the call was declined',
  failed: 'the call failed',
  rejected: 'the service refused the call',
  invalid_number: 'the number does not exist',
  opted_out: 'asked not to be called again',
  unconfirmed: 'the request was sent, its answer lost, and no trace of a call found',
  no_result: 'called, but no readable analytics came',
  suppressed: 'may not be called',
  expired: 'the time to call was over',
  cancelled: 'withdrawn or left out before the call',
};

/** `53 calls made, 2 refused, 1 in doubt, 0 not made`: the same four numbers everywhere. */
export function dialsText({ made, refused, inDoubt, notMade }: DialCounts): string {
  return `${counted(made, 'call')} made, ${grouped(refused)} refused, ${grouped(inDoubt)} in doubt, ${grouped(notMade)} not made`;
}

/**
 * A campaign in a few lines: a total, then one line for each result that occurs, in a fixed order.
 *
 * @param progress the progress of the campaign
 */
export function summaryLines(progress: Progress): string[] {
  const { total, done, calling, waiting, doubts, dials } = progress;
  const lines = [
    `${counted(total, 'lead')}: ${grouped(done)} done, ${grouped(calling)} in progress, ${grouped(waiting)} waiting`,
  ];
  const results = LEAD_RESULTS.filter((result) => (progress.results[result] ?? 0) > 0);
  const nameWidth = Math.max(0, ...results.map((result) => result.length));
  const countWidth = grouped(total).length;
  for (const result of results) {
    const count = grouped(progress.results[result] ?? 0).padStart(countWidth);
    lines.push(`  ${result.padEnd(nameWidth)}  ${count}  ${MEANING[result]}`);
  }
  if (Object.values(dials).some((count) => count > 0)) lines.push(`  ${dialsText(dials)}`);
  if (doubts > 0) {
    const verb = doubts === 1 ? 'call is' : 'calls are';
    lines.push(
      `  ${grouped(doubts)} requested ${verb} in doubt: the answer was lost and is not settled yet`,
    );
  }
  return lines;
}
