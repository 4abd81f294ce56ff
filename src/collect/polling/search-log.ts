import { BETWEEN_SEARCHES_MS, nextSearchIn } from '../../domain/polling/search-plan.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { OpenDoubt } from '../../store/port.ts';

interface Entry {
  /** When the doubt began, on the monotonic clock. */
  since: number;
  /** Its age when a list was last read for it, ms; null: none was. */
  searchedAt: number | null;
}

/** Which doubts were searched for and when, shared by all runs of a process: one list serves all of them. */
export class SearchLog {
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry>();
  /** When a list was last read, by service, on the monotonic clock. */
  readonly #readAt = new Map<string, number>();
  readonly #givenUp = new Set<string>();
  readonly #told = new Set<string>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** In how many ms a list is to be read for the doubt; Infinity: no more. */
  dueIn(service: string, doubt: OpenDoubt, forMs: number): number {
    if (this.#givenUp.has(doubt.attemptId)) return Infinity;
    const entry = this.#entryOf(doubt, forMs);
    const now = this.#clock.monotonic();
    const dueIn = nextSearchIn(now - entry.since, entry.searchedAt, forMs);
    if (dueIn === null) return Infinity;
    const readAt = this.#readAt.get(service) ?? -Infinity;
    return Math.max(dueIn, readAt + BETWEEN_SEARCHES_MS - now);
  }

  /** Notes that a list which covers these doubts was read, or could not be. */
  searched(service: string, doubts: readonly OpenDoubt[], forMs: number): void {
    const now = this.#clock.monotonic();
    if (doubts.length > 0) this.#readAt.set(service, now);
    for (const doubt of doubts) {
      const entry = this.#entryOf(doubt, forMs);
      entry.searchedAt = now - entry.since;
    }
  }

  /** No list is read for it any more. */
  giveUp({ attemptId }: Pick<OpenDoubt, 'attemptId'>): void {
    this.#givenUp.add(attemptId);
  }

  /** True the first time that it is called with this text. */
  isNews(text: string): boolean {
    const isNews = !this.#told.has(text);
    this.#told.add(text);
    return isNews;
  }

  #entryOf({ attemptId, since, state }: OpenDoubt, forMs: number): Entry {
    const known = this.#entries.get(attemptId);
    if (known !== undefined) return known;
    // The wall clock may have been set back since the doubt began: its age is 0 then, not negative.
    const age = since === null ? 0 : Math.max(0, this.#clock.now() - since);
    const lasted = state === 'unconfirmed' ? Math.max(age, forMs) : age;
    const began = this.#clock.monotonic() - lasted;
    const entry = { since: began, searchedAt: null };
    this.#entries.set(attemptId, entry);
    return entry;
  }
}
