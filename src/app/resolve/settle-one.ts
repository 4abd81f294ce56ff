import type { Resolution } from '../../domain/resolution.ts';
import { usageError } from '../../runtime/errors.ts';
import { asSentence } from '../../text/plural.ts';
import type { CampaignRequest } from '../places/databases.ts';
import { refusalText, settledLines } from '../sentences/resolve-lines.ts';
import type { World } from '../world.ts';
import { callOf } from './decide-by-log.ts';
import { resolveDoubts, type ResolveRequest } from './resolve.ts';
import type { Decision, SettleOptions } from './settle-doubts.ts';

export interface SettleRequest extends CampaignRequest, SettleOptions {
  /** The attempt's id, its external id, or the number that was called. */
  attempt: string;
  settle: Decision['settle'];
}

/**
 * Settles one call in doubt, and tells what comes next.
 *
 * @throws AppError `DOUBT_NOT_SETTLED` where it cannot be settled so; those of `resolveDoubts` (exit 2)
 */
export async function settleOne(
  { attempt, settle, ...request }: SettleRequest,
  world: World,
): Promise<{ as: Resolution; stillInDoubt: number }> {
  const chosen: ResolveRequest['settle'] = { which: { lead: attempt }, as: settle };
  const report = await resolveDoubts({ ...request, settle: chosen, from: undefined }, world);
  const { as } = settle;
  if (report.is === 'listed') return { as, stillInDoubt: report.doubts.length };
  const [refused] = report.refused;
  if (refused !== undefined) {
    const why = refusalText(refused.refusal, as, report.campaign);
    throw usageError(
      'DOUBT_NOT_SETTLED',
      `${callOf(refused.doubt)} is not settled: ${asSentence(why)}`,
      'settle it in another way, or later; nobody is called for it before that',
    );
  }
  for (const line of settledLines(report)) world.tell(line);
  return { as, stillInDoubt: report.stillInDoubt };
}
