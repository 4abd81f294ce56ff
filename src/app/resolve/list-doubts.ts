import type { Resolution } from '../../domain/resolution.ts';
import { nameIn } from '../../results/person-name.ts';
import type { Campaign, Doubt } from '../../store/port.ts';
import type { CampaignRequest } from '../places/databases.ts';
import { aboutDoubts, whyNotAs } from '../sentences/resolve-lines.ts';
import type { World } from '../world.ts';
import { resolveDoubts } from './resolve.ts';

/** A call in doubt with all that helps to settle it. */
export interface DoubtView extends Doubt {
  name: string | null;
  /** Path of its list; null: a single call. */
  listPath: string | null;
  /** Why it cannot be settled in a way now, as a clause; null: it can. */
  refusals: Record<Resolution, string | null>;
}

/**
 * The calls of a campaign that are in doubt, and what is to be done about them (null: none is).
 *
 * @throws AppError `CAMPAIGN_UNKNOWN` (exit 2)
 */
export async function listDoubts(
  request: CampaignRequest,
  world: World,
): Promise<{ campaign: Campaign; doubts: DoubtView[]; about: string | null }> {
  const nothing = { settle: null, from: undefined, note: null, yes: false, services: undefined };
  const report = await resolveDoubts({ ...request, ...nothing }, world);
  const { campaign } = report;
  const { doubts = [], lists = [] } = report.is === 'listed' ? report : {};
  const at = { campaign, now: world.clock.now() };
  const views = doubts.map((doubt): DoubtView => {
    const list = lists.find(({ number }) => number === doubt.list);
    const why = (as: Resolution) => whyNotAs(doubt, as, at);
    return {
      ...doubt,
      name: nameIn(list, doubt.cells),
      listPath: list?.path ?? null,
      refusals: {
        placed: why('placed'),
        not_placed: why('not_placed'),
        unconfirmed: why('unconfirmed'),
      },
    };
  });
  const about = views.length === 0 ? null : `${aboutDoubts(views.length, campaign)}.`;
  return { campaign, doubts: views, about };
}
