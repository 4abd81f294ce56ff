import { DAY_MS } from '../../domain/time-units.ts';
import type { DeliveryEvent } from '../../service/port.ts';
import type { DeliveryMatch, DueDelivery } from '../../store/port.ts';

/** A delivery is matched again for a day. The store wakes it as soon as an attempt gets its call id; the rest is retried. */
const SEARCH_FOR_MS = DAY_MS;
const SOONEST_MS = 250;
const LATEST_MS = 60_000;

/**
 * When a delivery without an attempt is matched again, epoch ms: after as long as it has waited, within bounds.
 *
 * @returns null when a day is over
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
