import { isSuccess } from '../http/exchange.ts';
import type { DialAnswer } from '../port.ts';
import type { DialMeaning } from '../profile/profile-dial.ts';

/** What became of the request of a dial. */
export type Sent =
  /** `Send` proves that no byte left. */
  | { kind: 'neverSent'; cause: 'permit' | 'connection'; why: string }
  /** It was sent, and no status came back. */
  | { kind: 'unanswered'; why: string }
  /** A status came back; `cutShort`: why its body is incomplete, or null. */
  | {
      kind: 'answered';
      status: number;
      callId: string | null;
      cutShort: string | null;
      /** Why an id that is there cannot be used; null: there is none, or it is fine. */
      unusable: string | null;
      /** The profile's meaning of the service's error word; null: none was found. */
      said: DialMeaning | null;
      retryAfterMs: number | null;
      /** The first 200 characters of the body, masked. */
      excerpt: string;
    };

/**
 * Decides which of the five answers it is. A wrong "not placed" calls a person twice, a wrong "unknown" is a line in a
 * report: so whatever is not proved is `unknown`.
 *
 * @param table the profile's answer per HTTP status; a status it does not list is `unknown`, but for 402, which is `pause`
 * @param words for messages: method, address and the names of the fields that are sent, and those of the call id
 */
export function dialAnswer(
  sent: Sent,
  table: ReadonlyMap<number, DialMeaning>,
  words: { request: string; lookedFor: string },
): DialAnswer {
  if (sent.kind === 'neverSent') {
    const detail = `${words.request} was not sent: ${sent.why}`;
    return { kind: 'neverSent', cause: sent.cause, status: null, detail };
  }
  if (sent.kind === 'unanswered') {
    const detail = `${words.request} was sent and not answered: ${sent.why}`;
    return { kind: 'unknown', status: null, detail };
  }
  const { status, callId, cutShort, unusable, retryAfterMs, said } = sent;
  const answered = `${words.request} was answered with HTTP ${status}`;
  const received = `; received: ${sent.excerpt}`;
  // A call id in it may be incomplete, and an error word that outweighs the status may be missing.
  if (cutShort !== null) {
    return { kind: 'unknown', status, detail: `${answered}, and ${cutShort}${received}` };
  }
  if (isSuccess(status) && (said === null || said === 'unknown')) {
    if (callId !== null) return { kind: 'placed', callId, status, detail: `HTTP ${status}` };
    const why = unusable ?? `no call id was found; looked for ${words.lookedFor}`;
    return { kind: 'unknown', status, detail: `${answered}, and ${why}${received}` };
  }
  const detail = answered + received;
  const meaning = said ?? table.get(status) ?? UNLISTED.get(status) ?? 'unknown';
  if (meaning === 'refused') return { kind: meaning, retryAfterMs, status, detail };
  if (meaning === 'unknown') return { kind: meaning, status, detail };
  // In a 2xx an error word says that no call was made, but not whose fault that is.
  const isNamed = said !== null && !isSuccess(status);
  const evidence = { ...(isNamed ? { named: true as const } : {}), status, detail };
  if (meaning === 'pause') return { kind: 'rejected', pause: true, ...evidence };
  return { kind: meaning, ...evidence };
}

/** What a status means that the profile does not list: after 402, "Payment Required" (RFC 9110, 15.5.3), no dial would succeed. */
const UNLISTED: ReadonlyMap<number, DialMeaning> = new Map([[402, 'pause']]);
