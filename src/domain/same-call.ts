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
 *
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
function plainMobile(phone: string): string {
  return phone
    .replace(/^\+521(?=\d{10}$)/, '+52')
    .replace(/^\+549(?=\d{10}$)/, '+54')
    .replace(/^(\+55\d\d)9(?=\d{8}$)/, '$1');
}

function list(names: readonly string[]): string {
  return names.map((name) => (name.length > 80 ? `${name.slice(0, 80)}...` : name)).join(', ');
}
