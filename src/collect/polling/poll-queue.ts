import { ALL, type Share } from '../../domain/polling/shares.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { OpenCall, Store } from '../../store/port.ts';

/** Other processes place calls that this process polls, so the store is asked at least this often. */
const ASK_AGAIN_MS = 1_000;
/** How many due calls are taken from the store at once: enough for all lanes, however many calls are open. */
const BATCH = 64;
/** The wall clock counts as set back when it has lost more than this against the monotonic clock. */
const SET_BACK_MS = 5_000;
/** How many calls are polled at once after the clock was set back; further ones wait until they are due. */
const AFTER_SET_BACK = 10_000;

export interface PollQueueOptions {
  store: Pick<Store, 'duePolls' | 'nextPollAt'>;
  service: { name: string };
  /** Only this campaign's calls; null: all that were placed at the service. */
  campaignId: string | null;
  clock: Clock;
  /** Polls due within this many ms are fetched together, as each query costs time. */
  togetherMs: number;
  /** Which of the calls this process polls. Default: all. */
  share?: (() => Share) | undefined;
  /** How often the store is asked for calls that other processes have placed, ms. Default 1,000. */
  othersEveryMs?: number | undefined;
}

export type PollQueue = ReturnType<typeof createPollQueue>;

/** The calls whose next poll is due, in a short queue that is refilled from the store. */
export function createPollQueue(options: PollQueueOptions) {
  const { store, campaignId, clock, togetherMs, othersEveryMs = ASK_AGAIN_MS } = options;
  const { share: shareNow = () => ALL } = options;
  const query = { service: options.service.name, campaignId };
  /** Attempts in the queue or being polled. */
  const busy = new Set<string>();
  let queue: OpenCall[] = [];
  /** The earliest time at which a poll may be due in the store; Infinity: none is known. */
  let dueAt = 0;
  let askedAt = 0;
  /** Polls due before this were fetched already, except those that other processes planned since: see `askedForAllAt`. */
  let takenUpTo = 0;
  /** When all due polls were asked for, not only those since `takenUpTo`. */
  let askedForAllAt = 0;
  const offset = () => clock.now() - clock.monotonic();
  /** Wall clock minus monotonic clock: constant until somebody sets the wall clock. */
  let wallOffset = offset();
  let draining = false;
  let askedSinceDraining = false;
  /** Calls of other processes' shares are open, whose results this one awaits. */
  let othersPoll = false;

  /** Marks a call as being polled. @returns false if it is being polled or queued already */
  const begin = ({ attemptId }: OpenCall): boolean => {
    if (busy.has(attemptId)) return false;
    busy.add(attemptId);
    return true;
  };

  const enqueue = (calls: OpenCall[]) => {
    for (const call of calls) if (begin(call)) queue.push(call);
  };

  const wasSetBack = () => {
    const before = wallOffset;
    wallOffset = offset();
    return wallOffset < before - SET_BACK_MS;
  };

  /** After the clock was set back all planned times are wrong: poll all calls now, and each poll plans the next. */
  const takeAll = async (after: number) => {
    dueAt = 0;
    const range = { after, now: Number.MAX_SAFE_INTEGER, limit: AFTER_SET_BACK };
    enqueue(await store.duePolls({ ...query, ...range }));
  };

  const due = {
    begin,

    get queue(): readonly OpenCall[] {
      return queue;
    },

    get inHand(): number {
      return busy.size - queue.length;
    },

    /** True when no call is open any more, by the last answer of the store. */
    get isDrained(): boolean {
      return askedSinceDraining && busy.size === 0 && dueAt === Infinity && !othersPoll;
    },

    /** When the store is asked next, epoch ms. */
    get askAt(): number {
      return Math.min(Math.max(dueAt, askedAt + togetherMs), askedAt + othersEveryMs);
    },

    othersEveryMs,

    /** A poll is due at `at` (epoch ms). @returns true when that is sooner than what was known */
    expect: (at: number): boolean => {
      takenUpTo = Math.min(takenUpTo, at);
      if (at >= dueAt) return false;
      dueAt = at;
      return true;
    },

    /** No further call will be placed. */
    drain: (): void => {
      draining = true;
      // Another process may have placed a call since the store was asked last: ask before believing that none is open.
      askedAt = 0;
    },

    /** Takes due calls from the store when the queue is empty. */
    refill: async (): Promise<void> => {
      const now = clock.now();
      // If the wall clock was set back, these times lie in the future and would stop all queries until then.
      askedAt = Math.min(askedAt, now);
      askedForAllAt = Math.min(askedForAllAt, now);
      if (wasSetBack()) await takeAll(now);
      if (queue.length > 0 || now < due.askAt) return;
      const isDraining = draining;
      askedAt = now;
      dueAt = Infinity;
      const asksForAll = isDraining || now >= askedForAllAt + othersEveryMs;
      const after = asksForAll ? 0 : takenUpTo;
      if (asksForAll) askedForAllAt = now;
      takenUpTo = now;
      // Calls that are being polled are still due in the store: the query returns them again, and they are skipped.
      const limit = BATCH + busy.size;
      const share = shareNow();
      const found = await store.duePolls({ ...query, after, now, limit, share });
      enqueue(found);
      const hasMore = found.length === limit;
      // The batch is full: the next batch is fetched as soon as the queue is empty.
      if (hasMore) {
        askedAt = 0;
        takenUpTo = Math.min(takenUpTo, after);
      }
      const next = hasMore ? now : await store.nextPollAt({ ...query, after: now, share });
      othersPoll =
        isDraining &&
        next === null &&
        share.of > 1 &&
        (await store.nextPollAt({ ...query, after: 0 })) !== null;
      if (next !== null) due.expect(next);
      askedSinceDraining = isDraining;
    },

    /** Removes the call that has been due longest from the queue. @param is of those for which it holds. Default: all */
    next: (is?: (call: OpenCall) => boolean): OpenCall | undefined => {
      const at = is === undefined ? 0 : queue.findIndex(is);
      return at === -1 ? undefined : queue.splice(at, 1)[0];
    },

    /** Removes these calls from the queue. */
    take: (calls: readonly OpenCall[]): void => {
      const taken = new Set(calls);
      queue = queue.filter((call) => !taken.has(call));
    },

    putBack: (calls: readonly OpenCall[]): void => {
      queue.push(...calls);
    },

    done: ({ attemptId }: OpenCall): void => {
      busy.delete(attemptId);
    },
  };
  return due;
}
