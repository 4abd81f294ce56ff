import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Account } from '../account.ts';
import { LONGEST_KEY } from '../options.ts';
import type { Simulation } from '../simulation.ts';
import { WireError } from './wire-error.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The account of the request's API key; set before any route runs. */
    account: Account;
  }
}

/** Tests read here which phones really rang, so this path is exempt from the rate limit. */
export const LEDGER_PATH = '/ledger';

/** Authenticates a request and applies the rate limit. @throws WireError 401, 429 */
export function gatekeeper({ accounts }: Simulation): (request: FastifyRequest) => void {
  const keyring = [...accounts].map(([key, account]) => ({ padded: padded(key), account }));

  /** Compares the key with every known key in constant time. */
  function accountOf(key: string): Account {
    const given = padded(key);
    const matches = keyring.filter((known) => timingSafeEqual(known.padded, given));
    const account = key.length > LONGEST_KEY ? undefined : matches[0]?.account;
    if (account !== undefined) return account;
    throw new WireError(401, 'unauthorized', 'This API key is not known.');
  }

  return (request) => {
    const key = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (key === undefined) {
      const message = 'Send your API key as "Authorization: Bearer <API_KEY>".';
      throw new WireError(401, 'unauthorized', message);
    }
    request.account = accountOf(key);
    if (request.routeOptions.url === LEDGER_PATH) return;
    const waitMs = request.account.takeRequest();
    if (waitMs > 0) throw rateLimited(Math.ceil(waitMs / 1_000));
  };
}

export function rateLimited(retryAfterS: number): WireError {
  const message = 'Too many requests; wait as long as Retry-After says.';
  return new WireError(429, 'rate_limited', message, { retryAfterS });
}

/** Pads a key with zero bytes to a fixed length. Keys contain no zero byte, so two different keys stay different. */
function padded(key: string): Buffer {
  const bytes = Buffer.alloc(LONGEST_KEY);
  bytes.write(key, 'latin1');
  return bytes;
}
