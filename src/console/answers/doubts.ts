import type { DoubtView } from '../../app/resolve/list-doubts.ts';
import type { Doubt } from '../contract/doubts.ts';
import type { Shown } from './shown.ts';

/** A call in doubt, as somebody may see it. */
export function doubtBody(doubt: DoubtView, { phone, text, name: file }: Shown): Doubt {
  const { attemptId, list, line, state, service, key, callId, accepted, refusals } = doubt;
  return {
    attempt: attemptId,
    person: `${list}-${line}`,
    phone: phone(doubt.phone),
    name: doubt.name === null ? null : text(doubt.name),
    list: doubt.listPath === null ? null : file(doubt.listPath),
    ...{ line, state, service, key, callId, refusals },
    sentAt: doubt.intentAt,
    heldUntil: doubt.holdsUntil,
    answered2xx: accepted,
    whatFailed: doubt.detail === null ? null : text(doubt.detail),
  };
}
