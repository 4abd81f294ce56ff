import { createAnalyticsReader } from '../calls/analytics.ts';
import type { DeliveryEvent, DeliveryReading } from './delivery.ts';
import { payloadOf } from './payload.ts';
import type { Profile } from '../profile/profile.ts';
import type { WebhookRules } from '../profile/profile-webhooks.ts';
import {
  asId,
  asPhone,
  asText,
  asTime,
  firstOf,
  idOf,
  pathText,
  readPath,
  scopesOf,
} from '../profile/read-fields.ts';
import type { OnFound } from '../profile/read-fields.ts';
import { normalizeWord } from '../../text/normalize.ts';

/** @param contentType as the delivery named it; empty: it did not */
type DeliveryReader = (body: Uint8Array, contentType: string) => DeliveryReading;

/**
 * Makes the reader of what one service sends by itself. It reads bytes that anybody may have sent: it never
 * throws, and what it cannot read it says.
 *
 * @param onFound hears of every candidate of the section `webhooks` that gave a value
 */
export function createDeliveryReader(
  rules: WebhookRules,
  analytics: Profile['analytics'],
  onFound?: OnFound,
): DeliveryReader {
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
      meaning: meaningOf(type, rules),
      callId,
      attemptKey: firstOf(scopes, rules.attemptKey, asId) ?? null,
      phone: firstOf(scopes, rules.phone, asPhone) ?? null,
      agent: firstOf(scopes, rules.agent, asId) ?? null,
      at: firstOf(scopes, rules.time, asTime) ?? null,
      look: null,
      lead: null,
    };
    switch (reading.meaning) {
      case 'analytics':
        return { ...reading, look: lookOf(payload, rules, read) };
      case 'lead_captured': {
        const lead = firstOf(scopes, rules.lead, asObject) ?? null;
        if (lead !== null) return { ...reading, lead };
        const names = rules.lead.map(pathText).join(', ');
        return { kind: 'unreadable', why: `it has no object of fields at ${names}` };
      }
      case 'ended':
      case 'ignored':
      case 'unknown':
        return reading;
    }
  };
}

/** A longer one is cut: no profile names it. */
const LONGEST_TYPE = 200;

/** The call id that a delivery is read to have; null: none. */
export function callIdOf(body: Uint8Array, contentType: string, rules: WebhookRules) {
  const scopes = scopesOf(payloadOf(body, contentType), rules.within);
  return idOf(scopes, rules.callId).id;
}

/** The name that the service gave a delivery in its body, the same whenever it is sent again; null: none. */
export function deliveryIdOf(
  body: Uint8Array,
  contentType: string,
  rules: WebhookRules,
): string | null {
  if (rules.deliveryId.length === 0) return null;
  const payload = payloadOf(body, contentType);
  return firstOf([payload], rules.deliveryId, asId) ?? null;
}

function meaningOf(type: string | null, { events }: WebhookRules) {
  const named = type === null ? undefined : events.get(normalizeWord(type));
  return named ?? events.get('*') ?? 'unknown';
}

/** What a look would have found; null where it is not to be seen here, and a look is needed. */
function lookOf(
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

function asObject(value: unknown): Record<string, unknown> | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Record<string, unknown>) : undefined;
}
