import { BETWEEN_SEARCHES_MS, nextSearchIn } from '../../domain/polling/search-plan.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { OpenDoubt } from '../../store/port.ts';

interface Entry {
  /** When the doubt began, on the monotonic clock. */
  since: number;
  /** When a list was last read for it, on the monotonic clock; null: no list was read. */
  searchedAt: number | null;
}

export type SearchLog = ReturnType<typeof createSearchLog>;

/** Which doubts were searched for and when, shared by all runs of a process: one list serves all of them. */
export function createSearchLog(clock: Clock) {
  const entries = new Map<string, Entry>();
  /** When a list was last read, by service, on the monotonic clock. */
  const readAt = new Map<string, number>();
  const givenUp = new Set<string>();
  const told = new Set<string>();

  const entryOf = ({ attemptId, since, state }: OpenDoubt, forMs: number): Entry => {
    const known = entries.get(attemptId);
    if (known !== undefined) return known;
    // The wall clock may have been set back since the doubt began: its age is 0 then, not negative.
    const age = since === null ? 0 : Math.max(0, clock.now() - since);
    const lasted = state === 'unconfirmed' ? Math.max(age, forMs) : age;
    const entry = { since: clock.monotonic() - lasted, searchedAt: null };
    entries.set(attemptId, entry);
    return entry;
  };

  return {
    /** In how many ms a list is to be read for the doubt; Infinity: never again. */
    dueIn: (service: string, doubt: OpenDoubt, forMs: number): number => {
      if (givenUp.has(doubt.attemptId)) return Infinity;
      const { since, searchedAt } = entryOf(doubt, forMs);
      const now = clock.monotonic();
      const lastAge = searchedAt === null ? null : searchedAt - since;
      const dueIn = nextSearchIn(now - since, lastAge, forMs);
      if (dueIn === null) return Infinity;
      return Math.max(dueIn, (readAt.get(service) ?? -Infinity) + BETWEEN_SEARCHES_MS - now);
    },

    /** Records that a list which covers these doubts was read, or could not be read. */
    searched: (service: string, doubts: readonly OpenDoubt[], forMs: number): void => {
      const now = clock.monotonic();
      if (doubts.length > 0) readAt.set(service, now);
      for (const doubt of doubts) entryOf(doubt, forMs).searchedAt = now;
    },

    /** When a list was last read for the doubt, on the monotonic clock; -Infinity: never. */
    searchedAt: ({ attemptId }: OpenDoubt) => entries.get(attemptId)?.searchedAt ?? -Infinity,

    /** From now on no list is read for this attempt. */
    giveUp: (attemptId: string): void => {
      givenUp.add(attemptId);
    },

    /** True the first time that it is called with this text. */
    isNews: (text: string): boolean => {
      const isNews = !told.has(text);
      told.add(text);
      return isNews;
    },
  };
}
