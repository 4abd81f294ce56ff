import type { DeliveryProtocol, PollResult } from '../service/port.ts';
import type { MatchCandidate } from '../store/port.ts';

/** True when a call's analytics name another number or key: read as a delivery of the same service would be. */
export function namesAnotherAttempt(
  { analytics }: Extract<PollResult, { kind: 'settled' }>,
  attempt: MatchCandidate,
  protocol: DeliveryProtocol,
): boolean {
  const body = new TextEncoder().encode(JSON.stringify(analytics.raw));
  const said = protocol.read(body, JSON_HEADERS);
  if (said.kind !== 'event') return false;
  const { phone, attemptKey } = said;
  return (
    (phone !== null && phone !== attempt.phone) ||
    (attemptKey !== null && attemptKey !== attempt.key)
  );
}
const JSON_HEADERS = { 'content-type': 'application/json' };
