import { hash, randomBytes, randomUUID } from 'node:crypto';

/** A source of random numbers in [0, 1), passed as a value so that tests can replace it. */
export type Random = () => number;

export const systemRandom: Random = () => Math.random();

/**
 * A repeatable sequence from a text seed: FNV-1a into mulberry32. Good enough for simulation and jitter, not for
 * secrets.
 */
export function seededRandom(seed: string): Random {
  let state = seedHash(seed);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function seedHash(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h >>> 0;
}

/** Makes ids such as `cmp_5f0c...`; passed as a value, so that tests can use predictable ids. */
export type NewId = (prefix: string) => string;

export const randomId: NewId = (prefix) => `${prefix}_${randomUUID().replaceAll('-', '')}`;

/** The first `length` hex digits of the SHA-256 over `parts`, joined by a byte that occurs in none of them. */
export function shortHash(parts: readonly (string | number)[], length = 32): string {
  return hash('sha256', parts.join('\u001f')).slice(0, length);
}

/** Makes a text that cannot be guessed: 32 bytes of the system's secure source as 43 characters of base64url. */
type NewSecret = () => string;

export const randomSecret: NewSecret = () => randomBytes(32).toString('base64url');

/**
 * The stored form of such a secret, in hex. A single SHA-256 is enough for 256 random bits, which nobody can try out; a
 * password needs a slow hash instead.
 */
export function secretHash(secret: string): string {
  return hash('sha256', secret);
}
