import { createAnalyticsReader } from '../calls/analytics.ts';
import type { DeliveryEvent, DeliveryReading } from './delivery.ts';
import { payloadOf } from './payload.ts';
import type { Profile } from '../profile/profile.ts';
import type { WebhookRules } from '../profile/profile-webhooks.ts';
import {
  asId,
  asObject,
  asPhone,
  asText,
  asTime,
  firstOf,
  idOf,
  pathTexts,
  readPath,
  scopesOf,
} from '../profile/read-fields.ts';
import type { OnFound } from '../profile/read-fields.ts';
import { normalizeWord } from '../../text/fold-words.ts';

/**
 * Makes the reader of one service's deliveries. Anybody may have sent the bytes: the reader never throws, and says why
 * something cannot be read.
 *
 * @param onFound is called for every candidate of the section `webhooks` that gives a value
 * @returns a function; its `contentType` is empty if the delivery has no such header
 */
export function createDeliveryReader(
  rules: WebhookRules,
  analytics: Profile['analytics'],
  onFound?: OnFound,
): (body: Uint8Array, contentType: string) => DeliveryReading {
  const { read } = createAnalyticsReader(analytics);
  return (body, contentType) => {
    const payload = payloadOf(body, contentType);
    if (typeof payload !== 'object' || payload === null) {
      return { kind: 'unreadable', why: 'the body is no JSON object and no form' };
    }
    const scopes = scopesOf(payload, rules.within, onFound);
    const type = firstOf(scopes, rules.type, asText)?.slice(0, LONGEST_TYPE) ?? null;
    const { id: callId, unusable } = idOf(scopes, rules.callId);
    if (unusable !== null) return { kind: 'unreadable', why: unusable };
    const reading: DeliveryEvent = {
      kind: 'event',
      type,
      meaning: rules.events.get(normalizeWord(type ?? '')) ?? 'unknown',
      callId,
      attemptKey: firstOf(scopes, rules.attemptKey, asId) ?? null,
      phone: firstOf(scopes, rules.phone, asPhone) ?? null,
      agent: firstOf(scopes, rules.agent, asId) ?? null,
      at: firstOf(scopes, rules.time, asTime) ?? null,
      found: null,
      lead: null,
    };
    if (reading.meaning === 'analytics') {
      return { ...reading, found: foundIn(payload, rules, read) };
    }
    if (reading.meaning !== 'lead_captured') return reading;
    const lead = firstOf(scopes, rules.lead, asObject) ?? null;
    if (lead !== null) return { ...reading, lead };
    return { kind: 'unreadable', why: `it has no object of fields at ${pathTexts(rules.lead)}` };
  };
}

/** A longer type is cut off, because no profile names a type this long. */
const LONGEST_TYPE = 200;

/** The call id in a delivery; null: the delivery has no usable one. */
export function callIdOf(body: Uint8Array, contentType: string, rules: WebhookRules) {
  const scopes = scopesOf(payloadOf(body, contentType), rules.within);
  return idOf(scopes, rules.callId).id;
}

/** The delivery's id in its body, the same in every retry; null: the body has no id. */
export function deliveryIdOf(body: Uint8Array, contentType: string, rules: WebhookRules) {
  if (rules.deliveryId.length === 0) return null;
  return firstOf([payloadOf(body, contentType)], rules.deliveryId, asId) ?? null;
}

/** What a poll would find; null if the delivery does not contain it, so that a poll is needed. */
function foundIn(
  payload: unknown,
  { analytics }: WebhookRules,
  read: ReturnType<typeof createAnalyticsReader>['read'],
) {
  for (const path of analytics) {
    const at = readPath(payload, path);
    if (typeof at !== 'object' || at === null) continue;
    const reading = read(at);
    if (reading.kind !== 'unreadable') return reading;
  }
  return null;
}
