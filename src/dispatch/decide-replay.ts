import type { PauseReason } from '../domain/campaign.ts';
import type { DialAnswer } from '../service/port.ts';
import type { DialRecord } from '../store/port.ts';
import { backoffOf, isAccepted, isFailure, judgePlaced, type Judgement } from './answer-policy.ts';

/**
 * Decides what the answer to a replay means: a dial that was sent once more under the same idempotency key, because
 * its first answer was lost. Only `placed` settles the doubt. That the replay was refused or never sent proves
 * nothing about the first dial, so its attempt stays unknown.
 *
 * @param placed goes into the record of a placed call
 */
export function decideReplay(
  answer: DialAnswer,
  now: number,
  placed: { nextPollAt: number; fingerprint: string },
): Judgement {
  if (answer.kind === 'placed') return judgePlaced(answer, now, placed);
  const { kind, detail } = answer;
  const accepted = kind === 'unknown' && isAccepted(answer);
  const backoffMs = kind === 'refused' ? backoffOf(answer) : null;
  // Whatever the service may have looked at counts as one of the few replays; a refusal or an unsent one does not.
  const replay = { spent: kind === 'unknown' || kind === 'rejected', backoffMs };
  const record: DialRecord = {
    at: now,
    detail,
    kind: 'unknown',
    answered: accepted,
    accepted,
    replay,
  };
  const reason = whyPaused(answer);
  const hasFailed =
    kind === 'neverSent' ? answer.cause === 'connection' : kind === 'unknown' && isFailure(answer);
  return {
    record,
    pause: reason === null ? null : { reason, detail },
    health: hasFailed ? 'failure' : null,
    backoffMs,
  };
}

function whyPaused(answer: DialAnswer): PauseReason | null {
  if (answer.kind !== 'rejected') return null;
  if (answer.status === 401 || answer.status === 403) return 'key';
  return answer.pause === true ? 'profile' : null;
}
