import { matchLog } from '../../domain/resolution.ts';
import { readCallLog } from '../../leads/call-log.ts';
import type { Doubt } from '../../store/port.ts';
import type { OpenCampaign } from '../places/databases.ts';
import { counted } from '../../text/plural.ts';
import type { Decision } from './settle-doubts.ts';

/**
 * Compares the doubts with a provider's own log of calls: a call that the log has exactly once was placed. All other
 * doubts are reported and stay as they are.
 *
 * @throws AppError those of `readCallLog`
 */
export async function decideByLog(path: string, doubts: readonly Doubt[], open: OpenCampaign) {
  const { campaign, world } = open;
  const log = await readCallLog(path, campaign.settings.country);
  world.tell(`${path}: ${counted(log.calls.length, 'call')} read.`);
  for (const problem of log.problems) world.tell(`  not read: ${problem}`);
  if (log.unread > log.problems.length)
    world.tell(`  and ${log.unread - log.problems.length} more`);
  const decisions: Decision[] = [];
  for (const match of matchLog(doubts, log.calls)) {
    const { doubt } = match;
    if (match.kind === 'matched') {
      const { callId, line } = match.call;
      world.tell(`${callOf(doubt)} is call ${callId} (${path}:${line}).`);
      decisions.push({ doubt, settle: { as: 'placed', callId } });
    } else if (match.kind === 'absent') {
      world.tell(`${callOf(doubt)} is not in the log: no call to this number began at that time.`);
    } else {
      const lines = match.lines.join(', ');
      world.tell(`${callOf(doubt)} is ambiguous: lines ${lines} fit, and only one call can be it.`);
    }
  }
  return decisions;
}

/** The name of a call in messages: `line 3 +12125550101 (a2)`. */
export function callOf({ line, phone, attemptId }: Doubt): string {
  return `line ${line} ${phone} (${attemptId})`;
}
