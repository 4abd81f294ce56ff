import type { Clock } from '../../runtime/clock.ts';
import type { OpenCall, Store } from '../../store/port.ts';

/** Other processes place calls that this one polls: the store is asked at least this often. */
const ASK_AGAIN_MS = 1_000;
/** How many due calls are taken from the store at once: enough for the lanes, however many are open. */
const BATCH = 64;
/** The wall clock counts as set back when it has lost more than this against the monotonic one. */
const SET_BACK_MS = 5_000;
/** How many calls are polled at once after the clock was set back; further ones wait until they are due. */
const AFTER_SET_BACK = 10_000;

export interface PollQueueOptions {
  store: Pick<Store, 'duePolls' | 'nextPollAt'>;
  service: { name: string };
  /** Only this campaign's calls; null: all that were placed at the service. */
  campaignId: string | null;
  clock: Clock;
  /** Polls that are due within so many ms are taken together: a question to the store for each would cost more. */
  togetherMs: number;
}

/** The calls whose next poll is due, in a short queue that is refilled from the store. */
export class PollQueue {
  readonly #options: PollQueueOptions;
  /** Attempts in the queue or being polled. */
  readonly #busy = new Set<string>();
  #queue: OpenCall[] = [];
  /** The earliest time at which a poll may be due in the store; Infinity: none is known. */
  #dueAt = 0;
  #askedAt = 0;
  /** Polls due before this were fetched already, except those that other processes planned since: see `#askedForAllAt`. */
  #takenUpTo = 0;
  /** When all due polls were asked for, not only those since `#takenUpTo`. */
  #askedForAllAt = 0;
  /** Wall clock minus monotonic clock: constant until somebody sets the wall clock. */
  #wallOffset: number;
  #draining = false;

  constructor(options: PollQueueOptions) {
    this.#options = options;
    this.#wallOffset = this.#offset();
  }

  get queue(): readonly OpenCall[] {
    return this.#queue;
  }

  /** How many calls are being polled. */
  get inHand(): number {
    return this.#busy.size - this.#queue.length;
  }

  /** True when no call is open any more, as far as the store has said. */
  get isDrained(): boolean {
    return this.#draining && this.#busy.size === 0 && this.#dueAt === Infinity;
  }

  /** When the store is asked next, epoch ms. */
  get askAt(): number {
    const soonest = this.#askedAt + this.#options.togetherMs;
    return Math.min(Math.max(this.#dueAt, soonest), this.#askedAt + ASK_AGAIN_MS);
  }

  /**
   * A poll is due at `at` (epoch ms).
   *
   * @returns true when that is sooner than what was known
   */
  expect(at: number): boolean {
    this.#takenUpTo = Math.min(this.#takenUpTo, at);
    if (at >= this.#dueAt) return false;
    this.#dueAt = at;
    return true;
  }

  /** No further call will be placed. */
  drain(): void {
    this.#draining = true;
    // Another process may have placed a call since the store was asked last: ask before believing that none is open.
    this.#askedAt = 0;
  }

  /** Takes the next due calls from the store when the queue is empty and something may be due. */
  async refill(): Promise<void> {
    const { store, service, campaignId, clock } = this.#options;
    const now = clock.now();
    // If the wall clock was set back, these times lie in the future and would stop all questions until then.
    this.#askedAt = Math.min(this.#askedAt, now);
    this.#askedForAllAt = Math.min(this.#askedForAllAt, now);
    if (this.#wasSetBack()) await this.#takeAll(now);
    if (this.#queue.length > 0 || now < this.askAt) return;
    const query = { service: service.name, campaignId };
    this.#askedAt = now;
    this.#dueAt = Infinity;
    const asksForAll = this.#draining || now >= this.#askedForAllAt + ASK_AGAIN_MS;
    const after = asksForAll ? 0 : this.#takenUpTo;
    if (asksForAll) this.#askedForAllAt = now;
    this.#takenUpTo = now;
    // Calls that are being polled are still due in the store: they come again and are skipped.
    const limit = BATCH + this.#busy.size;
    const due = await store.duePolls({ ...query, after, now, limit });
    this.#enqueue(due);
    const hasMore = due.length === limit;
    // A full batch: the next one is asked for as soon as this one is taken.
    if (hasMore) {
      this.#askedAt = 0;
      this.#takenUpTo = Math.min(this.#takenUpTo, after);
    }
    const next = hasMore ? now : await store.nextPollAt({ ...query, after: now });
    if (next !== null) this.expect(next);
  }

  /** The one that has been due longest, out of the queue. */
  next(): OpenCall | undefined {
    return this.#queue.shift();
  }

  /** Takes these out of the queue. */
  take(calls: readonly OpenCall[]): void {
    const taken = new Set(calls);
    this.#queue = this.#queue.filter((call) => !taken.has(call));
  }

  putBack(calls: readonly OpenCall[]): void {
    this.#queue.push(...calls);
  }

  /** Marks a call as being polled. @returns false if it is already, or is in the queue */
  begin({ attemptId }: OpenCall): boolean {
    if (this.#busy.has(attemptId)) return false;
    this.#busy.add(attemptId);
    return true;
  }

  done({ attemptId }: OpenCall): void {
    this.#busy.delete(attemptId);
  }

  #enqueue(calls: OpenCall[]): void {
    for (const call of calls) if (this.begin(call)) this.#queue.push(call);
  }

  #wasSetBack(): boolean {
    const before = this.#wallOffset;
    this.#wallOffset = this.#offset();
    return this.#wallOffset < before - SET_BACK_MS;
  }

  #offset(): number {
    return this.#options.clock.now() - this.#options.clock.monotonic();
  }

  /** After the clock was set back all planned times are wrong: poll all calls now, each plans its next poll anew. */
  async #takeAll(after: number): Promise<void> {
    const { store, service, campaignId } = this.#options;
    const range = { after, now: Number.MAX_SAFE_INTEGER, limit: AFTER_SET_BACK };
    this.#dueAt = 0;
    this.#enqueue(await store.duePolls({ service: service.name, campaignId, ...range }));
  }
}
