import { whyAnother, type NamedCall } from '../../domain/same-call.ts';
import type { DeliveryEvent, DeliveryProtocol, PollResult } from '../../service/port.ts';
import type { MatchCandidate, OpenCall, Store } from '../../store/port.ts';
import { contradictionIn, namesOf, namesWith } from '../settle.ts';

/**
 * Why a delivery with a call's id is not about this call; null: it is. The number in captured fields may be one that
 * the person named in the call, so it counts only if several dials share the call id. An unsigned delivery is not
 * checked unless it brings fields: what it says of the call is read from the service anyway.
 */
export function whyNotOf(call: NamedCall, event: DeliveryEvent, signed: boolean): string | null {
  const isLead = event.meaning === 'lead_captured';
  if (!signed && !isLead) return null;
  const names = namesOf(event);
  const hasPhone = !isLead || call.rivals.length > 0;
  const alone = { ...call, rivals: [] };
  return (
    whyAnother(hasPhone ? names : { ...names, phones: [] }, alone) ??
    (event.found === null ? null : contradictionIn(event.found, alone)) ??
    (call.rivals.length === 0 ? null : whyAnother(foundIn(event)?.names ?? names, call))
  );
}

/** The analytics that a delivery holds, with the names beside them: they prove whose analytics they are. */
export function foundIn(event: DeliveryEvent): DeliveryEvent['found'] {
  const { found } = event;
  return found && { ...found, names: namesWith(namesOf(event), found.names) };
}

/** True when a call's analytics, read like a delivery of the same service, name another number or key. */
export function namesAnotherAttempt(
  { analytics }: Extract<PollResult, { kind: 'settled' }>,
  attempt: MatchCandidate,
  protocol: DeliveryProtocol,
): boolean {
  const body = new TextEncoder().encode(JSON.stringify(analytics.raw));
  const said = protocol.read(body, { 'content-type': 'application/json' });
  if (said.kind !== 'event') return false;
  const { phone, attemptKey } = said;
  return (
    (phone !== null && phone !== attempt.phone) ||
    (attemptKey !== null && attemptKey !== attempt.key)
  );
}

/** Puts a contradiction into the campaign's history; nothing else changes. */
export async function contradict(
  delivery: string,
  { campaignId, attemptId: attempt }: Pick<OpenCall, 'campaignId' | 'attemptId'>,
  why: string,
  { store, now: at }: { store: Pick<Store, 'addHistory'>; now: number },
): Promise<{ state: 'contradicted'; reason: string }> {
  const detail = { delivery, attempt, why };
  const what = 'delivery.contradicted';
  await store.addHistory(campaignId, { at, who: 'callsheet', what, detail });
  return { state: 'contradicted', reason: why };
}
