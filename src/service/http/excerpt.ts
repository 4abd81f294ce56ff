import { maskNumbers } from '../../domain/phone.ts';
import type { HttpAnswer } from './exchange.ts';

const LENGTH = 200;

/** What an answer says, for messages: the target of a redirect, otherwise the beginning of the body. Never empty. */
export function excerptOf({ status, location, text }: Received): string {
  if (!isRedirect(status) || location === undefined) return excerpt(text) || 'an empty body';
  // The query of a redirect may contain the key or a session id.
  return `a redirect to ${excerpt(location.replace(/[?#].*/s, ''))}, which is not followed`;
}

/** The statuses that redirect a client to another address (RFC 9110, 15.4). */
export function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

type Received = Pick<HttpAnswer, 'status' | 'text'> & Partial<Pick<HttpAnswer, 'location'>>;

/**
 * The first 200 characters on one line, phone numbers masked (our secrets were masked on arrival). Control characters
 * are removed: text from a service must not control the terminal that shows it.
 */
export function excerpt(text: string): string {
  // Mask before cutting: half a phone number must not be shown either.
  const line = text
    .slice(0, LENGTH + 40)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  const masked = maskNumbers(line);
  return masked.length > LENGTH ? `${masked.slice(0, LENGTH)}...` : masked;
}
