import { createAnalyticsReader } from '../calls/analytics.ts';
import { payloadOf, type DeliveryEvent, type DeliveryReading } from './delivery.ts';
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
  callScopes,
  isFieldPath,
  scopesOf,
  unwrapped,
} from '../profile/read-fields.ts';
import type { OnFound, Scopes } from '../profile/read-fields.ts';
import type { UnknownWord } from '../../domain/lead.ts';
import { unreadField } from '../calls/transcript.ts';
import { normalizeWord } from '../../text/fold-words.ts';

/**
 * Makes the reader of one service's deliveries. Anybody may have sent the bytes: the reader never throws, and says why
 * something cannot be read.
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
    // What is dropped unread is found while its bytes come in, where nothing is unwrapped.
    const scopesIn = rules.unneeded === undefined ? callScopes : scopesOf;
    const scopes = scopesIn(payload, rules.within, onFound);
    if (scopes.length === 0) {
      return { kind: 'unreadable', why: 'the body is no JSON object and no form' };
    }
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
    const unknown = strange(reading, scopes, rules);
    if (unknown !== undefined) reading.unknown = unknown;
    if (reading.meaning === 'analytics') {
      return { ...reading, found: foundIn(unwrapped(payload), rules, read) };
    }
    if (reading.meaning !== 'lead_captured') return reading;
    const own = firstOf(scopes, rules.lead, (value) => asObject(unwrapped(value)));
    const lead = own ?? restOf(scopes, rules);
    if (lead !== null) return { ...reading, lead };
    return { kind: 'unreadable', why: `it has no object of fields at ${pathTexts(rules.lead)}` };
  };
}

/** The fields of a lead beside those of the event: all that have no other meaning. */
function restOf(scopes: Scopes, rules: WebhookRules): Record<string, unknown> | null {
  const { within, type, deliveryId, time, callId, attemptKey, phone, agent } = rules;
  const read = [within, type, deliveryId, time, callId, attemptKey, phone, agent].flat();
  const names = new Set(read.flatMap((path) => (isFieldPath(path) ? (path[0] ?? []) : [])));
  const all = scopes.flatMap((scope) => Object.entries(asObject(scope) ?? {}));
  const rest = all.filter(([name]) => !names.has(name));
  return rest.length === 0 ? null : Object.fromEntries(rest);
}

/** The part of an event that the profile does not understand: its type, or its call. */
function strange(
  { type, meaning, callId, attemptKey }: DeliveryEvent,
  scopes: Scopes,
  rules: WebhookRules,
): UnknownWord | undefined {
  if (meaning === 'unknown' && type === null) return unreadField(scopes, 'type', rules.type)[0];
  if (meaning === 'unknown') {
    const as = /lead|contact|captur|qualif/i.test(type ?? '') ? 'lead_captured' : 'ended';
    return { of: 'event', word: type ?? '', as };
  }
  if (meaning === 'ignored' || (callId ?? attemptKey) !== null) return undefined;
  const [found] = unreadField(scopes, 'id', rules.callId);
  return found && { ...found, of: 'eventCall' };
}

/** A longer type is cut off, because no profile names a type this long. */
const LONGEST_TYPE = 200;

/** The call id in a delivery; null: the delivery has no usable one. */
export function callIdOf(body: Uint8Array, contentType: string, rules: WebhookRules) {
  const scopes = callScopes(payloadOf(body, contentType), rules.within);
  return idOf(scopes, rules.callId).id;
}

/** The same in every retry; null: the body has no id. */
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
    // The event itself says that the call is over.
    const reading = read(at, undefined, true);
    // A transcript that is elsewhere is read from the service.
    if (reading.kind === 'settled' && reading.transcriptAt !== undefined) return null;
    if (reading.kind !== 'unreadable') return reading;
  }
  return null;
}
