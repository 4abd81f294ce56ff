import { setMaxListeners } from 'node:events';

import { PollScheduler } from '../../domain/polling/poll-scheduler.ts';
import { AppError, messageOf } from '../../runtime/errors.ts';
import { Wakeup, type Lanes } from '../../runtime/lanes.ts';
import type { PollResult } from '../../service/port.ts';
import type { Campaign, OpenCall } from '../../store/port.ts';
import { settle, type SettleContext } from '../settle.ts';
import { createBulkPoller, type DoubtSearchOptions } from './bulk-poller.ts';
import { createPollQueue, type PollQueue, type PollQueueOptions } from './poll-queue.ts';

/** Polls that are due within this share of the polling floor are taken together ... */
const TOGETHER_FLOORS = 0.2;
/** ... and within this many floors if one list of calls can replace them. */
const TOGETHER_FLOORS_IN_A_LIST = 2;

/** A poll starts only if the rate limiter would send it within this, so that dials are not queued behind polls. */
const TURN_WITHIN_MS = 150;
/** How often the rate limiter is asked again. */
const TURN_AGAIN_MS = 100;

/** A list may lag: a call that it says is in progress is polled by itself after this, and again each time it has passed. */
const LISTED_FOR_MS = 300_000;

interface PollerOptions
  extends
    DoubtSearchOptions,
    Pick<SettleContext, 'scheduler' | 'onLineDown'>,
    Pick<PollQueueOptions, 'othersEveryMs' | 'share'> {
  lanes: Lanes;
  /** Called with the length (ms) of a backoff that the service asked for, which the poller itself observes, too. */
  onBackoff: (ms: number) => void;
  /** Called when the service refuses the key; the poller ends then. Default: nobody. */
  onKeyRefused?: (detail: string) => void;
  /** Called when a read shows that the service may not work. Default: nobody. */
  onFailing?: (detail: string) => void;
}

export interface PollEnd {
  /** True when no call is open any more. */
  drained: boolean;
  /** True when the service refused the key: nothing can be read. */
  keyRefused: boolean;
}

/** Polls open calls when they are due, and hands the results to `settle`. */
export class Poller {
  readonly #options: PollerOptions;
  readonly #wakeup: Wakeup;
  readonly #due: PollQueue;
  readonly #bulk: ReturnType<typeof createBulkPoller>;
  /** No poll before this, on the monotonic clock: the service asked for a backoff. */
  #backoffUntil = -Infinity;
  /** Calls in the queue that the last list did not show: they need a poll, also where lists replace polls. */
  readonly #unlisted = new Set<string>();
  /** When calls that have lasted for long were last polled by themselves, epoch ms; the others: when this one began. */
  readonly #polledAt = new Map<string, number>();
  readonly #beganAt: number;
  readonly #isListedForLong = ({ attemptId, placedAt }: OpenCall): boolean =>
    this.#options.clock.now() -
      (this.#polledAt.get(attemptId) ?? Math.max(placedAt, this.#beganAt)) >=
    LISTED_FOR_MS;
  /** A list frees the slot of a call that is over; only a poll may know the rest of it. */
  readonly #isUnlisted = (call: OpenCall): boolean =>
    call.state !== 'placed' || this.#unlisted.has(call.attemptId) || this.#isListedForLong(call);
  /** Whether only a free lane is missing. */
  #wantsLane = false;
  #keyRefused = false;
  readonly #failures: Error[] = [];

  constructor(options: PollerOptions) {
    const { clock, lanes, scheduler, service } = options;
    this.#options = options;
    this.#beganAt = clock.now();
    this.#wakeup = new Wakeup(clock);
    this.#bulk = createBulkPoller(options);
    const floors = service.callList === null ? TOGETHER_FLOORS : TOGETHER_FLOORS_IN_A_LIST;
    this.#due = createPollQueue({ ...options, togetherMs: scheduler.floorMs * floors });
    lanes.onFree(() => {
      if (this.#wantsLane) this.#wakeup.wake();
    });
  }

  get serviceName(): string {
    return this.#options.service.name;
  }

  /** A call was placed, or a delivery reported it: its next poll is due at `at` (epoch ms). */
  expect(at: number): void {
    if (this.#due.expect(at)) this.#wakeup.wake();
  }

  /** No further call will be placed: `run` ends when no call is open and no search for a doubt is due soon. */
  drain(): void {
    this.#due.drain();
    this.#bulk.doubts.drain();
    this.#wakeup.wake();
  }

  /**
   * Polls until the signal aborts, the key is refused, or no call is left. Polls in flight are always awaited; the
   * signal aborts their requests.
   * @throws the store's error, once no poll is in flight
   */
  async run(signal: AbortSignal): Promise<PollEnd> {
    // Every poll in flight listens to the signal; Node would warn about that many listeners.
    setMaxListeners(0, signal);
    let drained = false;
    while (!signal.aborted && !this.#keyRefused && this.#failures.length === 0) {
      try {
        await this.#bulk.doubts.refresh();
        await this.#due.refill();
      } catch (error) {
        this.#fail(error);
        break;
      }
      const restMs = this.#step(signal);
      drained = !this.#bulk.isReading && this.#bulk.doubts.isDrained && this.#due.isDrained;
      if (drained) break;
      // It could be longer only if the wall clock was set back, hence the limit.
      await this.#wakeup.wait(Math.min(restMs, this.#due.othersEveryMs), signal);
    }
    while (this.#due.inHand > 0 || this.#bulk.isReading) await this.#wakeup.wait(null);
    if (this.#failures[0] !== undefined) throw this.#failures[0];
    return { drained, keyRefused: this.#keyRefused };
  }

  /**
   * Starts what may start now. Clock, searches and rate limiter are read once each: a second reading may differ, and
   * the loop would then wait for what the first one ruled out.
   * @returns how long there is nothing to do unless something wakes the loop, ms
   */
  #step(signal: AbortSignal): number {
    const { clock, lanes, service } = this.#options;
    const now = clock.now();
    const backoffMs = this.#backoffUntil - clock.monotonic();
    const searchInMs = this.#bulk.searchDueIn;
    /** How many requests the rate limiter allows now. */
    let turns = service.roomWithin?.(TURN_WITHIN_MS) ?? Infinity;
    if (backoffMs > 0) turns = 0;
    let isSearchDue = searchInMs <= 0;
    if (lanes.free > 0 && turns > 0 && this.#startList(isSearchDue, signal)) {
      isSearchDue = false;
      turns -= 1;
    }
    const listInMs = this.#bulk.nextListIn;
    for (; lanes.free > 0 && turns > 0; turns--) {
      const call = this.#due.next(listInMs === null ? undefined : this.#isUnlisted);
      if (call === undefined) break;
      lanes.start(() => this.#poll(call, signal));
    }
    const hasWork = (this.#due.queue.length > 0 && listInMs === null) || isSearchDue;
    this.#wantsLane = (hasWork || listInMs === 0) && turns > 0;
    const nextSearchMs = searchInMs > 0 ? searchInMs : Infinity;
    const dueInMs = listInMs === null ? this.#due.askAt - now : Math.max(listInMs, TURN_AGAIN_MS);
    if (!hasWork) return Math.min(dueInMs, nextSearchMs);
    if (backoffMs > 0) return backoffMs;
    return turns > 0 ? this.#due.othersEveryMs : TURN_AGAIN_MS;
  }

  /** Reads one list for many of the queued calls, if that is cheaper, or for calls in doubt. */
  #startList(isSearchDue: boolean, signal: AbortSignal): boolean {
    const listInMs = this.#bulk.nextListIn;
    const isForAll = listInMs === 0;
    const { queue } = this.#due;
    const chosen = isForAll
      ? queue.filter((call) => !this.#isUnlisted(call))
      : listInMs === null
        ? this.#bulk.choose(queue.filter((call) => !this.#isListedForLong(call)))
        : [];
    if (chosen.length === 0 && !isSearchDue && !isForAll) return false;
    this.#due.take(chosen);
    this.#bulk.begin(isForAll);
    this.#options.lanes.start(() => this.#list(chosen, isForAll, signal));
    return true;
  }

  async #list(chosen: OpenCall[], isForAll: boolean, signal: AbortSignal): Promise<void> {
    try {
      const read = await this.#bulk.read(chosen, isForAll, signal);
      const { found, others, rest, settledDoubts, failure } = read;
      if (failure !== null && !signal.aborted) this.#heed(failure);
      if (settledDoubts > 0) this.expect(this.#options.clock.now());
      for (const { call, polled } of found) void this.#settle(call, polled);
      for (const { call, polled } of others) {
        if (this.#due.begin(call)) void this.#settle(call, polled);
      }
      for (const { attemptId } of rest) this.#unlisted.add(attemptId);
      this.#due.putBack(rest);
    } catch (error) {
      this.#fail(error);
      for (const call of chosen) this.#due.done(call);
    }
    this.#wakeup.wake();
  }

  /** Only the request needs the lane; recording the result does not, so the lane is free for the next poll. */
  async #poll(call: OpenCall, signal: AbortSignal): Promise<void> {
    if (this.#isListedForLong(call)) this.#polledAt.set(call.attemptId, this.#options.clock.now());
    try {
      const polled = await this.#options.service.readAnalytics(call.callId, signal, call);
      // Aborted: nothing was found out, and the call's next poll stays due.
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

  /** A refused key, a service that fails and a Retry-After concern all requests, not only this poll. */
  #heed({
    keyRefused,
    retryAfterMs,
    works,
    detail,
  }: Extract<PollResult, { kind: 'failed' }>): void {
    if (keyRefused && !this.#keyRefused) {
      this.#keyRefused = true;
      this.#options.onKeyRefused?.(detail);
    } else if (!keyRefused && works !== true) {
      this.#options.onFailing?.(detail);
    }
    if (retryAfterMs === null) return;
    const until = this.#options.clock.monotonic() + retryAfterMs;
    this.#backoffUntil = Math.max(this.#backoffUntil, until);
    this.#options.onBackoff(retryAfterMs);
  }

  async #settle(call: OpenCall, polled: PollResult): Promise<void> {
    const { store, scheduler, notify, onLineDown, clock } = this.#options;
    const context = { store, scheduler, notify, onLineDown, now: clock.now() };
    try {
      const nextPollAt = await settle(call, polled, context).catch((error: unknown) =>
        settle(call, notKept(polled, error), context),
      );
      if (nextPollAt !== null) this.expect(nextPollAt);
      else this.#polledAt.delete(call.attemptId);
    } catch (error) {
      this.#fail(error);
    }
    this.#done(call);
  }

  #done(call: OpenCall): void {
    this.#due.done(call);
    this.#unlisted.delete(call.attemptId);
    this.#wakeup.wake();
  }

  #fail(error: unknown): void {
    this.#failures.push(error instanceof Error ? error : new Error(messageOf(error)));
  }
}

/**
 * Analytics that the store rejects (an odd value) count as unreadable, so that they do not stop other polls.
 * @throws errors that concern all calls: the disk, the lock
 */
function notKept(polled: PollResult, error: unknown): PollResult {
  if (polled.kind !== 'settled' || error instanceof AppError) throw error;
  const detail = `the analytics could not be kept: ${messageOf(error)}`;
  return { kind: 'unreadable', detail, raw: JSON.stringify(polled.analytics.raw) };
}

/** The scheduler starts from this many of the agent's last calls, and goes on learning during the run. */
const LEARN_FROM = 300;

type PollSchedulerOptions = Pick<SettleContext, 'store' | 'notify'> & { campaign: Campaign };

/** The poll scheduler of a campaign, which has learned from its agent's last calls. */
export async function createPollScheduler({
  store,
  campaign,
  notify,
}: PollSchedulerOptions): Promise<PollScheduler> {
  const { service, settings } = campaign;
  const scheduler = new PollScheduler(settings.polling, () => notify({ event: 'webhooks.silent' }));
  // A person waits for a single test call: without known call durations, the scheduler polls more often.
  if (campaign.kind === 'call') return scheduler;
  const { agent } = settings;
  scheduler.remember(await store.recentEnds({ service, agent, limit: LEARN_FROM }));
  return scheduler;
}

/** News of calls from the webhook inbox to the runs of this process, by campaign id. */
export type CallFeed = Map<string, CallListener>;

interface CallListener {
  scheduler: PollScheduler;
  /** A call no longer holds its slot. */
  onLineDown: () => void;
  /** A poll is due at `at` (epoch ms). */
  onPollDue: (at: number) => void;
}
