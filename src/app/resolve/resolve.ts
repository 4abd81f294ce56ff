import { resolve as resolvePath } from 'node:path';
import { type AppError, usageError } from '../../runtime/errors.ts';
import { isGone } from '../../runtime/process.ts';
import type { Campaign, Doubt, List } from '../../store/port.ts';
import { shellWord } from '../../text/shell-word.ts';
import { withCampaign, type CampaignRequest, type OpenCampaign } from '../places/databases.ts';
import { readLeadPhone } from '../typed-phone.ts';
import type { World } from '../world.ts';
import { decideByLog } from './decide-by-log.ts';
import {
  settleDoubts,
  type Decision,
  type SettledDoubts,
  type SettleOptions,
} from './settle-doubts.ts';

export interface ResolveRequest extends CampaignRequest, SettleOptions {
  /** Which doubts to settle, and how: `all`, or one by number, attempt id or external id. Null: they are listed. */
  settle: { which: { all: true } | { lead: string }; as: Decision['settle'] } | null;
  /** Path of the provider's own log of calls, which decides instead of `settle`. */
  from: string | undefined;
}

export type ResolveReport = { campaign: Campaign } & (
  | { is: 'listed'; doubts: Doubt[]; lists: List[] }
  /** `undecided`: the number of doubts that the log does not decide. */
  | ({ is: 'settled'; undecided: number } & SettledDoubts)
);

/**
 * Lists the calls in doubt (it is not known whether they were made), or settles them. Nothing is dialled.
 *
 * @throws AppError `NOT_CONFIRMED`, `PHONE_INVALID`, `NOT_IN_DOUBT`, `LEAD_AMBIGUOUS`, those of `decideByLog` (exit 2)
 */
export function resolveDoubts(request: ResolveRequest, world: World): Promise<ResolveReport> {
  return withCampaign(request, world, 'write', async (open) => {
    const { store, campaign } = open;
    const { settle, from, note } = request;
    // A call whose process has died is in doubt, even if no run has noticed that yet.
    await sweepOnce(open);
    const doubts = await store.doubts(campaign.id);
    const unsettled = doubts.filter(({ resolution }) => resolution === null);
    if (from !== undefined) {
      if (unsettled.length === 0) world.tell(`No call of "${campaign.name}" is in doubt.`);
      const decisions = await decideByLog(resolvePath(world.cwd, from), unsettled, open);
      const options = { ...request, note: note ?? `found in ${from}` };
      const settled = await settleDoubts(decisions, options, open);
      return {
        is: 'settled',
        campaign,
        undecided: unsettled.length - decisions.length,
        ...settled,
      };
    }
    if (settle === null)
      return { is: 'listed', campaign, doubts: unsettled, lists: await store.lists(campaign.id) };
    const { which, as } = settle;
    const chosen = 'all' in which ? unsettled : [chooseDoubt(which.lead, doubts, campaign)];
    const decisions = chosen.map((doubt) => ({ doubt, settle: as }));
    const settled = await settleDoubts(decisions, request, open);
    return { is: 'settled', campaign, undecided: 0, ...settled };
  });
}

async function sweepOnce({ store, campaign: { id, settings }, world }: OpenCampaign) {
  const gone = (await store.intentOwners(id)).filter((owner) => isGone(owner, world.owner));
  await store.sweep({ campaignId: id, now: world.clock.now(), settings, gone });
}

/**
 * Finds one call in doubt by number, attempt id or external id, including one that was settled before.
 *
 * @throws AppError `PHONE_INVALID`, `NOT_IN_DOUBT`, `LEAD_AMBIGUOUS` (exit 2)
 */
export function chooseDoubt(text: string, doubts: readonly Doubt[], campaign: Campaign): Doubt {
  const named = doubts.find(({ attemptId, key }) => attemptId === text || key === text);
  if (named !== undefined) return named;
  if (/^a\d+$/.test(text)) throw notInDoubt(`attempt ${text}`, campaign);
  const phone = readLeadPhone(text, campaign);
  const theirs = doubts.filter((doubt) => doubt.phone === phone);
  const open = theirs.filter(({ resolution }) => resolution === null);
  if (open.length > 1) {
    const ids = open.map(({ attemptId }) => attemptId).join(', ');
    const message = `${phone} has ${open.length} calls in doubt: ${ids}.`;
    throw usageError('LEAD_AMBIGUOUS', message, 'give the attempt with --lead');
  }
  const doubt = open[0] ?? theirs.at(-1);
  if (doubt === undefined) throw notInDoubt(`a call to ${phone}`, campaign);
  return doubt;
}

function notInDoubt(what: string, { name }: Campaign): AppError {
  const message = `"${name}" is not in doubt about ${what}; give the number or the attempt of a call that is in doubt.`;
  return usageError('NOT_IN_DOUBT', message, `\`callsheet resolve ${shellWord(name)}\` lists them`);
}
