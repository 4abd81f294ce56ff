import { ListPlan } from '../domain/list-plan.ts';
import type { Clock } from '../runtime/clock.ts';
import type { CallListing, ListedCall, Look, VoiceService } from '../service/port.ts';
import type { OpenCall, Store } from '../store/port.ts';

/** The service's clock may differ from ours, and a call begins a moment after its intent. */
const CLOCKS_DIFFER_MS = 60_000;
/** After a list that failed, calls are looked at one by one for so long. */
const AFTER_FAILURE_MS = 60_000;
/** A list also tells of calls that are not due yet: so many of them are looked for in the store. */
const OTHERS = 1_000;

export interface CallListerOptions {
  store: Store;
  service: VoiceService;
  campaignId: string | null;
  clock: Clock;
}

interface Found {
  call: OpenCall;
  look: Look;
}

/** What a list brought. */
export interface Listed {
  /** Calls that it was read for and told of. */
  found: Found[];
  /** Other open calls, not due yet, that are over. */
  others: Found[];
  /** Calls that it was read for and that need a look of their own. */
  rest: OpenCall[];
  /** The list could not be read; what the service said instead. */
  failure: Extract<CallListing, { kind: 'failed' }> | null;
}

/** Looks at many calls with one list of calls, where the service has one and it costs less than a look at each. */
export class CallLister {
  readonly #options: CallListerOptions;
  readonly #plan = new ListPlan();
  #isReading = false;
  /** On the monotonic clock. */
  #notBefore = -Infinity;

  constructor(options: CallListerOptions) {
    this.#options = options;
  }

  /** Those of the due calls that one list should be read for; none when a look at each is better. */
  choose(due: readonly OpenCall[]): OpenCall[] {
    const { service, clock } = this.#options;
    if (service.callList === null || this.#isReading) return [];
    if (clock.monotonic() < this.#notBefore) return [];
    const now = clock.now();
    const youngestFirst = due.toSorted((a, b) => b.intentAt - a.intentAt);
    const backMs = youngestFirst.map(({ intentAt }) => now - intentAt + CLOCKS_DIFFER_MS);
    return youngestFirst.slice(0, this.#plan.worth(backMs));
  }

  /** Reads the list for the calls that were chosen. */
  async read(calls: OpenCall[]): Promise<Listed> {
    const { service, clock } = this.#options;
    this.#isReading = true;
    try {
      const since = Math.min(...calls.map(({ intentAt }) => intentAt)) - CLOCKS_DIFFER_MS;
      const backMs = clock.now() - since;
      const listing = await service.callList?.read({ since });
      if (listing?.kind !== 'listed') {
        this.#notBefore = clock.monotonic() + AFTER_FAILURE_MS;
        return { found: [], others: [], rest: calls, failure: listing ?? null };
      }
      const looks = looksOf(listing.calls);
      const found = matched(calls, looks);
      const { length } = listing.calls;
      this.#plan.learn({ backMs, calls: length, asked: calls.length, told: found.length });
      const rest = calls.filter(({ callId }) => !looks.has(callId));
      return { found, others: await this.#others(calls, looks), rest, failure: null };
    } finally {
      this.#isReading = false;
    }
  }

  /** Open calls that were not due yet and are over. */
  async #others(calls: OpenCall[], looks: Map<string, ListedLook>): Promise<Found[]> {
    const { store, service, campaignId } = this.#options;
    const over = new Map([...looks].filter(([, look]) => look.kind !== 'pending'));
    for (const { callId } of calls) over.delete(callId);
    if (over.size === 0) return [];
    const all = { after: 0, now: Number.MAX_SAFE_INTEGER, limit: OTHERS };
    const open = await store.dueLooks({ service: service.name, campaignId, ...all });
    return matched(open, over).filter(
      ({ call, look }) => look.kind === 'settled' || call.state === 'placed',
    );
  }
}

type ListedLook = Exclude<NonNullable<ListedCall['look']>, { kind: 'unreadable' }>;

/** What the list tells, by call id. An entry that cannot be read may only be shorter than what a look brings. */
function looksOf(calls: ListedCall[]): Map<string, ListedLook> {
  const looks = new Map<string, ListedLook>();
  for (const { callId, look } of calls) {
    if (look !== null && look.kind !== 'unreadable') looks.set(callId, look);
  }
  return looks;
}

function matched(calls: OpenCall[], looks: Map<string, ListedLook>): Found[] {
  return calls.flatMap((call) => {
    const look = looks.get(call.callId);
    return look === undefined ? [] : { call, look };
  });
}
