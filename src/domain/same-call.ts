import type { AttemptState } from './attempt.ts';

/** What it means that a webhook delivery has a state, for people. */
export const DELIVERY_MEANINGS = {
  received: 'Stored, and not read yet.',
  applied: 'What it says is in the results.',
  hint: 'It was not signed, so its call was read from the service instead.',
  unmatched: 'The call that it is about is not known here. It is tried again by itself.',
  contradicted: 'It says something else than what is known of the call.',
  ignored: 'The profile says to ignore what is of its type.',
  unknown: 'The profile does not name its type.',
  unreadable: 'Its body does not have the form that the profile expects.',
} as const;
export type DeliveryState = keyof typeof DELIVERY_MEANINGS;
export const DELIVERY_STATES = Object.keys(DELIVERY_MEANINGS) as DeliveryState[];

/** The names in an answer that identify its call; an empty list: the answer has no name of this kind. */
export interface CallNames {
  callIds: readonly string[];
  /** Idempotency keys of dials. */
  attemptKeys: readonly string[];
  /** E.164 */
  phones: readonly string[];
  agents: readonly string[];
}

/** The call to which an answer should belong. */
export interface NamedCall extends Dialled {
  attemptId: string;
  callId: string;
  /** Other dials that the service answered with the same call id. */
  rivals: readonly Dialled[];
}

/** The idempotency key, number and agent that one dial was sent with. */
export interface Dialled {
  key: string;
  phone: string;
  agent: string;
}

/**
 * Why an answer is about another call than the requested one. Every call id in the answer must be that of the call; of
 * several keys, numbers or agents one match is enough, as an answer may also name the number that called. If the
 * service gave one id to several dials, another name must distinguish this dial from each of the other dials.
 * @returns the reason why the answer cannot be kept for this call, as a clause; null: it can
 */
export function whyAnother(names: CallNames, call: NamedCall): string | null {
  const { callIds, attemptKeys, phones, agents } = names;
  if (callIds.some((id) => id !== call.callId)) {
    return `it names call ${list(callIds)}, and call ${call.callId} was asked for`;
  }
  if (isOther(attemptKeys, (key) => key === call.key)) {
    return `it names the key of another dial than that of call ${call.callId}`;
  }
  if (isOther(phones, (phone) => isSameNumber(phone, call.phone))) {
    return `it names another number than the one that call ${call.callId} was made to`;
  }
  if (isOther(agents, (agent) => agent === call.agent)) {
    return `it names agent ${list(agents)}, and call ${call.callId} was made with ${call.agent}`;
  }
  const isToldApart = call.rivals.every(
    (rival) =>
      isOther(attemptKeys, (key) => key === rival.key) ||
      isOther(phones, (phone) => isSameNumber(phone, rival.phone)) ||
      isOther(agents, (agent) => agent === rival.agent),
  );
  if (isToldApart) return null;
  const dials = call.rivals.length + 1;
  return `the service gave call id ${call.callId} to ${dials} dials, and it does not say whose call it is`;
}

/** True when there are names and none of them fits. */
function isOther(named: readonly string[], fits: (name: string) => boolean): boolean {
  return named.length > 0 && !named.some(fits);
}

/** True also for two notations of one line, where a country has changed how mobile numbers are dialled from abroad. */
export function isSameNumber(one: string, other: string): boolean {
  return one === other || plainMobile(one) === plainMobile(other);
}

/** The number without Mexico's 1 or Argentina's 9 before a mobile number, and without Brazil's 9 in it. */
export function plainMobile(phone: string): string {
  return phone
    .replace(/^\+521(?=\d{10}$)/, '+52')
    .replace(/^\+549(?=\d{10}$)/, '+54')
    .replace(/^(\+55\d\d)9(?=\d{8}$)/, '$1');
}

function list(names: readonly string[]): string {
  return names.map((name) => (name.length > 80 ? `${name.slice(0, 80)}...` : name)).join(', ');
}

/** The names in a delivery. */
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
