import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { createTypeScan, textOf, type DeliveryProtocol } from './delivery.ts';
import { encodeBody } from '../http/body.ts';
import { callIdOf, createDeliveryReader, deliveryIdOf } from './events.ts';
import type { Profile } from '../profile/profile.ts';
import type { WebhookRules } from '../profile/profile-webhooks.ts';
import { coversBody, isFieldPath, readPath, writePath } from '../profile/read-fields.ts';
import { createMask } from '../http/secrets.ts';
import { createSigner, createVerifier, fieldIn, signedFields, type Signer } from './signatures.ts';

export function createDeliveryProtocol(
  profile: Profile,
  secrets: readonly string[],
  key: string | null = null,
): DeliveryProtocol | null {
  const { webhooks: rules, analytics } = profile;
  if (rules === undefined) return null;
  const { signature, ips, unneeded } = rules;
  const proves = whatIsProved(signature, secrets);
  const verify = createVerifier(signature, secrets);
  const read = createDeliveryReader(rules, analytics);
  const mask = createMask(profile.auth, key, secrets);
  // The header of a token is not stored, because it contains the secret itself.
  const signedIn = 'signed' in signature ? [signature.header, signature.timestamp] : [];
  const kept = new Set([...KEPT, ...signedIn]);
  return {
    proves,
    ips,
    verify: (headers, body, now, url) => {
      const check = verify(headers, body, now, url);
      if (proves !== 'fields' || check.kind === 'refused') return check;
      const isProved = isCallProved(headers, body, rules);
      return isProved ? check : { kind: 'refused', why: 'signature_wrong' };
    },
    idOf: (headers, body) => {
      // An unsigned id could be forged: a later, genuine delivery with that id would then count as a duplicate.
      if (proves === 'fields') return null;
      const named = signature.scheme === 'standard' ? headers['webhook-id'] : undefined;
      const isNamed = typeof named === 'string' && named !== '';
      const id = isNamed ? named : deliveryIdOf(body, headers['content-type'] ?? '', rules);
      if (id === null) return null;
      const masked = mask(id);
      return masked.length <= LONGEST_ID ? masked : hashOf(masked);
    },
    bodyToKeep: (body) => {
      // With one character for each byte, everything that is not masked stays unchanged.
      const text = textOf(body, 'latin1');
      const masked = mask(text);
      return masked === text ? body : Buffer.from(masked, 'latin1');
    },
    headersToKeep: (headers) => {
      const some = Object.entries(headers).flatMap(([name, value]) =>
        kept.has(name) && typeof value === 'string'
          ? [[name, mask(value).slice(0, LONGEST_HEADER)]]
          : [],
      );
      return Object.fromEntries(some) as Record<string, string>;
    },
    unneeded:
      unneeded === undefined
        ? null
        : { largestBytes: unneeded.largest * MB, scan: () => createTypeScan(rules) },
    read: (body, headers) => read(body, headers['content-type'] ?? ''),
  };
}

function whatIsProved(
  signature: WebhookRules['signature'],
  secrets: readonly string[],
): DeliveryProtocol['proves'] {
  if (signature.scheme === 'none' || secrets.length === 0) return 'nothing';
  return signature.scheme !== 'hmac' || coversBody(signature.signed) ? 'all' : 'fields';
}

/** The call id that is read must be the signed one, not another id in the same body. */
function isCallProved(headers: IncomingHttpHeaders, body: Uint8Array, rules: WebhookRules) {
  const contentType = headers['content-type'] ?? '';
  const callId = callIdOf(body, contentType, rules);
  return (
    callId === null || signedFieldsOf(rules).some((at) => fieldIn(body, contentType, at) === callId)
  );
}

function signedFieldsOf({ signature }: WebhookRules) {
  return signature.scheme === 'hmac' ? signedFields(signature.signed) : [];
}

/**
 * Makes a delivery as the service would send it, to test whether deliveries arrive.
 * @returns `keys`: the ids under which the inbox may store it
 */
export function createTestDelivery(
  { webhooks: rules }: Profile,
  secret: string | undefined,
  { id, now, url }: { id: string; now: number; url: string },
): { body: Buffer; headers: Record<string, string>; keys: readonly string[] } {
  const timestamp = new Date(now).toISOString();
  const fields: Record<string, unknown> = { type: TEST_TYPE, id, timestamp };
  const [typeAt] = rules?.type ?? [];
  const [within] = rules?.within ?? [];
  if (isFieldPath(typeAt) && isFieldPath(within)) {
    writePath(fields, [...within, ...typeAt], TEST_TYPE);
  }
  for (const at of rules === undefined ? [] : signedFieldsOf(rules)) {
    if (readPath(fields, at) === undefined) writePath(fields, at, id);
  }
  const signature = rules?.signature;
  const as =
    signature?.scheme === 'hmac' && signature.signed.includes('{fields}') ? 'form' : 'json';
  const { text, contentType } = encodeBody(fields, as);
  const body = Buffer.from(text);
  const sign: Signer = signature === undefined ? () => ({}) : createSigner(signature, secret);
  return {
    body,
    headers: { 'content-type': contentType, ...sign(body, id, now, url) },
    // The inbox identifies a delivery without an id by the hash of its bytes.
    keys: [id, hashOf(body)],
  };
}

const TEST_TYPE = 'callsheet.test';

const KEPT = ['content-type', 'user-agent', 'webhook-id', 'webhook-timestamp', 'webhook-signature'];
const LONGEST_HEADER = 1_000;
const MB = 1_048_576;

/** Ids of deliveries are keys of a table: a longer id is replaced by its hash. */
const LONGEST_ID = 200;

function hashOf(data: string | Buffer): string {
  return `sha256:${hash('sha256', data)}`;
}
