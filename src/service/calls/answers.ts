import type { DialAnswer } from '../port.ts';
import type { DialMeaning } from '../profile/profile-dial.ts';

/** What became of the request of a dial on the wire. */
export type Sent =
  /** The send marker proves that no byte left. */
  | { kind: 'neverSent'; cause: 'permit' | 'connection'; why: string }
  /** It left, and no status came back. */
  | { kind: 'unanswered'; why: string }
  /** A status came back; `cutShort` says why its body did not come to its end, or is null. */
  | ({
      kind: 'answered';
      status: number;
      callId: string | null;
      cutShort: string | null;
      /** Why an id that is there cannot be the call's; null: none is there, or a good one. */
      unusable: string | null;
      /** What the profile makes of the service's own error word; null: none was found. */
      said: DialMeaning | null;
    } & Received);

interface Received {
  retryAfterMs: number | null;
  /** The first 200 characters of the body, masked. */
  excerpt: string;
}

/** The fixed part of the messages about one service's dials. */
export interface DialWords {
  /** Method, address and the names of the fields that are sent. */
  request: string;
  /** The fields in which the call id was looked for. */
  lookedFor: string;
}

/**
 * The five answers. Wrong in one direction it calls a person twice, in the other it leaves a line in a
 * report: whatever is not proved is `unknown`.
 *
 * @param table the profile's answer per HTTP status; a status it does not list is `unknown`, but for 402, which is `pause`
 */
export function dialAnswer(
  sent: Sent,
  table: ReadonlyMap<number, DialMeaning>,
  words: DialWords,
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
  // The id in it may itself be cut short, and words that outweigh the status may not have come.
  if (cutShort !== null) {
    const detail = `${answered(words, sent)}, and ${cutShort}${received(sent)}`;
    return { kind: 'unknown', status, detail };
  }
  const isSuccess = status >= 200 && status < 300;
  if (isSuccess && (said === null || said === 'unknown')) {
    if (callId !== null) return { kind: 'placed', callId, status, detail: `HTTP ${status}` };
    const why = unusable ?? `no call id was found; looked for ${words.lookedFor}`;
    return {
      kind: 'unknown',
      status,
      detail: `${answered(words, sent)}, and ${why}${received(sent)}`,
    };
  }
  const detail = answered(words, sent) + received(sent);
  const meaning = said ?? table.get(status) ?? UNLISTED.get(status) ?? 'unknown';
  if (meaning === 'refused') return { kind: meaning, retryAfterMs, status, detail };
  if (meaning === 'unknown') return { kind: meaning, status, detail };
  // In a 2xx a word says that the call was not made, not whose fault that was.
  const isNamed = said !== null && !isSuccess;
  const evidence = { ...(isNamed ? { named: true as const } : {}), status, detail };
  if (meaning === 'pause') return { kind: 'rejected', pause: true, ...evidence };
  return { kind: meaning, ...evidence };
}

/** What a status says of itself: 402 is "Payment Required" (RFC 9110, 15.5.3), which no other dial would escape. */
const UNLISTED: ReadonlyMap<number, DialMeaning> = new Map([[402, 'pause']]);

function answered(words: DialWords, { status }: { status: number }): string {
  return `${words.request} was answered with HTTP ${status}`;
}

function received({ excerpt }: Received): string {
  return excerpt === '' ? '; the body was empty' : `; received: ${excerpt}`;
}
