import { isHeard } from '../domain/time-units.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Campaign, Owner, Runner, Store, SweepCounts } from '../store/port.ts';

const SWEEP_EVERY_MS = 2_000;

export interface SweepOptions {
  store: Store;
  campaign: Campaign;
  clock: Clock;
  owner: Owner;
  isGone: (owner: Owner) => boolean;
  /** Where calls are placed; null: this process only collects. */
  dialAt: object | null;
  /** Called with the processes that work on the campaign and are not certainly gone; none: this one works alone. */
  onRunners?: (runners: readonly Runner[]) => void;
  /** How often it sweeps and says that it is alive, ms. Default 2,000. */
  othersEveryMs?: number | undefined;
}

/**
 * Applies what the passing of time alone decides (orphaned intents, the longest call, deadlines), and writes the
 * heartbeat of this process.
 */
export async function sweep(options: SweepOptions): Promise<SweepCounts> {
  const { store, campaign, clock, owner, isGone, dialAt, onRunners } = options;
  const { settings, id: campaignId } = campaign;
  const runners = await store.runnerSeen(campaignId, owner, clock.now(), dialAt !== null);
  const isLost = (runner: Runner) => isGone(runner) || !isHeard(runner, clock.now());
  onRunners?.(runners.filter((runner) => !isGone(runner)));
  // A page calls the campaign interrupted until another process dials.
  if (dialAt !== null)
    for (const runner of runners.filter(isLost)) await store.runnerLeft(campaignId, runner);
  const gone = (await store.intentOwners(campaignId)).filter(isGone);
  return store.sweep({ campaignId, now: clock.now(), settings, gone });
}

/**
 * Sweeps every `othersEveryMs` until the signal aborts, then removes this process from the campaign's runners.
 *
 * @param onLineDown called once for every call that no longer holds a slot
 */
export async function sweepUntil(
  signal: AbortSignal,
  options: SweepOptions,
  onLineDown: () => void,
): Promise<void> {
  const { clock, store, campaign, owner, othersEveryMs = SWEEP_EVERY_MS } = options;
  try {
    for (;;) {
      await clock.sleep(othersEveryMs, signal);
      if (signal.aborted) return;
      const { presumedDown } = await sweep(options);
      for (let i = 0; i < presumedDown; i++) onLineDown();
    }
  } finally {
    await store.runnerLeft(campaign.id, owner);
  }
}
