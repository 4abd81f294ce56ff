import { whyAnother, type CallNames } from '../../domain/same-call.ts';
import type { DeliveryEvent } from '../../service/port.ts';
import type { OpenCall, Store } from '../../store/port.ts';
import { contradictionIn } from '../settle.ts';

/** Whose call a delivery tells of, where it was found by its call id. */

/**
 * Why a delivery is not this call's, although it has its id; null: it is. A number beside captured fields may be one
 * that was asked for in the call: it counts only where the id does not say whose they are. What an unsigned one says
 * of a call is read from the service anyway.
 */
export function whyNotOf(
  call: Pick<OpenCall, 'attemptId' | 'callId' | 'key' | 'phone' | 'agent' | 'rivals'>,
  event: DeliveryEvent,
  signed: boolean,
): string | null {
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

/** What it holds of the analytics; what it says beside them is said of them. */
export function foundIn(event: DeliveryEvent): DeliveryEvent['found'] {
  const { found } = event;
  if (found === null) return null;
  const beside = namesOf(event);
  const { names } = found;
  if (names === undefined) return { ...found, names: beside };
  return {
    ...found,
    names: {
      callIds: [...beside.callIds, ...names.callIds],
      attemptKeys: [...beside.attemptKeys, ...names.attemptKeys],
      phones: [...beside.phones, ...names.phones],
      agents: [...beside.agents, ...names.agents],
    },
  };
}

/** Agents are left out: one may hand a call over to another, and its last one is named then. */
export function namesOf({ callId, attemptKey, phone }: DeliveryEvent): CallNames {
  return {
    callIds: callId === null ? [] : [callId],
    attemptKeys: attemptKey === null ? [] : [attemptKey],
    phones: phone === null ? [] : [phone],
    agents: [],
  };
}

/** What cannot be true is kept in the history, and changes nothing. */
export async function contradict(
  delivery: string,
  { campaignId, attemptId: attempt }: Pick<OpenCall, 'campaignId' | 'attemptId'>,
  why: string,
  { store, now: at }: { store: Pick<Store, 'addHistory'>; now: number },
): Promise<{ state: 'contradicted'; reason: string }> {
  const detail = { delivery, attempt, why };
  await store.addHistory(campaignId, {
    at,
    who: 'callsheet',
    what: 'delivery.contradicted',
    detail,
  });
  return { state: 'contradicted', reason: why };
}
