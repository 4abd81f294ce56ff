import { whyAnother, type CallNames } from '../../domain/same-call.ts';
import type { DeliveryEvent } from '../../service/port.ts';
import type { OpenCall, Store } from '../../store/port.ts';
import { contradictionIn } from '../settle.ts';

/**
 * Why a delivery with a call's id is not about this call; null: it is. The number in captured fields may be one that
 * the person named in the call, so it counts only if several dials share the call id. An unsigned delivery is not
 * checked unless it brings fields: what it says of the call is read from the service anyway.
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

/** The analytics that a delivery holds, with the names beside them: they prove whose analytics they are. */
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

/** Without agents: an agent may hand the call over to another, and the delivery names the last one. */
export function namesOf({ callId, attemptKey, phone }: DeliveryEvent): CallNames {
  return {
    callIds: callId === null ? [] : [callId],
    attemptKeys: attemptKey === null ? [] : [attemptKey],
    phones: phone === null ? [] : [phone],
    agents: [],
  };
}

/** A contradiction goes into the campaign's history and changes nothing. */
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
