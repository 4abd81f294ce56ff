import { setMaxListeners } from 'node:events';
import type { PollScheduler } from '../../domain/polling/poll-scheduler.ts';
import { AppError, messageOf } from '../../runtime/errors.ts';
import type { Lanes } from '../../runtime/lanes.ts';
import { Wakeup } from '../../runtime/wakeup.ts';
import type { PollResult } from '../../service/port.ts';
import type { OpenCall } from '../../store/port.ts';
import { BulkPoller } from './bulk-poller.ts';
import type { DoubtSearchOptions } from './doubt-search.ts';
import { PollQueue } from './poll-queue.ts';
import { settle } from '../settle.ts';

/** Looks that are due within so many floors are taken together ... */
const TOGETHER_FLOORS = 0.2;
/** ... and more of them where one list stands for many. */
const TOGETHER_FLOORS_IN_A_LIST = 2;

/** Where the service limits requests a second, looks wait in line no longer than this: dials come before. */
const TURN_WITHIN_MS = 1_000;
/** How often it is asked whether there is a turn. */
const TURN_AGAIN_MS = 250;

/** Only one campaign's calls, or all that were placed at the service. */
export interface PollerOptions extends DoubtSearchOptions {
  plan: PollScheduler;
  lanes: Lanes;
  /** Told of every call that no longer holds a slot. */
  onLineDown: () => void;
  /** Told for how long (ms) the service wants to be left alone; looks wait by themselves. */
  onBackoff: (ms: number) => void;
}

export interface PollEnd {
  /** True when no call is open any more. */
  drained: boolean;
  /** True when the service refused the key: nothing can be read. */
  keyRefused: boolean;
}

/** Looks at open calls when their next look is due, and hands what it finds to `settle`. */
export class Poller {
  readonly #options: PollerOptions;
  readonly #wakeup: Wakeup;
  readonly #due: PollQueue;
  readonly #lister: BulkPoller;
  /** No look before this, on the monotonic clock: the service said so. */
  #backoffUntil = -Infinity;
  #keyRefused = false;
  readonly #failures: Error[] = [];

  constructor(options: PollerOptions) {
    const { clock, lanes, plan, service } = options;
    this.#options = options;
    this.#wakeup = new Wakeup(clock);
    this.#lister = new BulkPoller(options);
    const floors = service.callList === null ? TOGETHER_FLOORS : TOGETHER_FLOORS_IN_A_LIST;
    this.#due = new PollQueue({ ...options, togetherMs: plan.floorMs * floors });
    lanes.onFree(() => {
      const isAsked = this.#due.askAt <= clock.now() || this.#lister.isSearchDue;
      if (this.#due.queue.length > 0 || isAsked) this.#wakeup.wake();
    });
  }

  get serviceName(): string {
    return this.#options.service.name;
  }

  /** A call was placed, or has news; its next look is due at `at` (epoch ms). */
  expect(at: number): void {
    if (this.#due.expect(at)) this.#wakeup.wake();
  }

  /** No further call will be placed: `run` ends when none is open, and none in doubt is looked for soon. */
  drain(): void {
    this.#due.drain();
    this.#lister.doubts.drain();
    this.#wakeup.wake();
  }

  /**
   * Looks until the signal aborts, the key is refused, or all is drained. Looks in flight are always awaited; the signal
   * ends them, too.
   *
   * @throws what the store threw, after that
   */
  async run(signal: AbortSignal): Promise<PollEnd> {
    // Every look in flight listens to it: more than Node thinks usual.
    setMaxListeners(0, signal);
    let drained = false;
    while (!signal.aborted && !this.#keyRefused && this.#failures.length === 0) {
      try {
        await this.#lister.doubts.refresh();
        await this.#due.refill();
      } catch (error) {
        this.#fail(error);
        break;
      }
      this.#startPolls(signal);
      drained = this.#lister.isDrained && this.#due.isDrained;
      if (drained) break;
      await this.#wakeup.wait(this.#sleepUntil(), signal);
    }
    const never = new AbortController().signal;
    while (this.#due.inHand > 0 || this.#lister.isReading) await this.#wakeup.wait(null, never);
    if (this.#failures[0] !== undefined) throw this.#failures[0];
    return { drained, keyRefused: this.#keyRefused };
  }

  #startPolls(signal: AbortSignal): void {
    const { lanes } = this.#options;
    if (this.#backoffLeftMs > 0) return;
    let turns = this.#turns;
    if (lanes.free > 0 && turns > 0 && this.#startList(signal)) turns -= 1;
    for (; lanes.free > 0 && turns > 0; turns--) {
      const call = this.#due.next();
      if (call === undefined) return;
      lanes.start(() => this.#poll(call, signal));
    }
  }

  #sleepUntil(): number | null {
    const now = this.#options.clock.now();
    if (this.#due.queue.length === 0 && !this.#lister.isSearchDue) {
      return Math.min(this.#due.askAt, now + this.#lister.searchDueIn);
    }
    // What waits for a lane is woken by it.
    if (this.#backoffLeftMs > 0) return now + this.#backoffLeftMs;
    return this.#turns === 0 ? now + TURN_AGAIN_MS : null;
  }

  /** How many looks may be started now, as far as the service's limit of requests goes. */
  get #turns(): number {
    return this.#options.service.roomWithin?.(TURN_WITHIN_MS) ?? Infinity;
  }

  /** How long the service is still to be left alone. */
  get #backoffLeftMs(): number {
    return this.#backoffUntil - this.#options.clock.monotonic();
  }

  /** One list for many of the calls in the queue, where that is cheaper, or for calls in doubt. */
  #startList(signal: AbortSignal): boolean {
    const chosen = this.#lister.choose(this.#due.queue);
    if (chosen.length === 0 && !this.#lister.isSearchDue) return false;
    this.#due.take(chosen);
    this.#lister.begin();
    this.#options.lanes.start(() => this.#list(chosen, signal));
    return true;
  }

  async #list(chosen: OpenCall[], signal: AbortSignal): Promise<void> {
    try {
      const { found, others, rest, settledDoubts, failure } = await this.#lister.read(
        chosen,
        signal,
      );
      if (failure !== null) this.#heed(failure);
      if (settledDoubts > 0) this.expect(this.#options.clock.now());
      for (const { call, polled } of found) void this.#settle(call, polled);
      for (const { call, polled } of others) {
        if (this.#due.begin(call)) void this.#settle(call, polled);
      }
      this.#due.putBack(rest);
    } catch (error) {
      this.#fail(error);
      for (const call of chosen) this.#due.done(call);
    }
    this.#wakeup.wake();
  }

  /** Reads in the lane; what was found is kept outside of it, so that the lane reads on meanwhile. */
  async #poll(call: OpenCall, signal: AbortSignal): Promise<void> {
    try {
      const polled = await this.#options.service.readAnalytics(call.callId, signal);
      // Stopped while it was read: nothing was found out, and its next look stays due.
      if (polled.kind === 'failed' && signal.aborted) {
        this.#done(call);
        return;
      }
      if (polled.kind === 'failed') this.#heed(polled);
      void this.#settle(call, polled);
    } catch (error) {
      this.#fail(error);
      this.#done(call);
    }
  }

  /** A service that refuses the key, or wants to be left alone, means all requests. */
  #heed({ keyRefused, retryAfterMs }: Extract<PollResult, { kind: 'failed' }>): void {
    if (keyRefused) this.#keyRefused = true;
    if (retryAfterMs === null) return;
    this.#backoffUntil = Math.max(this.#backoffUntil, this.#options.clock.monotonic() + retryAfterMs);
    this.#options.onBackoff(retryAfterMs);
  }

  async #settle(call: OpenCall, polled: PollResult): Promise<void> {
    const { store, clock, plan, notify, onLineDown } = this.#options;
    const context = { store, now: clock.now(), plan, notify, onLineDown };
    try {
      const nextPollAt = await settle(call, polled, context).catch((error: unknown) =>
        settle(call, notKept(polled, error), context),
      );
      if (nextPollAt !== null) this.expect(nextPollAt);
    } catch (error) {
      this.#fail(error);
    }
    this.#done(call);
  }

  #done(call: OpenCall): void {
    this.#due.done(call);
    this.#wakeup.wake();
  }

  #fail(error: unknown): void {
    this.#failures.push(error instanceof Error ? error : new Error(messageOf(error)));
  }
}

/**
 * What one answer holds must not stop the looks at all other calls: it counts as one that cannot be read.
 *
 * @throws what means all of them: the disk, the lock
 */
function notKept(polled: PollResult, error: unknown): PollResult {
  if (polled.kind !== 'settled' || error instanceof AppError) throw error;
  const detail = `the analytics could not be kept: ${messageOf(error)}`;
  return { kind: 'unreadable', detail, raw: JSON.stringify(polled.analytics.raw) };
}
