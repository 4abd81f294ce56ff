import type { DeliveryEvent } from '../../service/port.ts';
import type { DeliveryMatch, DueDelivery } from '../../store/port.ts';

/** For a day its call is looked for. The store tells when an attempt has its call or key; all else is tried again. */
const SEARCH_FOR_MS = 86_400_000;
const SOONEST_MS = 250;
const LATEST_MS = 60_000;

/**
 * When a delivery without an attempt is looked at again, epoch ms.
 *
 * @returns null when its attempt has been looked for long enough
 */
export function matchAgainAt(
  { receivedAt }: DueDelivery,
  { phone }: DeliveryEvent,
  match: DeliveryMatch,
  at: number,
): number | null {
  const age = Math.max(0, at - receivedAt);
  if (age >= SEARCH_FOR_MS) return null;
  if (match.kind === 'none' && phone === null) return receivedAt + SEARCH_FOR_MS;
  return at + Math.round(Math.min(Math.max(age, SOONEST_MS), LATEST_MS));
}
