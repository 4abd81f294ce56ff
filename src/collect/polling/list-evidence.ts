import { BETWEEN_SEARCHES_MS, nextSearchIn } from '../../domain/polling/search-plan.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Notify } from '../../runtime/log.ts';
import type { ListedCall } from '../../service/port.ts';
import type {
  DeliveryFacts,
  DeliveryMatch,
  MatchCandidate,
  OpenDoubt,
  Store,
} from '../../store/port.ts';

export interface ListEvidenceContext {
  store: Pick<Store, 'matchDeliveries' | 'recordEvidence' | 'history' | 'addHistory'>;
  service: { name: string };
  clock: Clock;
  notify: Notify;
  log: Pick<SearchLog, 'isNews'>;
}

interface ListEvidence {
  /** Attempts whose call is known now. */
  found: string[];
  /** Attempts that the list contradicts: they stay in doubt, and lists are not searched for them again. */
  contradicted: string[];
}

interface Read {
  call: ListedCall;
  match: Exclude<DeliveryMatch, { kind: 'none' }>;
}

interface Claim extends Read {
  match: Extract<DeliveryMatch, { kind: 'found' }>;
}

/**
 * Settles doubts by a list of calls. A list is as credible as a signed delivery: an entry with the idempotency key of a
 * dial is evidence of its call, and a phone number under the same rules as in a delivery. A missing call proves
 * nothing.
 */
export async function takeEvidence(
  calls: readonly ListedCall[],
  doubts: readonly OpenDoubt[],
  context: ListEvidenceContext,
): Promise<ListEvidence> {
  const candidates = speakingOf(calls, doubts);
  const evidence: ListEvidence = { found: [], contradicted: [] };
  if (candidates.length === 0) return evidence;
  const facts = candidates.map(factsOf);
  const matches = await context.store.matchDeliveries(context.service.name, facts);
  const read = candidates.flatMap((call, i) => {
    const match = matches[i];
    return match === undefined || match.kind === 'none' ? [] : [{ call, match }];
  });
  for (const { attempt, why } of [...rungTwice(candidates, read), ...untrue(read, doubts)]) {
    if (evidence.contradicted.includes(attempt.attemptId)) continue;
    await contradict(attempt, why, context);
    evidence.contradicted.push(attempt.attemptId);
  }
  /** By attempt: the listed calls that may be its call. */
  const claims = new Map<string, Claim[]>();
  for (const { call, match } of read) {
    if (match.kind !== 'found' || !isDoubt(match.attempt)) continue;
    const { attemptId } = match.attempt;
    if (evidence.contradicted.includes(attemptId)) continue;
    claims.set(attemptId, [...(claims.get(attemptId) ?? []), { call, match }]);
  }
  for (const [attemptId, [claim, another]] of claims) {
    // With several calls to one number it is not known which of them belongs to this attempt.
    if (claim === undefined || another !== undefined) continue;
    evidence[await settle(claim, context)].push(attemptId);
  }
  return evidence;
}

type Untrue = { attempt: MatchCandidate; why: string };

/** Attempts whose key several listed calls have: the service has called more than once for one dial. */
function rungTwice(calls: readonly ListedCall[], read: readonly Read[]): Untrue[] {
  const callsOf = new Map<string, string[]>();
  for (const { attemptKey, callId } of calls) {
    if (attemptKey !== null) callsOf.set(attemptKey, [...(callsOf.get(attemptKey) ?? []), callId]);
  }
  return read.flatMap(({ match: { attempt } }) => {
    const callIds = callsOf.get(attempt.key) ?? [];
    if (callIds.length < 2) return [];
    const named = callIds.toSorted().join(' and ');
    return [{ attempt, why: `the service lists calls ${named} with the key of this one dial` }];
  });
}

/** Contradictions about keys of known dials. Other keys contradict nothing: a profile may read the wrong field. */
function untrue(read: readonly Read[], doubts: readonly OpenDoubt[]): Untrue[] {
  const keys = new Set(doubts.map(({ key }) => key));
  return read.flatMap(({ call: { attemptKey }, match }) => {
    const isOurs = attemptKey === match.attempt.key || keys.has(attemptKey ?? '');
    return match.kind === 'contradiction' && isOurs ? [match] : [];
  });
}

/** Entries with the key or the number of a doubt, and those that share their key with another entry. */
function speakingOf(calls: readonly ListedCall[], doubts: readonly OpenDoubt[]): ListedCall[] {
  const keys = new Set(doubts.map(({ key }) => key));
  const phones = new Set<string>(doubts.map(({ phone }) => phone));
  const seen = new Set<string>();
  // If any entry has a key, an entry without a key is not a call of this program, whatever its number.
  let isByKey = false;
  for (const { attemptKey } of calls) {
    if (attemptKey === null) continue;
    isByKey = true;
    if (seen.has(attemptKey)) keys.add(attemptKey);
    seen.add(attemptKey);
  }
  return calls.filter(({ attemptKey, phone }) =>
    attemptKey !== null ? keys.has(attemptKey) : !isByKey && phone !== null && phones.has(phone),
  );
}

/** A start time cut to whole seconds may seem earlier than the dial, so that second's last millisecond is used. */
function factsOf({ callId, attemptKey, phone, agent, startedAt }: ListedCall): DeliveryFacts {
  const at = startedAt !== null && startedAt % 1_000 === 0 ? startedAt + 999 : startedAt;
  return { callId, attemptKey, phone, agent, at };
}

/** True for an attempt in doubt. A dial in flight is not in doubt, as its own answer may still come. */
function isDoubt({ state, callId }: MatchCandidate): boolean {
  return callId === null && (state === 'unknown' || state === 'unconfirmed');
}

async function settle(
  { call: { callId }, match: { attempt, by } }: Claim,
  { store, clock, notify }: ListEvidenceContext,
): Promise<keyof ListEvidence> {
  const { attemptId } = attempt;
  const at = clock.now();
  const byNumber = by === 'number';
  const recorded = await store.recordEvidence(attemptId, { callId, at, nextPollAt: at, byNumber });
  if (recorded === 'moved') notify({ event: 'doubt.found', attempt: attemptId, callId });
  return recorded === 'conflict' ? 'contradicted' : 'found';
}

/** Writes the contradiction into the campaign's history, once, even if every list repeats it. */
async function contradict(
  { attemptId, campaignId }: MatchCandidate,
  why: string,
  { store, clock, notify, log }: ListEvidenceContext,
): Promise<void> {
  if (!log.isNews(`${attemptId}: ${why}`)) return;
  const what = 'attempt.contradicted';
  const known = await store.history(campaignId);
  if (known.some((entry) => entry.what === what && entry.detail['why'] === why)) return;
  const detail = { attempt: attemptId, why };
  await store.addHistory(campaignId, { at: clock.now(), who: 'callsheet', what, detail });
  notify({ event: 'doubt.contradicted', attempt: attemptId, detail: why });
}

interface Entry {
  /** When the doubt began, on the monotonic clock. */
  since: number;
  /** When a list was last read for it, on the monotonic clock; null: no list was read. */
  searchedAt: number | null;
}

export type SearchLog = ReturnType<typeof createSearchLog>;

/** When lists were read for which doubts; shared by all runs of a process. */
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
    /** Ms until a list is due for the doubt; Infinity: never again. */
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

    /** No list is read for this attempt after this. */
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
