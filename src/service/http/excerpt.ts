import { maskNumbers } from '../../domain/phone.ts';
import type { HttpAnswer } from './exchange.ts';

const LENGTH = 200;

/** What an answer says, for messages: where a redirect leads to, else the beginning of its body. Never empty. */
export function excerptOf({ status, location, text }: Received): string {
  if (!isRedirect(status) || location === undefined) return excerpt(text) || 'an empty body';
  // Who redirects may have put the key, or a session, behind the question mark.
  return `a redirect to ${excerpt(location.replace(/[?#].*$/s, ''))}, which is not followed`;
}

/** A status of RFC 9110, 15.4, that sends the client elsewhere. */
export function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

type Received = Pick<HttpAnswer, 'status' | 'text'> & Partial<Pick<HttpAnswer, 'location'>>;

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
