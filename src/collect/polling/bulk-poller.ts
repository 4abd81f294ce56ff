import { BulkPollPolicy } from '../../domain/polling/bulk-poll-policy.ts';
import type { CallListing, ListedCall, PollResult } from '../../service/port.ts';
import type { OpenCall } from '../../store/port.ts';
import { DoubtSearch } from './doubt-search.ts';
import type { DoubtSearchOptions } from './doubt-search.ts';

/** The service's clock may differ from ours, and a call begins a moment after its intent. */
const CLOCKS_DIFFER_MS = 60_000;
/** After a list that failed, calls are looked at one by one for so long. */
const AFTER_FAILURE_MS = 60_000;
/** A list also tells of calls that are not due yet: so many of them are looked for in the store. */
const OTHERS = 1_000;

interface Found {
  call: OpenCall;
  polled: PollResult;
}

/** What a list brought. */
export interface Listed {
  /** Calls that it was read for and told of. */
  found: Found[];
  /** Other open calls, not due yet, that are over. */
  others: Found[];
  /** Calls that it was read for and that need a look of their own. */
  rest: OpenCall[];
  /** How many calls that were in doubt are known by it. */
  settledDoubts: number;
  /** The list could not be read; what the service said instead. */
  failure: Extract<CallListing, { kind: 'failed' }> | null;
}

/**
 * Looks at many calls with one list of calls, where the service has one and it costs less than a look at each; and
 * looks for calls in doubt in it. One list at a time.
 */
export class BulkPoller {
  readonly #options: DoubtSearchOptions;
  readonly doubts: DoubtSearch;
  readonly #plan = new BulkPollPolicy();
  #reading = false;
  /** On the monotonic clock. */
  #notBefore = -Infinity;

  constructor(options: DoubtSearchOptions) {
    this.#options = options;
    this.doubts = new DoubtSearch(options);
  }

  get isReading(): boolean {
    return this.#reading;
  }

  /** True when a list is to be read for calls in doubt, and none is under way. */
  get isSearchDue(): boolean {
    return !this.#reading && this.doubts.dueIn <= 0;
  }

  /** In how many ms that is so; Infinity: not as far as is known. */
  get searchDueIn(): number {
    return this.#reading ? Infinity : this.doubts.dueIn;
  }

  /** True when nobody waits for a list. */
  get isDrained(): boolean {
    return !this.#reading && this.doubts.isDrained;
  }

  /** Those of the due calls that one list should be read for; none when a look at each is better. */
  choose(due: readonly OpenCall[]): OpenCall[] {
    const { service, clock } = this.#options;
    if (service.callList === null || this.#reading) return [];
    if (clock.monotonic() < this.#notBefore) return [];
    const now = clock.now();
    const youngestFirst = due.toSorted((a, b) => b.intentAt - a.intentAt);
    const backMs = youngestFirst.map(({ intentAt }) => now - intentAt + CLOCKS_DIFFER_MS);
    return youngestFirst.slice(0, this.#plan.worth(backMs));
  }

  /** A list is about to be read: no other is begun until `read` has ended. */
  begin(): void {
    this.#reading = true;
  }

  /** Reads the list for the calls that were chosen, and for the calls in doubt that are due; `signal` ends it. */
  async read(calls: OpenCall[], signal?: AbortSignal): Promise<Listed> {
    const { service, clock, notify } = this.#options;
    try {
      const oldestDoubt = this.doubts.oldestDue ?? Infinity;
      const from = Math.min(oldestDoubt, ...calls.map(({ intentAt }) => intentAt));
      // Whom it was to be read for has been found meanwhile.
      if (from === Infinity) return { ...NOTHING, rest: calls, failure: null };
      const since = from - CLOCKS_DIFFER_MS;
      const backMs = clock.now() - since;
      const listing = await service.callList?.read({ since, signal });
      if (listing?.kind !== 'listed') {
        this.#notBefore = clock.monotonic() + AFTER_FAILURE_MS;
        this.doubts.missed(from);
        if (listing !== undefined && oldestDoubt < Infinity) {
          notify({ event: 'search.failed', detail: listing.detail });
        }
        return { ...NOTHING, rest: calls, failure: listing ?? null };
      }
      const settledDoubts = await this.doubts.take(listing.calls, from);
      const told = pollResultsOf(listing.calls);
      const found = matched(calls, told);
      if (calls.length > 0) {
        const { length } = listing.calls;
        this.#plan.learn({ backMs, calls: length, asked: calls.length, told: found.length });
      }
      const rest = calls.filter(({ callId }) => !told.has(callId));
      return {
        found,
        others: await this.#others(calls, told),
        rest,
        settledDoubts,
        failure: null,
      };
    } finally {
      this.#reading = false;
    }
  }

  /** Open calls that were not due yet and are over. */
  async #others(calls: OpenCall[], told: Map<string, ListedPoll>): Promise<Found[]> {
    const { store, service, campaignId } = this.#options;
    const over = new Map([...told].filter(([, polled]) => polled.kind !== 'pending'));
    for (const { callId } of calls) over.delete(callId);
    if (over.size === 0) return [];
    const all = { after: 0, now: Number.MAX_SAFE_INTEGER, limit: OTHERS };
    const open = await store.duePolls({ service: service.name, campaignId, ...all });
    return matched(open, over).filter(
      ({ call, polled }) => polled.kind === 'settled' || call.state === 'placed',
    );
  }
}

const NOTHING = { found: [], others: [], settledDoubts: 0 };

type ListedPoll = Exclude<NonNullable<ListedCall['found']>, { kind: 'unreadable' }>;

/** What the list tells, by call id. An entry that cannot be read may only be shorter than what a look brings. */
function pollResultsOf(calls: ListedCall[]): Map<string, ListedPoll> {
  const told = new Map<string, ListedPoll>();
  for (const { callId, found, attemptKey, phone } of calls) {
    if (found === null || found.kind === 'unreadable') continue;
    // What the list says of the dial is said of what a look would find.
    const names = {
      callIds: [callId],
      attemptKeys: [
        ...(attemptKey === null ? [] : [attemptKey]),
        ...(found.names?.attemptKeys ?? []),
      ],
      phones: [...(phone === null ? [] : [phone]), ...(found.names?.phones ?? [])],
      agents: found.names?.agents ?? [],
    };
    told.set(callId, { ...found, names });
  }
  return told;
}

function matched(calls: OpenCall[], told: Map<string, ListedPoll>): Found[] {
  return calls.flatMap((call) => {
    const found = told.get(call.callId);
    return found === undefined ? [] : { call, polled: found };
  });
}
