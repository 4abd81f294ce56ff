import type { CampaignSettings } from '../../domain/campaign.ts';
import { optOutsIn } from '../../leads/rows/add-rows.ts';
import { batchesOf } from '../../leads/read/row.ts';
import type { Survey } from '../../leads/import.ts';
import { AppError, EXIT } from '../../runtime/errors.ts';
import type { Campaign, Store } from '../../store/port.ts';
import { grouped } from '../../text/amounts.ts';
import { counted } from '../../text/wording.ts';
import { Declined } from '../typed.ts';
import type { World } from '../world.ts';

/** Lists that were read, as a plan has them, and where the people on them who ask not to be called are suppressed. */
interface ReadLists {
  surveys: readonly Survey[];
  /** The campaign that the lists are for, where it exists: people in it whom a list does not let be called are stopped. */
  campaign: Pick<Campaign, 'id'> | undefined;
  opened: { config: { live: boolean } };
  resolved: { settings: Pick<CampaignSettings, 'country' | 'numbers'> };
  /** Called only where somebody asks. */
  createStore: () => Promise<Store>;
}

/**
 * Decides about lists that were read. Where they are refused, people on them who ask not to be called are suppressed
 * all the same, as the next list may not say it; a no to a question suppresses nobody, as it may be the columns that
 * were wrong.
 *
 * @throws AppError what `decide` throws
 */
export async function keepingOptOuts<T>(
  lists: ReadLists,
  world: World,
  decide: () => Promise<T>,
): Promise<T> {
  try {
    return await decide();
  } catch (error) {
    if (isRefused(error)) await keepOptOuts(lists, world);
    throw error;
  }
}

function isRefused(error: unknown): boolean {
  if (!(error instanceof AppError) || error instanceof Declined) return false;
  return error.exitCode === EXIT.usage || error.code === 'LIST_UNFINISHED';
}

async function keepOptOuts(
  { surveys, opened, resolved, createStore, campaign }: ReadLists,
  world: World,
): Promise<void> {
  const { country, numbers: policy } = resolved.settings;
  const { live: refuseFictional } = opened.config;
  const options = { country, policy, refuseFictional, at: world.clock.now() };
  for (const { path, scanned } of surveys) {
    let [numbers, added, stopped] = [0, 0, 0];
    let store: Store | undefined;
    for await (const { entries, stops } of optOutsIn(scanned, options)) {
      // The store takes at most 1,000 entries at once.
      for (const some of batchesOf(entries)) {
        store ??= await createStore();
        numbers += some.length;
        added += (await store.suppress(some)).added;
      }
      if (campaign === undefined) continue;
      for (const some of batchesOf(stops)) {
        store ??= await createStore();
        stopped += await store.stopLeads(campaign.id, scanned.sha256, some);
      }
    }
    if (stopped > 0) {
      const are = stopped === 1 ? 'person of the campaign is' : 'people of the campaign are';
      world.tell(
        `${path}: ${grouped(stopped)} ${are} not called, as it does not say that they may be.`,
      );
    }
    if (store === undefined || numbers === 0) continue;
    const asking = counted(numbers, 'number', 'numbers');
    world.tell(
      `${path}: ${asking} of people who ask not to be called ${numbers === 1 ? 'is' : 'are'} on the suppression list of ${store.name}, ${added} new; nothing else of it is taken.`,
    );
  }
}
