import { hash, randomBytes } from 'node:crypto';

/** Makes a text that cannot be guessed: 32 bytes of the system's secure source as 43 characters of base64url. */
export type NewSecret = () => string;

export const randomSecret: NewSecret = () => randomBytes(32).toString('base64url');

/**
 * What is kept of such a secret, in hex. A single SHA-256 is enough for 256 random bits, which nobody can try out; a
 * password needs a slow hash instead.
 */
export function secretHash(secret: string): string {
  return hash('sha256', secret);
}
