import type { Clock } from '../../runtime/clock.ts';
import type { Notify } from '../../runtime/notice.ts';
import type { ListedCall } from '../../service/port.ts';
import type {
  DeliveryFacts,
  DeliveryMatch,
  MatchCandidate,
  OpenDoubt,
  Store,
} from '../../store/port.ts';
import type { SearchLog } from './search-log.ts';

export interface ListEvidenceContext {
  store: Pick<Store, 'matchDeliveries' | 'recordEvidence' | 'history' | 'addHistory'>;
  service: { name: string };
  clock: Clock;
  notify: Notify;
  log: Pick<SearchLog, 'isNews'>;
}

/** What a list did to doubts. */
export interface ListEvidence {
  /** Attempts whose call is known now. */
  found: string[];
  /** Attempts of which the list says what cannot be true: no list can settle them. */
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
 * Settles doubts by what a list of calls says, which is the service's own word: our key in a call is evidence of it,
 * as in a signed delivery, and a number is under the same rules as there. That a call is not in the list proves nothing.
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
  /** By attempt: the calls that may be its own. */
  const claims = new Map<string, Claim[]>();
  for (const { call, match } of read) {
    if (match.kind !== 'found' || !isDoubt(match.attempt)) continue;
    const { attemptId } = match.attempt;
    if (evidence.contradicted.includes(attemptId)) continue;
    claims.set(attemptId, [...(claims.get(attemptId) ?? []), { call, match }]);
  }
  for (const [attemptId, [claim, another]] of claims) {
    // Several calls to one number may be several people's.
    if (claim === undefined || another !== undefined) continue;
    evidence[await settle(claim, context)].push(attemptId);
  }
  return evidence;
}

interface Untrue {
  attempt: MatchCandidate;
  why: string;
}

/** Attempts whose key several calls have: the service has rung more than once for one dial. */
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

/** Keys that the profile looks for in the wrong place are none of ours, and contradict nothing. */
function untrue(read: readonly Read[], doubts: readonly OpenDoubt[]): Untrue[] {
  const keys = new Set(doubts.map(({ key }) => key));
  return read.flatMap(({ call: { attemptKey }, match }) => {
    const isOurs = attemptKey === match.attempt.key || keys.has(attemptKey ?? '');
    return match.kind === 'contradiction' && isOurs ? [match] : [];
  });
}

/** Calls with the key or the number of a doubt, and those that share their key with another call. */
function speakingOf(calls: readonly ListedCall[], doubts: readonly OpenDoubt[]): ListedCall[] {
  const keys = new Set(doubts.map(({ key }) => key));
  const phones = new Set<string>(doubts.map(({ phone }) => phone));
  const seen = new Set<string>();
  // Where calls come back with their keys, one without a key is none of ours: its number means nothing.
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

/** A time of whole seconds may be up to one second later: it does not say that a call began before its dial. */
function factsOf({ callId, attemptKey, phone, agent, startedAt }: ListedCall): DeliveryFacts {
  const at = startedAt !== null && startedAt % 1_000 === 0 ? startedAt + 999 : startedAt;
  return { callId, attemptKey, phone, agent, at };
}

/** A dial in flight is none: its own answer is on its way. */
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

/** Kept in the history once, however often lists say so. */
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
