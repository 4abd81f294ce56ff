import type { Campaign, HeldSlot, Store } from '../../store/port.ts';
import type { World } from '../world.ts';
import type { RunWatch } from './run-events.ts';

/** Counting a long list takes time: the pause after a count is at least this many times as long as the count. */
const COST_SHARE = 20;

/** Reports the progress of a campaign every `everyMs`, and that calls in doubt hold its slots. */
export function countLeads(
  store: Store,
  campaign: Campaign,
  { everyMs, onEvent }: RunWatch,
  world: World,
): { stop: () => Promise<void> } {
  const { clock } = world;
  const stopping = new AbortController();
  let told: 'nothing' | 'in_doubt' | 'held_up' = 'nothing';

  const read = async (last: boolean) => {
    const progress = await store.progress(campaign.id, clock.now());
    const { doubts, waiting, unknown } = progress;
    if (doubts > 0 && told !== 'held_up') {
      // As it is set now: `set` may have changed the number of slots since the run began.
      const now = (await store.findCampaign(campaign.name)) ?? campaign;
      const isHeldUp = waiting > 0 && unknown >= now.settings.concurrency;
      const held =
        told === 'nothing' || isHeldUp ? await heldByDoubts(store, now, clock.now()) : [];
      if (held.length > 0) {
        told = isHeldUp ? 'held_up' : 'in_doubt';
        onEvent({ is: 'doubts_hold_slots', campaign: now, held });
      }
    }
    onEvent({ is: 'progress', progress, last });
  };
  // A count that fails stops no run and takes no end from it: it is only shown.
  const count = (last: boolean) => read(last).catch(world.keepStack);
  const loop = async () => {
    while (!stopping.signal.aborted) {
      const before = clock.monotonic();
      await count(false);
      const costMs = clock.monotonic() - before;
      await clock.sleep(Math.max(everyMs, costMs * COST_SHARE), stopping.signal);
    }
  };
  const looping = loop();

  return {
    stop: async () => {
      if (stopping.signal.aborted) return;
      stopping.abort();
      await looping;
      await count(true);
    },
  };
}

/** The slots held by calls in doubt, which may still be on the line. */
export async function heldByDoubts(
  store: Store,
  { id }: Pick<Campaign, 'id'>,
  now: number,
): Promise<HeldSlot[]> {
  return (await store.heldSlots(id, now)).filter(isInDoubt);
}

export function isInDoubt({ state }: HeldSlot): boolean {
  return state === 'unknown' || state === 'unconfirmed';
}
