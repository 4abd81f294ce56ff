import { isSuccess } from '../http/exchange.ts';
import type { DialAnswer } from '../port.ts';
import type { DialMeaning } from '../profile/profile-dial.ts';

/** What became of the request of a dial. */
export type Sent =
  /** `Send` proves that no byte was sent. */
  | { kind: 'neverSent'; cause: 'permit' | 'connection'; why: string }
  /** The request was sent, and no HTTP status came back. */
  | { kind: 'unanswered'; why: string }
  /** An HTTP status came back; `cutShort`: why its body is incomplete, or null. */
  | {
      kind: 'answered';
      status: number;
      /** Null: none was found where the profile says that an answer with this status names its call. */
      callId: string | null;
      cutShort: string | null;
      /** Why the call id in the body cannot be used; null: there is no call id, or it can be used. */
      unusable: string | null;
      /** The profile's meaning of the service's error word; null: none was found. */
      said: DialMeaning | null;
      retryAfterMs: number | null;
      /** The first 200 characters of the body, masked. */
      excerpt: string;
      /** The lines of a profile that would read more of the body. */
      hint?: string;
    };

/**
 * Decides which of the five answers a dial got. A wrong "not placed" calls a person twice; a wrong "unknown" is only a
 * line in a report. So everything that is not proved is `unknown`.
 *
 * @param table the profile's answer per HTTP status; a status that it does not list is `unknown`, except 402: `pause`
 * @param words for messages: `request` has the method, the address and the names of the fields sent; `lookedFor` has
 *   the names of the fields that may hold the call id
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
  const { status, callId, cutShort, unusable, retryAfterMs, said, hint = '' } = sent;
  const answered = `${words.request} was answered with HTTP ${status}`;
  const received = `; received: ${sent.excerpt}`;
  // In an incomplete body, a call id may be cut off, and an error word that outweighs the status may be missing.
  if (cutShort !== null) {
    return { kind: 'unknown', status, detail: `${answered}, and ${cutShort}${received}` };
  }
  // A call that a refusal names was made, or may still be made: another dial could be a second call.
  if (callId !== null) return { kind: 'placed', callId, status, detail: `HTTP ${status}` };
  if (unusable !== null || (isSuccess(status) && (said === null || said === 'unknown'))) {
    const why = unusable ?? `no call id was found; looked for ${words.lookedFor}`;
    return { kind: 'unknown', status, detail: `${answered}, and ${why}${received}`, hint };
  }
  const detail = answered + received;
  const meaning = said ?? table.get(status) ?? UNLISTED.get(status) ?? 'unknown';
  if (meaning === 'refused') return { kind: meaning, retryAfterMs, status, detail };
  if (meaning === 'unknown') return { kind: meaning, status, detail };
  if (meaning === 'invalid_number') {
    return { kind: 'rejected', named: true, invalidNumber: true, status, detail };
  }
  // In a 2xx answer an error word says that no call was made, but not whose fault that is.
  const isNamed = said !== null && !isSuccess(status);
  const evidence = { ...(isNamed ? { named: true as const } : {}), status, detail, hint };
  if (meaning === 'pause') return { kind: 'rejected', pause: true, ...evidence };
  return { kind: meaning, ...evidence };
}

/**
 * For statuses that the profile does not list: after 402, "Payment Required" (RFC 9110, 15.5.3), no dial would succeed.
 */
const UNLISTED: ReadonlyMap<number, DialMeaning> = new Map([[402, 'pause']]);
