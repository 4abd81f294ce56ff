import type { AttemptState } from './attempt.ts';
import type { NamedCall } from './same-call.ts';

/** What a delivery says about its call. */
export interface DeliveryFacts {
  callId: string | null;
  /** The idempotency key of the dial. */
  attemptKey: string | null;
  phone: string | null;
  agent: string | null;
  /** The time of the event by the service's clock, epoch ms. */
  at: number | null;
}

/** An attempt that the delivery may be about. */
export interface MatchCandidate extends Omit<NamedCall, 'callId'> {
  campaignId: string;
  service: string;
  state: AttemptState;
  callId: string | null;
  intentAt: number;
  /** When the service answered the dial; for a call that was found in another way, `intentAt`. */
  placedAt: number;
  /** The time at which the call is over at the latest, epoch ms. */
  holdsUntil: number;
  polls: number;
}

export type DeliveryMatch =
  /** `by` is `key` or `number`: if the attempt has no call id yet, the call id of the delivery is evidence for it. */
  | { kind: 'found'; by: 'call' | 'key' | 'number'; attempt: MatchCandidate }
  | { kind: 'none'; why: string }
  | { kind: 'contradiction'; attempt: MatchCandidate; why: string };

/**
 * Finds the attempt that a delivery is about: the one with its call id, else the one with its key, else the one in
 * doubt with its number, if no other attempt is possible.
 *
 * @param byCall the attempt of this service with the call id, or null
 * @param inProgress attempts of all services that hold a slot or are in doubt, with this key or number
 */
export function matchDelivery(
  service: string,
  facts: DeliveryFacts,
  byCall: MatchCandidate | null,
  inProgress: readonly MatchCandidate[],
): DeliveryMatch {
  const { callId, attemptKey, phone } = facts;
  if (byCall !== null) {
    if (attemptKey === null || attemptKey === byCall.key) return found('call', byCall);
    const why = `call ${callId ?? ''} is attempt ${byCall.attemptId}, whose key is another one`;
    return { kind: 'contradiction', attempt: byCall, why };
  }
  const byKey = inProgress.find((each) => each.service === service && each.key === attemptKey);
  if (byKey !== undefined) {
    if (phone !== null && phone !== byKey.phone) {
      const why = `it names attempt ${byKey.attemptId}, and another number than was dialled`;
      return { kind: 'contradiction', attempt: byKey, why };
    }
    if (callId === null || byKey.callId === null) return found('key', byKey);
    const why = `it names call ${callId} for attempt ${byKey.attemptId}, which is call ${byKey.callId}`;
    return { kind: 'contradiction', attempt: byKey, why };
  }
  if (callId === null) return none('it names no call that is known');
  return matchNumber(service, facts, inProgress);
}

/**
 * A number alone is weak evidence: it counts only if exactly one attempt with the number is in doubt, no dial to the
 * number is in flight, and no fact of the delivery contradicts the match.
 */
function matchNumber(
  service: string,
  { phone, agent, at, callId, attemptKey }: DeliveryFacts,
  inProgress: readonly MatchCandidate[],
): DeliveryMatch {
  const unknown = `no attempt is call ${callId ?? ''}`;
  if (phone === null) return none(unknown);
  // The delivery names the key of its dial, and no attempt in progress has this key.
  if (attemptKey !== null) return none(`${unknown}, and none that is in progress has its key`);
  const same = inProgress.filter((each) => each.phone === phone);
  if (same.some(({ state }) => state === 'intent')) {
    return none(`${unknown}, and a dial to its number is in flight`);
  }
  const doubts = same.filter(({ state }) => state === 'unknown' || state === 'unconfirmed');
  const [doubt] = doubts;
  if (doubt === undefined) return none(`${unknown}, and no call to its number is in doubt`);
  if (doubts.length > 1) return none(`${unknown}, and several calls to its number are in doubt`);
  if (doubt.service !== service) return none(`${unknown}, and the doubt is about another service`);
  if (agent !== null && agent !== doubt.agent) {
    return none(`${unknown}, and its agent is not the one that was dialled with`);
  }
  if (at === null) return none(`${unknown}, and it does not say when it happened`);
  if (at < doubt.intentAt) return none(`${unknown}, and it happened before the dial in doubt`);
  return found('number', doubt);
}

function found(by: 'call' | 'key' | 'number', attempt: MatchCandidate): DeliveryMatch {
  return { kind: 'found', by, attempt };
}

function none(why: string): DeliveryMatch {
  return { kind: 'none', why };
}
