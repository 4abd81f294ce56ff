import type { Profile } from '../profile/profile.ts';

/** Takes every known secret out of a text that came from outside. */
export type Mask = (text: string) => string;

/** What is put in place of a secret. */
const MASK = '[key]';
/** A shorter one may be an ordinary word: it is known only by where it stands. */
const SHORTEST_SURE = 8;

/**
 * Makes the mask for what one service sends: applied to the text of an answer or a delivery before anything is read
 * from it or kept. It knows a secret as it is, URL-encoded, escaped for JSON in any way, in hex, and in Base64 of whatever
 * stands before and after it (`Basic dXNlcjpwYXNz`).
 *
 * @param key of `user:password` both the whole and the password are secret; null: there is none
 * @param others secrets of its webhooks
 */
export function createMask(
  auth: Profile['auth'],
  key: string | null,
  others: readonly string[] = [],
): Mask {
  const all = [...(key === null ? [] : partsOf(key, auth.basic)), ...others.flatMap(withoutPrefix)];
  const secrets = [...new Set(all)].filter((secret) => secret !== '');
  if (secrets.length === 0) return (text) => text;
  const isSure = (secret: string) => secret.length >= SHORTEST_SURE;
  // The longest first: of a whole that is masked no part is left.
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

/** Without these signs nothing is escaped that need not be. */
const ESCAPES = ['\\u00', '\\/', '%'];

function partsOf(key: string, isBasic: boolean): string[] {
  const colon = isBasic ? key.indexOf(':') : -1;
  return colon < 0 ? [key] : [key, key.slice(colon + 1)];
}

/** Of a Standard Webhooks secret the part that is the key stands alone in some places. */
function withoutPrefix(secret: string): string[] {
  return secret.startsWith('whsec_') ? [secret, secret.slice('whsec_'.length)] : [secret];
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString('hex');
  // A delivery is looked at a byte a sign.
  const texts = [
    secret,
    bytes.toString('latin1'),
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
  ];
  return [...new Set([...texts, hex, hex.toUpperCase(), ...base64Cores(bytes)])];
}

/** Where a short secret can be nothing else: as the whole of a JSON value, or after the name of a scheme. */
function placesOf(secret: string): RegExp {
  const plain = secret.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  return new RegExp(
    `(?<=")${plain}(?="(?!\\s*:))|(?<=\\b(?:Bearer|Basic|Token) )${plain}(?!\\w)`,
    'g',
  );
}

/**
 * The characters of Base64 that the secret alone decides, for each of the three ways in which it can lie in the groups
 * of three bytes; in both alphabets (RFC 4648, 4 and 5).
 */
function base64Cores(secret: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), secret]);
    const from = Math.ceil((before * 8) / 6);
    const to = Math.floor((bytes.length * 8) / 6);
    return (['base64', 'base64url'] as const).map((as) => bytes.toString(as).slice(from, to));
  });
}

/** The same JSON, or the same address, with nothing escaped that need not be. */
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
