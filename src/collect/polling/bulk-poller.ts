import {
  BulkPollPolicy,
  isWorthWaiting,
  LIST_EVERY_MS,
  SEARCH_BACK_MS,
} from '../../domain/polling/search-plan.ts';
import type { PollScheduler } from '../../domain/polling/poll-scheduler.ts';
import type { CallListing, ListedCall, PollResult, VoiceService } from '../../service/port.ts';
import type { OpenCall, OpenDoubt, Store } from '../../store/port.ts';
import { namesOf, namesWith } from '../settle.ts';
import {
  createSearchLog,
  takeEvidence,
  type ListEvidenceContext,
  type SearchLog,
} from './list-evidence.ts';

/** The list is read from this long before the oldest intent: the service's clock may differ from this machine's. */
const CLOCKS_DIFFER_MS = 60_000;
/** After a failed list request, calls are polled one by one for this long. */
const AFTER_FAILURE_MS = 60_000;
/** Polls wait no longer than this for a list that replaces them. */
const SLOW_LIST_MS = 2_000;
/** Of so many requests that the service bears, at most one is such a list: the others are dials. */
const TURNS_TO_A_LIST = 3;
/** A list also has calls whose poll is not due yet: at most this many open calls are compared with it. */
const OTHERS = 1_000;

type Found = { call: OpenCall; polled: PollResult };

interface Listed {
  /** Calls for which the list was read, with what it says of them. */
  found: Found[];
  /** Other open calls, not due for a poll yet, that are over according to the list. */
  others: Found[];
  /** Calls for which the list was read, and which are not in it: each needs a poll of its own. */
  rest: OpenCall[];
  settledDoubts: number;
  /** Why the list could not be read; null: no failure. */
  failure: Extract<CallListing, { kind: 'failed' }> | null;
}

type BulkPollerOptions = DoubtSearchOptions & { scheduler: Pick<PollScheduler, 'untoldSlots'> };

/**
 * Polls many calls with one list of calls, if the service has such a list and it costs fewer requests than polling each
 * call; also searches the list for calls in doubt. Only one list is read at a time.
 */
export function createBulkPoller(options: BulkPollerOptions) {
  const { store, service, campaignId, clock, notify, scheduler } = options;
  const doubts = createDoubtSearch(options);
  const policy = new BulkPollPolicy();
  let reading = false;
  /** After a failed list request, no list is requested before this time (monotonic clock, ms). */
  let notBefore = -Infinity;
  /** When the last list was begun (monotonic clock, ms), and whether for all open calls. */
  let begun = { at: -Infinity, forAll: false };
  const requestRate = () => service.requestRate?.() ?? Infinity;
  const isUsable = () => {
    const isOne = service.callList !== null && service.callList.byNumber !== true;
    return isOne && clock.monotonic() >= notBefore;
  };

  /** So many of the youngest that one list is cheaper than a poll of each; none if polls are. */
  const youngest = (calls: readonly OpenCall[]): OpenCall[] => {
    const youngestFirst = calls.toSorted((a, b) => b.intentAt - a.intentAt);
    const now = clock.now();
    const backMs = youngestFirst.map(({ intentAt }) => now - intentAt + CLOCKS_DIFFER_MS);
    return youngestFirst.slice(0, policy.worth(backMs));
  };

  const openCalls = () => {
    const all = { after: 0, now: Number.MAX_SAFE_INTEGER, limit: OTHERS };
    return store.duePolls({ service: service.name, campaignId, ...all });
  };

  /** Finds open calls, not due for a poll yet, that are over according to the list. */
  const othersIn = async (calls: OpenCall[], told: Map<string, ListedPoll>): Promise<Found[]> => {
    const over = new Map([...told].filter(([, polled]) => polled.kind !== 'pending'));
    for (const { callId } of calls) over.delete(callId);
    if (over.size === 0) return [];
    return matched(await openCalls(), over).filter(
      ({ call, polled }) => polled.kind === 'settled' || call.state === 'placed',
    );
  };

  return {
    doubts,

    get isReading(): boolean {
      return reading;
    },

    /** Ms until a list is due for calls in doubt; Infinity: none is planned, or one is being read. */
    get searchDueIn(): number {
      return reading ? Infinity : doubts.dueIn;
    },

    /**
     * Lists are read again and again in place of polls: people wait for the slots of more than a handful of calls.
     * @returns ms until the next one; null: calls are polled
     */
    get nextListIn(): number | null {
      if (!isUsable() || !policy.isWorthAlways(scheduler.untoldSlots)) return null;
      const sinceMs = clock.monotonic() - begun.at;
      // Polls do not wait for a list that is slow, or that is read for doubts.
      if (reading) return begun.forAll && sinceMs < SLOW_LIST_MS ? LIST_EVERY_MS : null;
      const everyMs = Math.max(LIST_EVERY_MS, TURNS_TO_A_LIST * (1_000 / requestRate()));
      return Math.max(0, Math.ceil(everyMs - sinceMs));
    },

    /** Chooses the due calls for which one list should be read; none if polling each call is cheaper. */
    choose: (due: readonly OpenCall[]): OpenCall[] => {
      if (!isUsable() || reading) return [];
      return youngest(due);
    },

    /** Call it before `read` is put into a lane: no other list begins until `read` has ended. @param forAll as there */
    begin: (forAll: boolean): void => {
      reading = true;
      begun = { at: clock.monotonic(), forAll };
    },

    /**
     * Reads the list for the calls that were chosen, and for the calls in doubt that are due; `signal` aborts it.
     * @param forAll also for the open calls that no poll is due for
     */
    read: async (calls: OpenCall[], forAll: boolean, signal?: AbortSignal): Promise<Listed> => {
      try {
        const oldestDoubt = doubts.oldestDue ?? Infinity;
        // A call that is older than those needs a poll of its own: it must not make every list long.
        const reached = forAll ? youngest(await openCalls()) : calls;
        const from = Math.min(oldestDoubt, ...reached.map(({ intentAt }) => intentAt));
        // The doubts for which the list was to be read were settled meanwhile.
        if (from === Infinity) return { ...NOTHING, rest: calls, failure: null };
        const since = from - CLOCKS_DIFFER_MS;
        const backMs = clock.now() - since;
        const of = [...doubts.due, ...calls];
        const listing = await service.callList?.read({ since, of, signal });
        if (listing?.kind !== 'listed') {
          notBefore = clock.monotonic() + AFTER_FAILURE_MS;
          doubts.missed(from, listing?.covers);
          if (listing !== undefined && oldestDoubt < Infinity) {
            notify({ event: 'search.failed', detail: listing.detail });
          }
          return { ...NOTHING, rest: calls, failure: listing ?? null };
        }
        const settledDoubts = await doubts.take(listing, from);
        const told = pollResultsOf(listing.calls);
        const found = matched(calls, told);
        if (calls.length > 0) {
          const { length } = listing.calls;
          policy.learn({ backMs, calls: length, asked: calls.length, told: found.length });
        }
        const rest = calls.filter(({ callId }) => !told.has(callId));
        const others = await othersIn(calls, told);
        return { found, others, rest, settledDoubts, failure: null };
      } finally {
        reading = false;
      }
    },
  };
}

const NOTHING = { found: [], others: [], settledDoubts: 0 };

type ListedPoll = Exclude<NonNullable<ListedCall['found']>, { kind: 'unreadable' }>;

/** A list's entries as poll results, by call id, without unreadable ones: a poll may have what a short entry lacks. */
function pollResultsOf(calls: ListedCall[]): Map<string, ListedPoll> {
  const told = new Map<string, ListedPoll>();
  for (const { callId, found, attemptKey, phone } of calls) {
    if (found === null || found.kind === 'unreadable') continue;
    // The names beside the call's data count as if they were part of the data: they prove whose call it is.
    const names = namesWith(namesOf({ callId, attemptKey, phone }), found.names);
    told.set(callId, { ...found, names: { ...names, callIds: [callId] } });
  }
  return told;
}

function matched(calls: OpenCall[], told: Map<string, ListedPoll>): Found[] {
  return calls.flatMap((call) => {
    const found = told.get(call.callId);
    return found === undefined ? [] : { call, polled: found };
  });
}

/** Other processes lose answers, too, so the store is asked for doubts this often. */
const ASK_AGAIN_MS = 1_000;

export interface DoubtSearchOptions extends Omit<ListEvidenceContext, 'log'> {
  store: Store;
  service: VoiceService;
  /** Read lists only for doubts of this campaign (each list settles doubts of any campaign); null: for all doubts. */
  campaignId: string | null;
  /** The campaign's `unknown.reconcileFor`. */
  reconcileForMs: number;
  /** Shared by all runs of this process. Default: its own. */
  searches?: SearchLog | undefined;
}

/** The calls in doubt, when a list is due for them, and their settlement by lists. */
function createDoubtSearch(options: DoubtSearchOptions) {
  const { store, service, campaignId, reconcileForMs, clock } = options;
  const log = options.searches ?? createSearchLog(clock);
  const isPossible = service.callList?.tellsOfDials === true;
  let doubts: OpenDoubt[] = [];
  /** When the store was last asked for doubts, on the monotonic clock. */
  let askedAt = -Infinity;
  let draining = false;
  let askedSinceDraining = false;

  const openDoubts = () => store.openDoubts(service.name, clock.now() - SEARCH_BACK_MS);
  const dueInOf = (doubt: OpenDoubt) => log.dueIn(service.name, doubt, reconcileForMs);
  /** Doubts for which lists are read: without those that a person has resolved. Other lists may still settle these. */
  const ours = () =>
    doubts.filter(
      (doubt) => !doubt.resolved && (campaignId === null || doubt.campaignId === campaignId),
    );

  const search = {
    /** Ms until a list is due; Infinity: none is planned. */
    get dueIn(): number {
      return Math.min(Infinity, ...ours().map(dueInOf));
    },

    /** True when no search is planned for which a run has to wait. */
    get isDrained(): boolean {
      return !isPossible || (askedSinceDraining && !isWorthWaiting(search.dueIn));
    },

    /** No further call will be placed. */
    drain: (): void => {
      draining = true;
      askedAt = -Infinity;
    },

    /** Reads from the store which calls are in doubt, once a second at most. */
    refresh: async (): Promise<void> => {
      const monotonic = clock.monotonic();
      if (!isPossible || monotonic < askedAt + ASK_AGAIN_MS) return;
      askedAt = monotonic;
      const isDraining = draining;
      doubts = await openDoubts();
      askedSinceDraining = isDraining;
    },

    /** The calls in doubt for which a list is due now, those first for which none was read for the longest time. */
    get due(): OpenDoubt[] {
      const due = ours().filter((doubt) => dueInOf(doubt) <= 0);
      return due.toSorted((a, b) => log.searchedAt(a) - log.searchedAt(b));
    },

    /** The time of the oldest intent in doubt for which a list is due now, epoch ms; null: no list is due. */
    get oldestDue(): number | null {
      const { due } = search;
      return due.length === 0 ? null : Math.min(...due.map(({ intentAt }) => intentAt));
    },

    /**
     * Settles doubts by a list of calls, even if it was read for other calls.
     * @param from calls with an intent at this time (epoch ms) or later are in the list
     * @returns how many doubts it settled
     */
    take: async (
      { calls, covers }: Extract<CallListing, { kind: 'listed' }>,
      from: number,
    ): Promise<number> => {
      if (!isPossible) return 0;
      const open = await openDoubts();
      search.missed(from, covers, open);
      const { found, contradicted } = await takeEvidence(calls, open, { ...options, log });
      for (const attemptId of contradicted) log.giveUp(attemptId);
      doubts = open.filter(({ attemptId }) => !found.includes(attemptId));
      return found.length;
    },

    /** Records that lists from `from` on were read, or failed: the next search for their doubts is later. */
    missed: (from: number, covers: CallListing['covers'], known = doubts): void => {
      const reached = known.filter((doubt) => doubt.intentAt >= from && covers?.(doubt) !== false);
      log.searched(service.name, reached, reconcileForMs);
    },
  };
  return search;
}
