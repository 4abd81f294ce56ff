import { isWorthWaiting, SEARCH_BACK_MS } from '../../domain/polling/search-plan.ts';
import type { CallListing, VoiceService } from '../../service/port.ts';
import type { OpenDoubt, Store } from '../../store/port.ts';
import {
  createSearchLog,
  takeEvidence,
  type ListEvidenceContext,
  type SearchLog,
} from './list-evidence.ts';

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

/** Knows which calls are in doubt and when a list of calls is to be read for them, and settles them by such lists. */
export function createDoubtSearch(options: DoubtSearchOptions) {
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
    /** In how many ms a list is to be read; Infinity: none is planned. */
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
     *
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

    /** Records that lists from `from` on were read, or could not be: the next search for those they cover comes later. */
    missed: (from: number, covers: CallListing['covers'], known = doubts): void => {
      const reached = known.filter((doubt) => doubt.intentAt >= from && covers?.(doubt) !== false);
      log.searched(service.name, reached, reconcileForMs);
    },
  };
  return search;
}
