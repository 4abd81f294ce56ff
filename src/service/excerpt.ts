import { maskNumbers } from '../domain/phone.ts';

const LENGTH = 200;

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
  const masked = maskNumbers(line);
  return masked.length > LENGTH ? `${masked.slice(0, LENGTH)}...` : masked;
}
