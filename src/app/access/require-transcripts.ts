import { AppError } from '../../runtime/errors.ts';
import type { Identity } from './identity.ts';

type Asking = Pick<Identity, 'who' | 'transcripts'>;

/**
 * Refuses who may not read whole numbers and what was said.
 *
 * @param what begins the sentence, e.g. `The results`
 * @throws AppError `NOT_ALLOWED`
 */
export function requireTranscripts({ who, transcripts }: Asking, what: string): void {
  if (transcripts) return;
  throw notAllowed(`${what} hold whole numbers and what was said, which ${who} may not read.`);
}

/**
 * Refuses to search for a part of a number on behalf of somebody who sees masked numbers: digit by digit, the answers
 * would give them away. Whoever has the whole number, from its `+` on, may look it up.
 *
 * @throws AppError `NOT_ALLOWED`
 */
export function requireSearchable({ who, transcripts }: Asking, text: string): void {
  if (transcripts || !text.split(/\s+/).some((word) => digitsIn(word) >= TELLING_DIGITS)) return;
  if (/^\+[\d\s()./-]+$/.test(text.trim()) && digitsIn(text) >= SHORTEST_NUMBER) return;
  throw notAllowed(`${who} finds people by words, or by a whole number from its + on.`);
}

const SHORTEST_NUMBER = 7;
/** Fewer digits tell nothing of a number. */
const TELLING_DIGITS = 3;

function digitsIn(text: string): number {
  return text.replaceAll(/\P{Nd}/gu, '').length;
}

function notAllowed(message: string): AppError {
  const hint = 'an admin may allow it: `callsheet users set NAME --role viewer --transcripts`';
  return new AppError('NOT_ALLOWED', message, { hint });
}
