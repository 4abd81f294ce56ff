import type { AttemptState } from './attempt.ts';
import type { NamedCall } from './same-call.ts';

/** What a delivery says of the call that it speaks of. */
export interface DeliveryFacts {
  callId: string | null;
  /** The idempotency key of the dial. */
  attemptKey: string | null;
  phone: string | null;
  agent: string | null;
  /** When it happened by the service's clock, epoch ms. */
  at: number | null;
}

/** An attempt that may be the one. */
export interface MatchCandidate extends Omit<NamedCall, 'callId'> {
  campaignId: string;
  service: string;
  state: AttemptState;
  callId: string | null;
  intentAt: number;
  /** When the service answered the dial; of a call that was found otherwise, `intentAt`. */
  placedAt: number;
  /** No call lasts longer than until then. */
  holdsUntil: number;
  polls: number;
}

export type DeliveryMatch =
  /** `by` key or number: the attempt has no call id yet, and the delivery's is evidence of it. */
  | { kind: 'found'; by: 'call' | 'key' | 'number'; attempt: MatchCandidate }
  | { kind: 'none'; why: string }
  | { kind: 'contradiction'; attempt: MatchCandidate; why: string };

/**
 * Which attempt a delivery speaks of: the one with its call id, else the one with its key, else the one
 * whose number is in doubt, where that can be no other.
 *
 * @param byCall the attempt of this service that has the call id
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

/** A number alone is weak: the sole doubt about it, nothing in flight to it, and no fact that speaks against it. */
function matchNumber(
  service: string,
  { phone, agent, at, callId, attemptKey }: DeliveryFacts,
  inProgress: readonly MatchCandidate[],
): DeliveryMatch {
  const unknown = `no attempt is call ${callId ?? ''}`;
  if (phone === null) return none(unknown);
  // The dial that it belongs to is named, and it is none of ours that is in progress.
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
