import type { Clock } from '../runtime/clock.ts';
import type { Notify } from '../runtime/notice.ts';
import type { ListedCall } from '../service/port.ts';
import type {
  DeliveryFacts,
  DeliveryMatch,
  MatchCandidate,
  OpenDoubt,
  Store,
} from '../store/port.ts';
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

interface Claim {
  call: ListedCall;
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
  const { store, service } = context;
  const matches = await store.matchDeliveries(service.name, candidates.map(factsOf));
  /** By attempt: the calls that may be its own. */
  const claims = new Map<string, Claim[]>();
  for (const [i, call] of candidates.entries()) {
    const match = matches[i];
    if (match?.kind === 'contradiction' && isAboutKey(call, match, doubts)) {
      await contradict(match.attempt, match.why, context);
      evidence.contradicted.push(match.attempt.attemptId);
    } else if (match?.kind === 'found' && isDoubt(match.attempt)) {
      const { attemptId } = match.attempt;
      claims.set(attemptId, [...(claims.get(attemptId) ?? []), { call, match }]);
    }
  }
  for (const [attemptId, all] of claims) {
    if (evidence.contradicted.includes(attemptId)) continue;
    const became = await settle(all, context);
    if (became !== 'open') evidence[became].push(attemptId);
  }
  return evidence;
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

/** Keys that the profile looks for in the wrong place are none of ours, and contradict nothing. */
function isAboutKey(
  { attemptKey }: ListedCall,
  { attempt }: Extract<DeliveryMatch, { kind: 'contradiction' }>,
  doubts: readonly OpenDoubt[],
): boolean {
  return attemptKey === attempt.key || doubts.some(({ key }) => key === attemptKey);
}

/** A dial in flight is none: its own answer is on its way. */
function isDoubt({ state, callId }: MatchCandidate): boolean {
  return callId === null && (state === 'unknown' || state === 'unconfirmed');
}

async function settle(
  claims: readonly Claim[],
  context: ListEvidenceContext,
): Promise<keyof ListEvidence | 'open'> {
  const [claim, another] = claims;
  if (claim === undefined) return 'open';
  const { attempt, by } = claim.match;
  if (another !== undefined) {
    // Several calls to one number may be several people's; several with one key are one dial too many.
    if (by === 'number') return 'open';
    const named = claims.map(({ call }) => call.callId).toSorted();
    const why = `the service lists calls ${named.join(' and ')} with the key of this one dial`;
    await contradict(attempt, why, context);
    return 'contradicted';
  }
  const { store, clock, notify } = context;
  const { callId } = claim.call;
  const { attemptId } = attempt;
  const at = clock.now();
  const byNumber = by === 'number';
  const recorded = await store.recordEvidence(attemptId, { callId, at, nextLookAt: at, byNumber });
  if (recorded === 'conflict') return 'contradicted';
  if (recorded === 'moved') notify({ event: 'doubt.found', attempt: attemptId, callId });
  return 'found';
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
