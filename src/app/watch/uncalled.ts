import type { Store } from '../../store/port.ts';
import type { World } from '../world.ts';
import { viewOf } from './campaigns.ts';

/**
 * Tells of each campaign that nobody calls, though people of it wait or its import was broken off, with what goes on.
 *
 * @param serves this process calls every campaign that was started
 */
export async function tellUncalled(
  store: Store,
  { serves }: { serves: boolean },
  world: World,
): Promise<void> {
  for (const campaign of await store.listCampaigns()) {
    const { name, kind, state, archivedAt } = campaign;
    if (kind !== 'list' || archivedAt !== undefined || state === 'cancelled') continue;
    if (serves && state === 'running') continue;
    const { progress, works, heldUpBy, why } = await viewOf({ store, campaign, world });
    const isLeft = progress.waiting > 0 || heldUpBy !== null;
    if (isLeft && works.calls === null) world.tell(`Nobody calls ${name}: ${why}`);
  }
}
