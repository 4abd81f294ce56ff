import { maskPhone } from '../domain/phone.ts';

const LENGTH = 200;
/** Seven digits or more as they stand in phone numbers, with an optional plus and separators; no ISO dates. */
const PHONE = /(?<!\d)(?!\d{4}-\d\d-\d\d(?!\d))\+?\d(?:[ ().-]{0,3}\d){6,}/g;

/**
 * The first 200 characters on one line, phone numbers masked (secrets of ours were, when it came). Control characters
 * go: what a service sends must not steer the terminal that shows it.
 */
export function excerpt(text: string): string {
  // Mask first, cut then: half a number is one, too.
  const line = text
    .slice(0, LENGTH + 40)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  const masked = line.replace(PHONE, maskPhone);
  return masked.length > LENGTH ? `${masked.slice(0, LENGTH)}...` : masked;
}
