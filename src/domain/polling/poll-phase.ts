import { DurationHistogram, type EndSeen } from './duration-histogram.ts';
import { POLL_WORTH_FLOORS, pollSchedule, nextPollIn } from './poll-schedule.ts';
import type { PollSchedule, Polling } from './poll-schedule.ts';
import { WebhookReliability, type ToldBy } from './webhook-reliability.ts';

/**
 * A floor below this means a rehearsal, with short calls and results wanted soon: the assumed durations and the cost of
 * a poll are scaled down with the floor.
 */
const ORDINARY_FLOOR_MS = 1_000;
/** The schedule is computed again after this many new calls, but not before this share of the known calls is new. */
const PLAN_AGAIN_AFTER = 5;
const PLAN_AGAIN_SHARE = 0.2;

/** One poll phase, up to the end of a call or up to its analytics: what was learned, and the schedule based on this. */
export class PollPhase {
  readonly #assumed: (ageMs: number) => number;
  readonly #polling: Polling;
  readonly #webhooks = new WebhookReliability();
  readonly #onDeliveriesStopped: () => void;
  // Both are computed on first use: a run without open calls never needs them.
  #ends: DurationHistogram | undefined;
  #schedule: PollSchedule | undefined;
  #unplanned = 0;

  constructor(
    assumed: (ageMs: number) => number,
    polling: Polling,
    onDeliveriesStopped: () => void,
  ) {
    this.#assumed = assumed;
    this.#polling = polling;
    this.#onDeliveriesStopped = onDeliveriesStopped;
  }

  get #times(): DurationHistogram {
    const scale = Math.min(1, this.#polling.floorMs / ORDINARY_FLOOR_MS);
    return (this.#ends ??= new DurationHistogram(this.#assumed, scale));
  }

  /** @param startMs the call's age when this phase began */
  nextIn(ageMs: number, startMs: number): number {
    this.#schedule ??= this.#plan();
    return nextPollIn(ageMs, {
      schedule: this.#schedule,
      startMs,
      seen: this.#times.seen,
      polling: this.#polling,
    });
  }

  learn(end: EndSeen | null, by: ToldBy): void {
    const isSilent = this.#webhooks.learn(by);
    if (end !== null) this.#times.learn(end);
    this.#unplanned += 1;
    const enough = Math.max(PLAN_AGAIN_AFTER, this.#times.seen * PLAN_AGAIN_SHARE);
    if (isSilent || this.#unplanned >= enough) this.#schedule = undefined;
    if (isSilent) this.#onDeliveriesStopped();
  }

  remember(ends: readonly EndSeen[]): void {
    for (const end of ends) this.#times.learn(end);
    this.#schedule = undefined;
  }

  #plan(): PollSchedule {
    this.#unplanned = 0;
    this.#times.fade();
    const { floorMs } = this.#polling;
    const worthMs = POLL_WORTH_FLOORS * floorMs * Math.min(1, floorMs / ORDINARY_FLOOR_MS);
    return pollSchedule(this.#times, { worthMs, untold: this.#webhooks.untold });
  }
}
