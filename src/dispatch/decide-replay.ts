import type { PauseReason } from '../domain/campaign.ts';
import type { DialAnswer } from '../service/port.ts';
import type { DialRecord } from '../store/port.ts';
import type { Judgement } from './answer-policy.ts';

/** After a refusal at the least, whatever its Retry-After says. */
const SHORTEST_HOLD_MS = 1_000;

/**
 * What the answer means to a dial that was sent again under its key. Only `placed` settles anything: that the
 * second try was refused or never sent proves nothing about the first, so its attempt stays unknown.
 *
 * @param placed what goes into the record of a placed call
 */
export function decideReplay(
  answer: DialAnswer,
  now: number,
  placed: { nextPollAt: number; fingerprint: string },
): Judgement {
  const base = { at: now, detail: answer.detail };
  if (answer.kind === 'placed') {
    const record: DialRecord = { ...base, kind: 'placed', callId: answer.callId, ...placed };
    return { record, pause: null, health: 'good', backoffMs: null };
  }
  const { status } = answer;
  const backoffMs =
    answer.kind === 'refused' ? Math.max(SHORTEST_HOLD_MS, answer.retryAfterMs ?? 0) : null;
  // A 2xx is the service's own word that it took the call, however little else can be read of it.
  const accepted = answer.kind === 'unknown' && status !== null && status < 300;
  const record: DialRecord = {
    ...base,
    kind: 'unknown',
    answered: accepted,
    accepted,
    replay: { spent: answer.kind === 'unknown' || answer.kind === 'rejected', backoffMs },
  };
  const reason = whyPaused(answer);
  const pause = reason === null ? null : { reason, detail: answer.detail };
  return { record, pause, health: isFailure(answer) ? 'failure' : null, backoffMs };
}

function whyPaused(answer: DialAnswer): PauseReason | null {
  if (answer.kind !== 'rejected') return null;
  if (answer.status === 401 || answer.status === 403) return 'key';
  return answer.pause === true ? 'profile' : null;
}

/** Transport errors, timeouts and 5xx, as for any dial. */
function isFailure(answer: DialAnswer): boolean {
  if (answer.kind === 'neverSent') return answer.cause === 'connection';
  return answer.kind === 'unknown' && (answer.status === null || answer.status >= 400);
}
