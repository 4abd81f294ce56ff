import { isWorthWaiting, SEARCH_BACK_MS } from '../../domain/polling/search-plan.ts';
import type { ListedCall, VoiceService } from '../../service/port.ts';
import type { OpenDoubt, Store } from '../../store/port.ts';
import { takeEvidence, type ListEvidenceContext } from './list-evidence.ts';
import { SearchLog } from './search-log.ts';

/** Other processes lose answers, too: the store is asked for doubts this often. */
const ASK_AGAIN_MS = 1_000;

export interface DoubtSearchOptions extends Omit<ListEvidenceContext, 'log'> {
  store: Store;
  service: VoiceService;
  /** Lists are read for doubts of this campaign only (each list then settles doubts of all); null: for all doubts. */
  campaignId: string | null;
  /** The campaign's `unknown.reconcileFor`. */
  reconcileForMs: number;
  /** Shared by all runs of this process. Default: its own. */
  searches?: SearchLog | undefined;
}

/** Knows which calls are in doubt, when a list of calls is to be read for them, and settles them by what it says. */
export class DoubtSearch {
  readonly #options: DoubtSearchOptions;
  readonly #log: SearchLog;
  readonly #isPossible: boolean;
  #doubts: OpenDoubt[] = [];
  /** On the monotonic clock. */
  #askedAt = -Infinity;
  #draining = false;
  #askedSinceDraining = false;

  constructor(options: DoubtSearchOptions) {
    this.#options = options;
    this.#log = options.searches ?? new SearchLog(options.clock);
    this.#isPossible = options.service.callList?.tellsOfDials === true;
  }

  /** In how many ms a list is to be read; Infinity: none is planned. */
  get dueIn(): number {
    const { service, reconcileForMs } = this.#options;
    const dueIn = this.#ours.map((doubt) => this.#log.dueIn(service.name, doubt, reconcileForMs));
    return Math.min(Infinity, ...dueIn);
  }

  /** True when no search is left that a run waits for. */
  get isDrained(): boolean {
    if (!this.#isPossible) return true;
    return this.#askedSinceDraining && !isWorthWaiting(this.dueIn);
  }

  /** No further call will be placed. */
  drain(): void {
    this.#draining = true;
    this.#askedAt = -Infinity;
  }

  /** Reads from the store which calls are in doubt, once a second at most. */
  async refresh(): Promise<void> {
    const { clock } = this.#options;
    const monotonic = clock.monotonic();
    if (!this.#isPossible || monotonic < this.#askedAt + ASK_AGAIN_MS) return;
    this.#askedAt = monotonic;
    const isDraining = this.#draining;
    this.#doubts = await this.#openDoubts();
    this.#askedSinceDraining = isDraining;
  }

  /** When the oldest doubt was dialled that a list is to be read for now, epoch ms; null: none is due. */
  get oldestDue(): number | null {
    const { service, reconcileForMs } = this.#options;
    const due = this.#ours.filter(
      (doubt) => this.#log.dueIn(service.name, doubt, reconcileForMs) <= 0,
    );
    return due.length === 0 ? null : Math.min(...due.map(({ intentAt }) => intentAt));
  }

  /**
   * Settles doubts by a list, whatever it was read for.
   *
   * @param from calls with an intent at this time (epoch ms) or later are in it
   * @returns how many doubts it settled
   */
  async take(calls: readonly ListedCall[], from: number): Promise<number> {
    if (!this.#isPossible) return 0;
    const doubts = await this.#openDoubts();
    this.missed(from, doubts);
    const log = this.#log;
    const { found, contradicted } = await takeEvidence(calls, doubts, { ...this.#options, log });
    for (const attemptId of contradicted) log.giveUp({ attemptId });
    this.#doubts = doubts.filter(({ attemptId }) => !found.includes(attemptId));
    return found.length;
  }

  /** Notes that a list from that time on was read, or could not be: in either case the next search comes later. */
  missed(from: number, doubts: readonly OpenDoubt[] = this.#doubts): void {
    const { service, reconcileForMs } = this.#options;
    const reached = doubts.filter(({ intentAt }) => intentAt >= from);
    this.#log.searched(service.name, reached, reconcileForMs);
  }

  /** Doubts that lists are read for: not those a person has resolved, though a list read for others may still settle them. */
  get #ours(): OpenDoubt[] {
    const { campaignId } = this.#options;
    return this.#doubts.filter(
      (doubt) => !doubt.resolved && (campaignId === null || doubt.campaignId === campaignId),
    );
  }

  #openDoubts(): Promise<OpenDoubt[]> {
    const { store, service, clock } = this.#options;
    return store.openDoubts(service.name, clock.now() - SEARCH_BACK_MS);
  }
}
