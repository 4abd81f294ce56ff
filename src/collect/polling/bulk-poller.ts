import { BulkPollPolicy } from '../../domain/polling/search-plan.ts';
import type { CallListing, ListedCall, PollResult } from '../../service/port.ts';
import type { OpenCall } from '../../store/port.ts';
import { namesOf, namesWith } from '../settle.ts';
import { createDoubtSearch, type DoubtSearchOptions } from './doubt-search.ts';

/** The list is read from this long before the oldest intent: the service's clock may differ from this machine's. */
const CLOCKS_DIFFER_MS = 60_000;
/** After a failed list request, calls are polled one by one for this long. */
const AFTER_FAILURE_MS = 60_000;
/** A list also has calls whose poll is not due yet: at most this many open calls are compared with it. */
const OTHERS = 1_000;

type Found = { call: OpenCall; polled: PollResult };

/** The result of reading a list of calls. */
export interface Listed {
  /** Calls for which the list was read, with what it says of them. */
  found: Found[];
  /** Other open calls, not due for a poll yet, that are over according to the list. */
  others: Found[];
  /** Calls for which the list was read, and which are not in it: each needs a poll of its own. */
  rest: OpenCall[];
  /** How many doubts the list settled: their calls are known now. */
  settledDoubts: number;
  /** Why the list could not be read; null: no failure. */
  failure: Extract<CallListing, { kind: 'failed' }> | null;
}

/**
 * Polls many calls with one list of calls, if the service has such a list and it costs fewer requests than polling
 * each call; also searches the list for calls in doubt. Only one list is read at a time.
 */
export function createBulkPoller(options: DoubtSearchOptions) {
  const { store, service, campaignId, clock, notify } = options;
  const doubts = createDoubtSearch(options);
  const policy = new BulkPollPolicy();
  let reading = false;
  /** After a failed list request, no list is requested before this time (monotonic clock, ms). */
  let notBefore = -Infinity;

  /** Finds open calls, not due for a poll yet, that are over according to the list. */
  const othersIn = async (calls: OpenCall[], told: Map<string, ListedPoll>): Promise<Found[]> => {
    const over = new Map([...told].filter(([, polled]) => polled.kind !== 'pending'));
    for (const { callId } of calls) over.delete(callId);
    if (over.size === 0) return [];
    const all = { after: 0, now: Number.MAX_SAFE_INTEGER, limit: OTHERS };
    const open = await store.duePolls({ service: service.name, campaignId, ...all });
    return matched(open, over).filter(
      ({ call, polled }) => polled.kind === 'settled' || call.state === 'placed',
    );
  };

  return {
    doubts,

    get isReading(): boolean {
      return reading;
    },

    /** In how many ms a list is to be read for calls in doubt; Infinity: none is planned, or one is being read. */
    get searchDueIn(): number {
      return reading ? Infinity : doubts.dueIn;
    },

    /** Chooses the due calls for which one list should be read; none if polling each call is cheaper. */
    choose: (due: readonly OpenCall[]): OpenCall[] => {
      const isOne = service.callList !== null && service.callList.byNumber !== true;
      if (!isOne || reading || clock.monotonic() < notBefore) return [];
      const now = clock.now();
      const youngestFirst = due.toSorted((a, b) => b.intentAt - a.intentAt);
      const backMs = youngestFirst.map(({ intentAt }) => now - intentAt + CLOCKS_DIFFER_MS);
      return youngestFirst.slice(0, policy.worth(backMs));
    },

    /** To be called before `read` is put into a lane: no other list is begun until `read` has ended. */
    begin: (): void => {
      reading = true;
    },

    /** Reads the list for the calls that were chosen, and for the calls in doubt that are due; `signal` aborts it. */
    read: async (calls: OpenCall[], signal?: AbortSignal): Promise<Listed> => {
      try {
        const oldestDoubt = doubts.oldestDue ?? Infinity;
        const from = Math.min(oldestDoubt, ...calls.map(({ intentAt }) => intentAt));
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
