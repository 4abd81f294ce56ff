import { maskPhone } from '../domain/phone.ts';

/** Makes text that came from outside fit for a message. */
export type Excerpt = (text: string) => string;

const LENGTH = 200;
/** Seven digits or more as they stand in phone numbers, with an optional plus and separators; no ISO dates. */
const PHONE = /(?<!\d)(?!\d{4}-\d\d-\d\d(?!\d))\+?\d(?:[ ().-]{0,3}\d){6,}/g;

/**
 * The first 200 characters on one line, the key and phone numbers masked. Control characters go: what a
 * service sends must not steer the terminal that shows it.
 */
export function createExcerpt(key: string): Excerpt {
  return (text) => {
    // Mask first, cut then: half a key is a secret too.
    const start = text.slice(0, LENGTH + key.length + 40);
    const line = start.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
    const masked = maskKey(line, key).replace(PHONE, maskPhone);
    return masked.length > LENGTH ? `${masked.slice(0, LENGTH)}...` : masked;
  };
}

export function maskKey(text: string, key: string): string {
  return text.replaceAll(key, '[key]').replaceAll(encodeURIComponent(key), '[key]');
}
