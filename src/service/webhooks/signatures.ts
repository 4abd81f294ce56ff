import {
  createHmac,
  createPublicKey,
  hash,
  timingSafeEqual,
  verify,
  type KeyObject,
} from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

import { own } from '../../domain/safe-text.ts';
import { usageError, type AppError } from '../../runtime/errors.ts';
import { epochMs } from '../profile/expressions.ts';
import type { SignatureRules } from '../profile/profile-webhooks.ts';
import {
  asId,
  coversBody,
  parseFieldPath,
  readPath,
  type FieldPath,
} from '../profile/read-fields.ts';
import {
  isForm,
  payloadOf,
  sortedFields,
  type DeliveryProtocol,
  type SignatureCheck,
} from './delivery.ts';

/** Makes the headers that sign a body; `id`: the delivery's id, which some schemes sign. */
export type Signer = (
  body: Uint8Array,
  id: string,
  now: number,
  url?: string,
) => Record<string, string>;

/**
 * Makes the check of one service's signatures. Any of the secrets may have made a signature, so that secrets can be
 * rotated without a gap. Signatures are compared in constant time.
 * @param secrets none: every delivery is unsigned
 */
export function createVerifier(
  rules: SignatureRules,
  secrets: readonly string[],
): DeliveryProtocol['verify'] {
  if (rules.scheme === 'none' || secrets.length === 0) return () => UNSIGNED;
  if (rules.scheme === 'standard') {
    const isRight = macBy('sha256', secrets.map(standardKeyOf));
    return (headers, body, now) => verifyStandard(rules, isRight, headers, body, now);
  }
  const keys = secrets.map((secret) => Buffer.from(secret));
  if (rules.scheme === 'token') {
    return (headers) => {
      const given = textOf(headers, rules.header);
      if (given === undefined) return refused('signature_missing');
      const token = Buffer.from(withoutPrefix(given, rules.prefix));
      return keys.some((key) => isSame(token, key)) ? SIGNED : refused('signature_wrong');
    };
  }
  const isRight =
    rules.scheme === 'hmac' ? macBy(rules.algorithm, keys) : ownedBy(secrets.map(ed25519KeyOf));
  return (headers, body, now, url = '') => verifyParts(rules, isRight, headers, { body, now, url });
}

/**
 * Makes the function that signs as the service does, for test deliveries. A public key cannot sign: with Ed25519 there
 * are no headers.
 */
export function createSigner(rules: SignatureRules, secret: string | undefined): Signer {
  if (rules.scheme === 'none' || rules.scheme === 'ed25519' || secret === undefined) {
    return () => ({});
  }
  if (rules.scheme === 'token') return () => ({ [rules.header]: rules.prefix + secret });
  if (rules.scheme === 'standard') {
    const key = standardKeyOf(secret);
    return (body, id, now) => {
      const timestamp = String(Math.floor(now / 1_000));
      const signature = hmacOf('sha256', key, [id, '.', timestamp, '.', body]).toString('base64');
      return {
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${signature}`,
      };
    };
  }
  const key = Buffer.from(secret);
  return (body, _id, now, url = '') => {
    const timestamp = stampOf(rules.unit, now);
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
}

const SIGNED: SignatureCheck = { kind: 'signed' };
const UNSIGNED: SignatureCheck = { kind: 'unsigned' };

function refused(why: Extract<SignatureCheck, { kind: 'refused' }>['why']): SignatureCheck {
  return { kind: 'refused', why };
}

function verifyStandard(
  { tolerance }: Extract<SignatureRules, { scheme: 'standard' }>,
  isRight: Proof,
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
  if (!isInTime(timestamp, 's', tolerance, now)) return refused('time_wrong');
  // The header contains several signatures while the service rotates its secret.
  const given = signatures
    .split(' ')
    .slice(0, MOST_SIGNATURES)
    .filter((each) => each.startsWith('v1,'))
    .map((each) => Buffer.from(each.slice(3), 'base64'));
  return checkOf(isRight, [id, '.', timestamp, '.', body], given);
}

/** A header with more signatures is an attempt to make us waste computing time. */
const MOST_SIGNATURES = 8;

/** Verifies the schemes that sign a template filled with parts of the delivery. */
function verifyParts(
  rules: Extract<SignatureRules, { scheme: 'hmac' | 'ed25519' }>,
  isRight: Proof,
  headers: IncomingHttpHeaders,
  { body, now, url }: { body: Uint8Array; now: number; url: string },
): SignatureCheck {
  const value = textOf(headers, rules.header);
  if (value === undefined) return refused('signature_missing');
  const contentType = textOf(headers, 'content-type') ?? '';
  // A body that is not a form has no fields, so nothing in it would be signed.
  if (rules.signed.includes('{fields}') && !isForm(contentType)) {
    return refused('signature_wrong');
  }
  const fields = rules.fields === undefined ? undefined : fieldsOf(value);
  const timestamp =
    rules.fields?.timestamp === undefined
      ? rules.timestamp && textOf(headers, rules.timestamp)
      : fields?.find(([name]) => name === rules.fields?.timestamp)?.[1];
  if (rules.signed.includes('{timestamp}')) {
    if (timestamp === undefined) return refused('signature_missing');
    if (!isInTime(timestamp, rules.unit, rules.tolerance, now)) return refused('time_wrong');
  }
  const texts =
    fields === undefined
      ? value.split(',').slice(0, MOST_SIGNATURES)
      : fields.filter(([name]) => name === rules.fields?.signature).map(([, text]) => text);
  const given = texts.map((text) =>
    Buffer.from(withoutPrefix(text.trim(), rules.prefix), rules.encoding),
  );
  const delivered = { timestamp: timestamp ?? '', body, url, contentType };
  const parts = signedParts(rules.signed, delivered);
  if (parts === null) return refused('signature_wrong');
  const check = checkOf(isRight, parts, given);
  // Only a field is signed: anybody who has seen such a delivery can resend that field with a different body.
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

type Unit = 's' | 'ms' | 'iso';

function isInTime(timestamp: string, unit: Unit, toleranceS: number, now: number): boolean {
  if (/^\d{1,15}$/.test(timestamp) !== (unit !== 'iso')) return false;
  const at = unit === 'iso' ? epochMs(timestamp) : Number(timestamp) * (unit === 's' ? 1_000 : 1);
  return Math.abs(now - at) <= toleranceS * 1_000;
}

function stampOf(unit: Unit, now: number): string {
  if (unit === 'iso') return new Date(now).toISOString();
  return String(unit === 'ms' ? now : Math.floor(now / 1_000));
}

/** Parses `t=1,v0=ab` into names and values; a name may occur twice. */
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
  const value = own(headers, name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The key of a Standard Webhooks secret, which comes as `whsec_` and Base64. */
function standardKeyOf(secret: string): Buffer {
  const base64 = secret.startsWith('whsec_') ? secret.slice('whsec_'.length) : secret;
  const key = Buffer.from(base64, 'base64');
  if (key.length >= 16 && BASE64.test(base64)) return key;
  throw invalid(
    'The webhook secret is not one of Standard Webhooks: those begin with whsec_, followed by at least 16 bytes in Base64.',
  );
}

/** The public key of a service that signs with Ed25519 (RFC 8032): 32 bytes in Base64. */
function ed25519KeyOf(secret: string): KeyObject {
  const bytes = Buffer.from(secret, 'base64');
  if (bytes.length !== 32 || !BASE64.test(secret)) {
    throw invalid(
      'The webhook secret is no public key for Ed25519: it is 32 bytes in Base64, 44 characters.',
    );
  }
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') };
  return createPublicKey({ key: jwk, format: 'jwk' });
}

/** Whether one of the given signatures is valid for the signed parts. */
type Proof = (parts: readonly (string | Uint8Array)[], given: readonly Buffer[]) => boolean;

/** A signature is valid if it was made with the private key of one of these public keys. */
function ownedBy(keys: readonly KeyObject[]): Proof {
  return (parts, given) => {
    const signed = Buffer.concat(parts.map((part) => Buffer.from(part)));
    return given.some((signature) => keys.some((key) => verify(null, signed, key, signature)));
  };
}

/** A signature is valid if it was made with one of these secrets. */
function macBy(algorithm: string, keys: readonly Buffer[]): Proof {
  return (parts, given) =>
    keys.some((key) => {
      const expected = hmacOf(algorithm, key, parts);
      return given.some((signature) => isSame(signature, expected));
    });
}

function hmacOf(algorithm: string, key: Buffer, parts: readonly (string | Uint8Array)[]): Buffer {
  const hmac = createHmac(algorithm, key);
  for (const part of parts) hmac.update(part);
  return hmac.digest();
}

/** Compares in constant time, whatever the content and the length. */
function isSame(given: Uint8Array, expected: Uint8Array): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', expected, 'buffer'));
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

function invalid(sentence: string): AppError {
  return usageError(
    'WEBHOOK_SECRET_INVALID',
    sentence,
    "copy it again from the service's settings, in full",
  );
}

/** What a signature covers: `{timestamp}.{body}`, `{url}{fields}`, `{body.call_id}`. */

/** One field of the body: signed alone, it proves only itself. */
const FIELD = /^\{body\.([^{}]+)\}$/;
const PARTS = /(\{(?:body(?:\.[^{}]+)?|timestamp|url|fields)\})/;

interface Delivered {
  timestamp: string;
  body: Uint8Array;
  contentType: string;
  /** The address that the service posts to. */
  url: string;
}

/** The single fields of the body in a template. */
export function signedFields(template: string): FieldPath[] {
  return template.split(PARTS).flatMap((part) => {
    const [, name] = FIELD.exec(part) ?? [];
    return name === undefined ? [] : [parseFieldPath(name)];
  });
}

/**
 * The template's parts, filled in. The body stays bytes: decoding it could change what was signed.
 * @returns null if a field does not exist: nothing can have been signed then
 */
function signedParts(
  template: string,
  { timestamp, body, contentType, url }: Delivered,
): (string | Uint8Array)[] | null {
  const parts = template.split(PARTS).map((part) => {
    if (part === '{body}') return body;
    if (part === '{timestamp}') return timestamp;
    if (part === '{url}') return url;
    if (part === '{fields}') return sortedFields(body);
    const [, name] = FIELD.exec(part) ?? [];
    return name === undefined ? part : fieldIn(body, contentType, parseFieldPath(name));
  });
  return parts.every((part) => part !== null) ? parts : null;
}

/** The text of a field; null if the field does not exist or is blank. */
export function fieldIn(body: Uint8Array, contentType: string, path: FieldPath): string | null {
  return asId(readPath(payloadOf(body, contentType), path)) ?? null;
}
