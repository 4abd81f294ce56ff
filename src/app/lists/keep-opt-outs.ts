import type { CampaignSettings } from '../../domain/campaign.ts';
import { optOutsIn } from '../../leads/rows/opt-outs.ts';
import { batchesOf } from '../../leads/read/batches.ts';
import type { Survey } from '../../leads/survey.ts';
import { AppError, EXIT } from '../../runtime/errors.ts';
import type { Store } from '../../store/port.ts';
import { counted } from '../../text/plural.ts';
import { Declined } from '../require-confirmed.ts';
import type { World } from '../world.ts';

/** Lists that were read, and where the people on them who ask not to be called are suppressed. */
interface ReadLists {
  surveys: readonly Survey[];
  live: boolean;
  settings: Pick<CampaignSettings, 'country' | 'numbers'>;
  /** Called only where somebody asks. */
  createStore: () => Promise<Store>;
}

/** What of a plan its lists are kept by. */
type OfPlan = Pick<ReadLists, 'surveys' | 'createStore'> & {
  opened: { config: { live: boolean } };
  resolved: { settings: ReadLists['settings'] };
};

/** The lists of a plan. */
export function listsOf({ surveys, createStore, opened, resolved }: OfPlan): ReadLists {
  return { surveys, createStore, live: opened.config.live, settings: resolved.settings };
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
  { surveys, live, settings, createStore }: ReadLists,
  world: World,
): Promise<void> {
  const { country, numbers: policy } = settings;
  const options = { country, policy, refuseFictional: live, at: world.clock.now() };
  for (const { path, scanned } of surveys) {
    let numbers = 0;
    let added = 0;
    let store: Store | undefined;
    for await (const entries of optOutsIn(scanned, options))
      // The store takes at most 1,000 entries at once.
      for (const some of batchesOf(entries)) {
        store ??= await createStore();
        numbers += some.length;
        added += (await store.suppress(some)).added;
      }
    if (store === undefined) continue;
    const asking = counted(numbers, 'number', 'numbers');
    world.tell(
      `${path}: ${asking} of people who ask not to be called ${numbers === 1 ? 'is' : 'are'} on the suppression list of ${store.location}, ${added} new; nothing else of it is taken.`,
    );
  }
}
