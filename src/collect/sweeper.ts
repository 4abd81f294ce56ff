import type { Clock } from '../runtime/clock.ts';
import type { Campaign, Owner, Store, SweepCounts } from '../store/port.ts';

const SWEEP_EVERY_MS = 2_000;

export interface SweeperOptions {
  store: Store;
  campaign: Campaign;
  clock: Clock;
  owner: Owner;
  isGone: (owner: Owner) => boolean;
  /** Told of every call that no longer holds a slot. */
  onLineDown: () => void;
}

/**
 * Applies what time alone decides (orphaned intents, longest call, deadlines) and says that this process
 * works on the campaign, at once and then every two seconds until the signal aborts.
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
  await options.store.runnerLeft(options.campaign.id, options.owner);
}

async function sweep(options: SweeperOptions): Promise<SweepCounts> {
  const { store, campaign, clock, owner, isGone } = options;
  const { settings, id: campaignId } = campaign;
  await store.runnerSeen(campaignId, owner, clock.now());
  return store.sweep({ campaignId, now: clock.now(), settings, isGone });
}
