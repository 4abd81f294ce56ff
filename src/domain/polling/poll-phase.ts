import { DurationHistogram, type EndSeen } from './duration-histogram.ts';
import { POLL_WORTH_FLOORS, pollSchedule, nextPollIn } from './poll-schedule.ts';
import type { PollSchedule, Polling } from './poll-schedule.ts';
import { WebhookReliability, type ToldBy } from './webhook-reliability.ts';

/**
 * A floor below this says that calls are short here (a rehearsal) and results are wanted soon: what is assumed
 * of calls shrinks with it, and what a look is worth shrinks once more.
 */
const ORDINARY_FLOOR_MS = 1_000;
/** The schedule is made again after so many calls, or when so large a share of what is known is new. */
const PLAN_AGAIN_AFTER = 5;
const PLAN_AGAIN_SHARE = 0.2;

/** One of the waits of a call (its end, its analytics): what was learned of it, and the looks that follow from it. */
export class PollPhase {
  readonly #assumed: (ageMs: number) => number;
  readonly #polling: Polling;
  readonly #webhooks = new WebhookReliability();
  readonly #onDeliveriesStopped: () => void;
  // Both are made when they are first asked for: a run without open calls never does.
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

  /** @param startMs the call's age when this wait began */
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
