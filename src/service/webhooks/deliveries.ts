import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { DeliveryProtocol } from './delivery.ts';
import { encodeBody } from '../http/body.ts';
import { callIdOf, createDeliveryReader, deliveryIdOf } from './events.ts';
import type { Profile } from '../profile/profile.ts';
import type { WebhookRules } from '../profile/profile-webhooks.ts';
import { isFieldPath, readPath, writePath } from '../profile/read-fields.ts';
import { createMask } from '../http/secrets.ts';
import { createTypeScan } from './type-scan.ts';
import { createSigner, createVerifier, type Signer } from './signatures.ts';
import { coversBody, fieldIn, signedFields } from './signed-parts.ts';

/**
 * What one service sends by itself, ready to be received.
 *
 * @param secrets of the service, any of which may have signed; none: every delivery is unsigned
 * @param key of the service's API, which a delivery may repeat; null: it has none
 * @returns null where the profile knows of no webhooks
 * @throws AppError `WEBHOOK_SECRET_INVALID` (exit 2)
 */
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
  const kept = new Set([...KEPT, ...signatureHeaders(signature)]);
  return {
    proves,
    ips,
    verify: (headers, body, now, url) => {
      const check = verify(headers, body, now, url);
      if (proves !== 'fields' || check.kind === 'refused') return check;
      return isCallProved(headers, body, rules) ? check : NOT_PROVED;
    },
    idOf: (headers, body) => {
      // A name that anybody may have put there could be that of a delivery to come, which then were a repeated one.
      if (proves === 'fields') return null;
      const named = signature.scheme === 'standard' ? headers['webhook-id'] : undefined;
      if (typeof named === 'string' && named !== '') return shortened(mask(named));
      const id = deliveryIdOf(body, headers['content-type'] ?? '', rules);
      return id === null ? null : shortened(mask(id));
    },
    bodyToKeep: (body) => {
      // A sign for each byte: what is not masked stays as it came, whatever it is.
      const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1');
      const masked = mask(text);
      return masked === text ? body : Buffer.from(masked, 'latin1');
    },
    headersToKeep: (headers) => {
      const some: Record<string, string> = {};
      for (const [name, value] of Object.entries(headers)) {
        if (kept.has(name) && typeof value === 'string')
          some[name] = mask(value).slice(0, LONGEST_HEADER);
      }
      return some;
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

const NOT_PROVED = { kind: 'refused', why: 'signature_wrong' } as const;

/** The call that would be read must be the one that was signed, not another that stands beside it. */
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
 * A delivery of our own making, as the service would send it, for the test of the way here.
 *
 * @returns with the names under which the inbox may keep it
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
    keys: [id, keyOfBody(body)],
  };
}

/** The name of a delivery that has none: the same bytes are the same delivery. */
function keyOfBody(body: Uint8Array): string {
  return `sha256:${createHash('sha256').update(body).digest('hex')}`;
}

/** The type of a delivery that only tries the way. */
const TEST_TYPE = 'callsheet.test';

const KEPT = ['content-type', 'user-agent', 'webhook-id', 'webhook-timestamp', 'webhook-signature'];
const LONGEST_HEADER = 1_000;
const MB = 1_048_576;

/** A token is the secret itself: it is not kept. */
function signatureHeaders(rules: WebhookRules['signature']): string[] {
  if (rules.scheme !== 'hmac' && rules.scheme !== 'ed25519') return [];
  return rules.timestamp === undefined ? [rules.header] : [rules.header, rules.timestamp];
}

/** Names are keys of a table: a long one is told apart by its hash. */
function shortened(id: string): string {
  if (id.length <= LONGEST_ID) return id;
  return `sha256:${createHash('sha256').update(id).digest('hex')}`;
}
const LONGEST_ID = 200;
