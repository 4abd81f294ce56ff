import { resolve as resolvePath } from 'node:path';
import { isGone } from '../../runtime/process.ts';
import type { Campaign, Doubt, List, Store } from '../../store/port.ts';
import { withCampaign } from '../places/databases.ts';
import type { World } from '../world.ts';
import { chooseDoubt } from './choose-doubt.ts';
import { decideByLog } from './decide-by-log.ts';
import { settleDoubts, type Decision, type SettledDoubts } from './settle-doubts.ts';

export interface ResolveRequest {
  campaign: string;
  db?: string | undefined;
  /** The file that names services. */
  services: string | undefined;
  /** What is known of which calls; `all`, or the number, attempt id or external id of one. Null: they are listed. */
  settle: { which: { all: true } | { lead: string }; as: Decision['settle'] } | null;
  /** Instead of `settle`: the provider's own log of calls decides. */
  from: string | undefined;
  /** Why, for the history. */
  note: string | null;
  /** People may be called a second time without asking. */
  yes: boolean;
}

export type ResolveReport = { campaign: Campaign } & (
  | { is: 'listed'; doubts: Doubt[]; lists: List[] }
  /** `undecided`: those that the log says nothing certain of. */
  | ({ is: 'settled'; undecided: number } & SettledDoubts)
);

/**
 * Lists calls of which it is not known whether they were made, or settles them. Nothing is dialled.
 *
 * @throws AppError `NOT_CONFIRMED`, those of `chooseDoubt` and `decideByLog` (exit 2)
 */
export function resolveDoubts(request: ResolveRequest, world: World): Promise<ResolveReport> {
  return withCampaign(request.campaign, request, world, 'write', async (store, campaign) => {
    const { settle, from, note } = request;
    // Calls whose process is gone are in doubt as well, also when no run has noticed it yet.
    await sweepOnce(store, campaign, world);
    const doubts = await store.doubts(campaign.id);
    const open = doubts.filter(({ resolution }) => resolution === null);
    const settleAll = async (decisions: Decision[], why: string | null, undecided = 0) => {
      const options = { ...request, store, campaign, note: why };
      const settled = await settleDoubts(decisions, options, world);
      return { is: 'settled', campaign, undecided, ...settled } as const;
    };
    if (from !== undefined) {
      if (open.length === 0) world.tell(`No call of "${campaign.name}" is in doubt.`);
      const path = resolvePath(world.cwd, from);
      const { decisions, undecided } = await decideByLog(path, open, campaign, world);
      return settleAll(decisions, note ?? `found in ${from}`, undecided);
    }
    if (settle === null)
      return { is: 'listed', campaign, doubts: open, lists: await store.lists(campaign.id) };
    const { which, as } = settle;
    const chosen = 'all' in which ? open : [chooseDoubt(which.lead, doubts, campaign)];
    return settleAll(
      chosen.map((doubt) => ({ doubt, settle: as })),
      note,
    );
  });
}

async function sweepOnce(store: Store, { id, settings }: Campaign, world: World): Promise<void> {
  const owners = await store.intentOwners(id);
  const gone = owners.filter((owner) => isGone(owner, world.owner));
  await store.sweep({ campaignId: id, now: world.clock.now(), settings, gone });
}
