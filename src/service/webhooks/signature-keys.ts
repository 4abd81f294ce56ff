import { createHmac, createPublicKey, hash, timingSafeEqual, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { type AppError, usageError } from '../../runtime/errors.ts';

/**
 * The key of a Standard Webhooks secret, which comes as `whsec_` and Base64.
 *
 * @throws AppError `WEBHOOK_SECRET_INVALID` (exit 2)
 */
export function standardKeyOf(secret: string): Buffer {
  const base64 = secret.startsWith('whsec_') ? secret.slice('whsec_'.length) : secret;
  const key = Buffer.from(base64, 'base64');
  if (key.length >= 16 && BASE64.test(base64)) return key;
  throw invalid(
    'The webhook secret is not one of Standard Webhooks: those begin with whsec_, followed by at least 16 bytes in Base64.',
  );
}

/**
 * The public key of a service that signs with Ed25519 (RFC 8032): 32 bytes in Base64.
 *
 * @throws AppError `WEBHOOK_SECRET_INVALID` (exit 2)
 */
export function ed25519KeyOf(secret: string): KeyObject {
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
export type Proof = (parts: readonly (string | Uint8Array)[], given: readonly Buffer[]) => boolean;

/** A signature is valid if it was made with the private key of one of these public keys. */
export function ownedBy(keys: readonly KeyObject[]): Proof {
  return (parts, given) => {
    const signed = Buffer.concat(parts.map((part) => Buffer.from(part)));
    return given.some((signature) => keys.some((key) => verify(null, signed, key, signature)));
  };
}

/** A signature is valid if it was made with one of these secrets. */
export function macBy(algorithm: string, keys: readonly Buffer[]): Proof {
  return (parts, given) =>
    keys.some((key) => {
      const expected = hmacOf(algorithm, key, parts);
      return given.some((signature) => isSame(signature, expected));
    });
}

export function hmacOf(
  algorithm: string,
  key: Buffer,
  parts: readonly (string | Uint8Array)[],
): Buffer {
  const hmac = createHmac(algorithm, key);
  for (const part of parts) hmac.update(part);
  return hmac.digest();
}

/** Compares in constant time, whatever the content and the length. */
export function isSame(given: Uint8Array, expected: Uint8Array): boolean {
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
