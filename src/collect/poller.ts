import type { LookPlan } from '../domain/look-plan.ts';
import type { Clock } from '../runtime/clock.ts';
import { messageOf } from '../runtime/errors.ts';
import type { Lanes } from '../runtime/lanes.ts';
import type { Notify } from '../runtime/notice.ts';
import { Wakeup } from '../runtime/wakeup.ts';
import type { Look, VoiceService } from '../service/port.ts';
import type { OpenCall, Store } from '../store/port.ts';
import { settle } from './settle.ts';

/** Other runners place calls that we may look at: ask the store at least this often. */
const ASK_AGAIN_MS = 1_000;
/** So many due calls are taken from the store at once: a short queue for the lanes, whatever the list's length. */
const BATCH = 64;
/** The wall clock counts as set back when it has lost more than this against the monotonic one. */
const SET_BACK_MS = 5_000;
/** So many calls are looked at at once after the clock was set back; the others wait for their time. */
const AFTER_SET_BACK = 10_000;
/** Looks that are due within a fifth of the floor are taken together: asking the store for each one costs more. */
const TOGETHER = 0.2;

export interface PollerOptions {
  store: Store;
  service: VoiceService;
  /** Only this campaign's calls; null: all that were placed at the service. */
  campaignId: string | null;
  plan: LookPlan;
  lanes: Lanes;
  clock: Clock;
  notify: Notify;
  /** Told of every call that no longer holds a slot. */
  onLineDown: () => void;
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
  readonly #busy = new Set<string>();
  #queue: OpenCall[] = [];
  /** The earliest time at which the store may have a look for us; Infinity: none that we know of. */
  #dueAt = 0;
  #askedAt = 0;
  /** Looks that were due before this were taken from the store already, unless another runner's came later. */
  #takenUpTo = 0;
  #askedForAllAt = 0;
  /** Wall clock minus monotonic clock: constant until somebody sets the wall clock. */
  #wallOffset: number;
  #draining = false;
  #keyRefused = false;
  readonly #failures: Error[] = [];

  constructor(options: PollerOptions) {
    this.#options = options;
    this.#wakeup = new Wakeup(options.clock);
    this.#wallOffset = this.#offset();
    options.lanes.onFree(() => {
      if (this.#queue.length > 0 || this.#askAt() <= options.clock.now()) this.#wakeup.wake();
    });
  }

  get serviceName(): string {
    return this.#options.service.name;
  }

  /** A call was placed; its first look is due at `at` (epoch ms). */
  expect(at: number): void {
    this.#takenUpTo = Math.min(this.#takenUpTo, at);
    if (at >= this.#dueAt) return;
    this.#dueAt = at;
    this.#wakeup.wake();
  }

  /** No further call will be placed: `run` ends when none is open. */
  drain(): void {
    this.#draining = true;
    // What it believes to be the rest may be from before another runner's last call.
    this.#askedAt = 0;
    this.#wakeup.wake();
  }

  /**
   * Looks until the signal aborts, the key is refused, or all is drained; looks in flight are always awaited.
   *
   * @throws what the store threw, after that
   */
  async run(signal: AbortSignal): Promise<PollEnd> {
    let drained = false;
    while (!signal.aborted && !this.#keyRefused && this.#failures.length === 0) {
      try {
        await this.#refill();
      } catch (error) {
        this.#fail(error);
        break;
      }
      this.#startLooks();
      drained = this.#draining && this.#busy.size === 0 && this.#dueAt === Infinity;
      if (drained) break;
      await this.#wakeup.wait(this.#sleepUntil(), signal);
    }
    const never = new AbortController().signal;
    while (this.#busy.size > this.#queue.length) await this.#wakeup.wait(null, never);
    if (this.#failures[0] !== undefined) throw this.#failures[0];
    return { drained, keyRefused: this.#keyRefused };
  }

  /** Takes the next due calls from the store when the queue is empty and something may be due. */
  async #refill(): Promise<void> {
    const { store, service, campaignId, clock } = this.#options;
    const now = clock.now();
    // A wall clock that was set back must not silence it until the old time.
    this.#askedAt = Math.min(this.#askedAt, now);
    this.#askedForAllAt = Math.min(this.#askedForAllAt, now);
    if (this.#wasSetBack()) await this.#takeAll(now);
    if (this.#queue.length > 0 || now < this.#askAt()) return;
    const query = { service: service.name, campaignId };
    this.#askedAt = now;
    this.#dueAt = Infinity;
    const asksForAll = this.#draining || now >= this.#askedForAllAt + ASK_AGAIN_MS;
    const after = asksForAll ? 0 : this.#takenUpTo;
    if (asksForAll) this.#askedForAllAt = now;
    this.#takenUpTo = now;
    // Calls that are being looked at are still due in the store: they come back and are passed over.
    const limit = BATCH + this.#busy.size;
    const due = await store.dueLooks({ ...query, after, now, limit });
    this.#enqueue(due);
    const hasMore = due.length === limit;
    // A full batch: the next one is asked for as soon as this one is taken.
    if (hasMore) {
      this.#askedAt = 0;
      this.#takenUpTo = Math.min(this.#takenUpTo, after);
    }
    const next = hasMore ? now : await store.nextLookAt({ ...query, after: now });
    if (next !== null) this.expect(next);
  }

  #enqueue(calls: OpenCall[]): void {
    for (const call of calls) {
      if (this.#busy.has(call.attemptId)) continue;
      this.#busy.add(call.attemptId);
      this.#queue.push(call);
    }
  }

  #wasSetBack(): boolean {
    const before = this.#wallOffset;
    this.#wallOffset = this.#offset();
    return this.#wallOffset < before - SET_BACK_MS;
  }

  #offset(): number {
    return this.#options.clock.now() - this.#options.clock.monotonic();
  }

  /** Every look was planned by a clock that is no more: all are taken now, and each plans the next by the new one. */
  async #takeAll(after: number): Promise<void> {
    const { store, service, campaignId } = this.#options;
    const range = { after, now: Number.MAX_SAFE_INTEGER, limit: AFTER_SET_BACK };
    this.#dueAt = 0;
    this.#enqueue(await store.dueLooks({ service: service.name, campaignId, ...range }));
  }

  /** When the store is asked next, epoch ms. */
  #askAt(): number {
    const soonest = this.#askedAt + this.#options.plan.floorMs * TOGETHER;
    return Math.min(Math.max(this.#dueAt, soonest), this.#askedAt + ASK_AGAIN_MS);
  }

  #startLooks(): void {
    const { lanes } = this.#options;
    while (lanes.free > 0) {
      const call = this.#queue.shift();
      if (call === undefined) return;
      lanes.start(() => this.#look(call));
    }
  }

  #sleepUntil(): number | null {
    return this.#queue.length > 0 ? null : this.#askAt();
  }

  /** Reads in the lane; what was found is kept outside of it, so that the lane reads on meanwhile. */
  async #look(call: OpenCall): Promise<void> {
    try {
      const look = await this.#options.service.readAnalytics(call.callId);
      if (look.kind === 'failed' && look.keyRefused) this.#keyRefused = true;
      void this.#settle(call, look);
    } catch (error) {
      this.#fail(error);
      this.#done(call);
    }
  }

  async #settle(call: OpenCall, look: Look): Promise<void> {
    const { store, clock, plan, notify, onLineDown } = this.#options;
    try {
      const context = { store, now: clock.now(), plan, notify, onLineDown };
      const nextLookAt = await settle(call, look, context);
      if (nextLookAt !== null) this.expect(nextLookAt);
    } catch (error) {
      this.#fail(error);
    }
    this.#done(call);
  }

  #done(call: OpenCall): void {
    this.#busy.delete(call.attemptId);
    this.#wakeup.wake();
  }

  #fail(error: unknown): void {
    this.#failures.push(error instanceof Error ? error : new Error(messageOf(error)));
  }
}
