import type { Profile } from '../profile/profile.ts';

/** Replaces every known secret in a text that came from outside. */
export type Mask = (text: string) => string;

const MASK = '[key]';
/** A shorter secret may be an ordinary word: it is masked only where nothing but a secret can be (`placesOf`). */
const SHORTEST_SURE = 8;

/**
 * Makes the mask that is applied to every answer and delivery before it is read or kept. Finds a secret as plain text,
 * URL-encoded, escaped for JSON, in hex, and inside Base64 with other text around it.
 * @param key for Basic authentication, both the whole `user:password` and the password are secret; null: there is no
 *   key
 * @param others the service's webhook secrets
 */
export function createMask(
  auth: Profile['auth'],
  key: string | null,
  others: readonly string[] = [],
): Mask {
  const own = key === null ? [] : [key, ...(auth.basic ? [key.replace(/^[^:]*:/, '')] : [])];
  // The key part of a Standard Webhooks secret may appear without its prefix.
  const all = [...own, ...others.flatMap((secret) => [secret, secret.replace(/^whsec_/, '')])];
  const secrets = [...new Set(all)].filter((secret) => secret !== '');
  if (secrets.length === 0) return (text) => text;
  const isSure = (secret: string) => secret.length >= SHORTEST_SURE;
  // Sorted with the longest first, so that no part of a longer secret remains.
  const forms = secrets
    .filter(isSure)
    .flatMap(formsOf)
    .toSorted((a, b) => b.length - a.length);
  const unsure = secrets.filter((secret) => !isSure(secret)).map(placesOf);
  const maskIn = (text: string) => {
    let masked = text;
    for (const form of forms) if (masked.includes(form)) masked = masked.replaceAll(form, MASK);
    for (const place of unsure) masked = masked.replace(place, MASK);
    return masked;
  };
  return (text) => {
    const masked = maskIn(text);
    if (!ESCAPES.some((sign) => masked.includes(sign))) return masked;
    const plain = withoutEscapes(masked);
    const maskedPlain = maskIn(plain);
    return maskedPlain === plain ? masked : maskedPlain;
  };
}

/** Every escape that JSON or a URL allows but does not need contains one of these. */
const ESCAPES = ['\\u00', '\\/', '%'];

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString('hex');
  // Deliveries are searched as latin1, one character for each byte.
  const texts = [
    secret,
    bytes.toString('latin1'),
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
  ];
  return [...new Set([...texts, hex, hex.toUpperCase(), ...base64Cores(bytes)])];
}

/** Matches a short secret only as a whole JSON value, or after the name of an authentication scheme. */
function placesOf(secret: string): RegExp {
  const plain = secret.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  return new RegExp(
    `(?<=")${plain}(?="(?!\\s*:))|(?<=\\b(?:Bearer|Basic|Token) )${plain}(?!\\w)`,
    'g',
  );
}

/**
 * The Base64 characters that depend on the secret alone, for each of the three ways in which the secret can be aligned
 * to groups of three bytes; in both alphabets (RFC 4648, 4 and 5).
 */
function base64Cores(secret: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), secret]);
    const from = Math.ceil((before * 8) / 6);
    const to = Math.floor((bytes.length * 8) / 6);
    return (['base64', 'base64url'] as const).map((as) => bytes.toString(as).slice(from, to));
  });
}

/** The same JSON or URL without unnecessary escapes. */
function withoutEscapes(text: string): string {
  return text
    .replace(/\\(?:u00([2-7][0-9a-f])|([^]))/gi, (whole, code?: string, sign?: string) => {
      if (code === undefined) return sign === '/' ? '/' : whole;
      const plain = String.fromCharCode(Number.parseInt(code, 16));
      return plain === '"' || plain === '\\' ? `\\${plain}` : plain;
    })
    .replace(/%([2-7][0-9a-f])/gi, (whole, code: string) => {
      const plain = String.fromCharCode(Number.parseInt(code, 16));
      return /[\w.~-]/.test(plain) ? plain : whole.toUpperCase();
    });
}
