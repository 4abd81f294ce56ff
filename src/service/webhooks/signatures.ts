import type { IncomingHttpHeaders } from 'node:http';
import type { SignatureCheck } from './delivery.ts';
import { isForm } from '../http/form-fields.ts';
import type { SignatureRules } from '../profile/profile-webhooks.ts';
import { ed25519KeyOf, hmacOf, isSame, macBy, ownedBy, standardKeyOf } from './signature-keys.ts';
import type { Proof } from './signature-keys.ts';
import { coversBody, signedParts } from './signed-parts.ts';

/**
 * @param body as it came, before anything was read from it
 * @param now epoch ms
 * @param url the address that the service was given; some sign it
 */
export type Verifier = (
  headers: IncomingHttpHeaders,
  body: Uint8Array,
  now: number,
  url?: string,
) => SignatureCheck;

/** The headers that prove a body; `id` names the delivery where the scheme signs a name. */
export type Signer = (
  body: Uint8Array,
  id: string,
  now: number,
  url?: string,
) => Record<string, string>;

/**
 * Makes the check of one service's deliveries. A signature counts when one of the secrets made it, so that
 * secrets can be changed without a gap. Compared in constant time.
 *
 * @param secrets none: every delivery is unsigned
 * @throws AppError `WEBHOOK_SECRET_INVALID` (exit 2)
 */
export function createVerifier(rules: SignatureRules, secrets: readonly string[]): Verifier {
  if (rules.scheme === 'none' || secrets.length === 0) return () => UNSIGNED;
  if (rules.scheme === 'ed25519') {
    const isRight = ownedBy(secrets.map(ed25519KeyOf));
    return (headers, body, now, url = '') =>
      verifyParts(rules, isRight, headers, { body, now, url });
  }
  const keys = secrets.map((secret) => keyOf(rules, secret));
  switch (rules.scheme) {
    case 'standard':
      return (headers, body, now) => verifyStandard(rules, keys, headers, body, now);
    case 'hmac':
      return (headers, body, now, url = '') =>
        verifyParts(rules, macBy(rules.algorithm, keys), headers, { body, now, url });
    case 'token':
      return (headers) => {
        const given = textOf(headers, rules.header);
        if (given === undefined) return refused('signature_missing');
        const token = withoutPrefix(given, rules.prefix);
        return keys.some((key) => isSame(Buffer.from(token), key))
          ? SIGNED
          : refused('signature_wrong');
      };
  }
}

/**
 * The other side, for a delivery of our own making. With a public key nothing can be signed: no headers then.
 *
 * @throws AppError `WEBHOOK_SECRET_INVALID` (exit 2)
 */
export function createSigner(rules: SignatureRules, secret: string | undefined): Signer {
  if (rules.scheme === 'none' || rules.scheme === 'ed25519' || secret === undefined) {
    return () => ({});
  }
  const key = keyOf(rules, secret);
  switch (rules.scheme) {
    case 'standard':
      return (body, id, now) => {
        const timestamp = String(Math.floor(now / 1_000));
        const signature = hmacOf('sha256', key, [id, '.', timestamp, '.', body]).toString('base64');
        return {
          'webhook-id': id,
          'webhook-timestamp': timestamp,
          'webhook-signature': `v1,${signature}`,
        };
      };
    case 'hmac':
      return (body, _id, now, url = '') => {
        const timestamp = String(rules.unit === 'ms' ? now : Math.floor(now / 1_000));
        const parts = signedParts(rules.signed, { timestamp, body, url, contentType: '' }) ?? [];
        const signature = hmacOf(rules.algorithm, key, parts).toString(rules.encoding);
        const { fields } = rules;
        if (fields === undefined) {
          const time = rules.timestamp === undefined ? {} : { [rules.timestamp]: timestamp };
          return { ...time, [rules.header]: rules.prefix + signature };
        }
        const time = fields.timestamp === undefined ? '' : `${fields.timestamp}=${timestamp},`;
        return { [rules.header]: `${time}${fields.signature}=${rules.prefix}${signature}` };
      };
    case 'token':
      return () => ({ [rules.header]: rules.prefix + secret });
  }
}

const SIGNED: SignatureCheck = { kind: 'signed' };
const UNSIGNED: SignatureCheck = { kind: 'unsigned' };

function refused(why: Extract<SignatureCheck, { kind: 'refused' }>['why']): SignatureCheck {
  return { kind: 'refused', why };
}

type Standard = Extract<SignatureRules, { scheme: 'standard' }>;
/** What signs a text with the parts of a delivery in it. */
type InParts = Extract<SignatureRules, { scheme: 'hmac' | 'ed25519' }>;

function verifyStandard(
  rules: Standard,
  keys: readonly Buffer[],
  headers: IncomingHttpHeaders,
  body: Uint8Array,
  now: number,
): SignatureCheck {
  const id = textOf(headers, 'webhook-id');
  const timestamp = textOf(headers, 'webhook-timestamp');
  const signatures = textOf(headers, 'webhook-signature');
  if (id === undefined || timestamp === undefined || signatures === undefined) {
    return refused('signature_missing');
  }
  if (!isInTime(timestamp, 's', rules.tolerance, now)) return refused('time_wrong');
  // Several signatures stand in one header while the service changes its secret.
  const given = signatures
    .split(' ')
    .slice(0, MOST_SIGNATURES)
    .filter((each) => each.startsWith('v1,'))
    .map((each) => Buffer.from(each.slice(3), 'base64'));
  const parts = [id, '.', timestamp, '.', body];
  return checkOf(macBy('sha256', keys), parts, given);
}

/** A header with more of them wants to keep us busy. */
const MOST_SIGNATURES = 8;

function verifyParts(
  rules: InParts,
  isRight: Proof,
  headers: IncomingHttpHeaders,
  { body, now, url }: { body: Uint8Array; now: number; url: string },
): SignatureCheck {
  const value = textOf(headers, rules.header);
  if (value === undefined) return refused('signature_missing');
  const contentType = textOf(headers, 'content-type') ?? '';
  // Whatever is no form has no fields, and nothing of it would be signed.
  if (rules.signed.includes('{fields}') && !isForm(contentType)) {
    return refused('signature_wrong');
  }
  const fields = rules.fields === undefined ? undefined : fieldsOf(value);
  const timestamp =
    rules.fields?.timestamp === undefined
      ? rules.timestamp && textOf(headers, rules.timestamp)
      : fields?.find(([name]) => name === rules.fields?.timestamp)?.[1];
  const isTimed = rules.signed.includes('{timestamp}');
  if (isTimed && timestamp === undefined) return refused('signature_missing');
  if (isTimed && !isInTime(timestamp ?? '', rules.unit, rules.tolerance, now)) {
    return refused('time_wrong');
  }
  const texts =
    fields === undefined
      ? [value]
      : fields.filter(([name]) => name === rules.fields?.signature).map(([, text]) => text);
  const given = texts.map((text) => Buffer.from(withoutPrefix(text, rules.prefix), rules.encoding));
  const delivered = { timestamp: timestamp ?? '', body, url, contentType };
  const parts = signedParts(rules.signed, delivered);
  if (parts === null) return refused('signature_wrong');
  const check = checkOf(isRight, parts, given);
  // Who has seen one such delivery can send its field again with anything around it.
  return check.kind === 'signed' && !coversBody(rules.signed) ? UNSIGNED : check;
}

function checkOf(
  isRight: Proof,
  parts: readonly (string | Uint8Array)[],
  given: readonly Buffer[],
): SignatureCheck {
  if (isRight(parts, given)) return SIGNED;
  return refused(given.length === 0 ? 'signature_missing' : 'signature_wrong');
}

function isInTime(timestamp: string, unit: 's' | 'ms', toleranceS: number, now: number): boolean {
  if (!/^\d{1,15}$/.test(timestamp)) return false;
  const at = Number(timestamp) * (unit === 's' ? 1_000 : 1);
  return Math.abs(now - at) <= toleranceS * 1_000;
}

/** `t=1,v0=ab` as names and values; a name may stand there twice. */
function fieldsOf(value: string): [name: string, value: string][] {
  return value
    .split(',')
    .slice(0, MOST_SIGNATURES)
    .map((field) => {
      const at = field.indexOf('=');
      return [field.slice(0, Math.max(at, 0)).trim(), field.slice(at + 1).trim()];
    });
}

function withoutPrefix(text: string, prefix: string): string {
  return text.startsWith(prefix) ? text.slice(prefix.length) : text;
}

function textOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Standard Webhooks gives keys as `whsec_` and Base64; everywhere else a secret is its own bytes. */
function keyOf(rules: SignatureRules, secret: string): Buffer {
  return rules.scheme === 'standard' ? standardKeyOf(secret) : Buffer.from(secret);
}
