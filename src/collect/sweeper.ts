import type { Clock } from '../runtime/clock.ts';
import type { Campaign, Owner, Store, SweepCounts } from '../store/port.ts';

const SWEEP_EVERY_MS = 2_000;

export interface SweeperOptions {
  store: Store;
  campaign: Campaign;
  clock: Clock;
  isGone: (owner: Owner) => boolean;
  /** Told of every call that no longer holds a slot. */
  onLineDown: () => void;
}

/**
 * Applies what time alone decides (orphaned intents, longest call, deadlines), at once and then every two
 * seconds until the signal aborts.
 */
export function sweepUntil(
  signal: AbortSignal,
  options: SweeperOptions,
): { first: Promise<void>; stopped: Promise<void> } {
  const first = sweep(options).then(() => undefined);
  return { first, stopped: first.then(() => sweepAgain(signal, options)) };
}

async function sweepAgain(signal: AbortSignal, options: SweeperOptions): Promise<void> {
  while (!signal.aborted) {
    await options.clock.sleep(SWEEP_EVERY_MS, signal);
    const counts = await sweep(options);
    for (let i = 0; i < counts.presumedDown; i++) options.onLineDown();
  }
}

async function sweep({ store, campaign, clock, isGone }: SweeperOptions): Promise<SweepCounts> {
  const { settings, id: campaignId } = campaign;
  return store.sweep({ campaignId, now: clock.now(), settings, isGone });
}
