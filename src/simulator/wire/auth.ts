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

/** Tests read what really happened here: it is exempt from the rate limit. */
export const LEDGER_PATH = '/ledger';

/** The description is readable without a key. */
export const OPENAPI_PATH = '/openapi.json';

/** Authenticates a request and applies the rate limit. @throws WireError 401, 429 */
export function gatekeeper(simulation: Simulation): (request: FastifyRequest) => void {
  const keyring = simulation.options.keys.flatMap((key) => {
    const account = simulation.accountOf(key);
    return account === undefined ? [] : [{ padded: padded(key), account }];
  });
  return (request) => {
    if (request.routeOptions.url === OPENAPI_PATH) return;
    request.account = accountFor(request.headers.authorization, keyring);
    if (request.routeOptions.url !== LEDGER_PATH) countRequest(request.account);
  };
}

interface Keyed {
  padded: Buffer;
  account: Account;
}

/** Compares with every key in constant time. */
function accountFor(authorization: string | undefined, keyring: readonly Keyed[]): Account {
  const key = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  if (key === undefined) {
    const message = 'Send your API key as "Authorization: Bearer <API_KEY>".';
    throw new WireError({ status: 401, code: 'unauthorized', message });
  }
  const given = padded(key);
  const matches = keyring.filter((known) => timingSafeEqual(known.padded, given));
  const account = key.length > LONGEST_KEY ? undefined : matches[0]?.account;
  if (account !== undefined) return account;
  throw new WireError({ status: 401, code: 'unauthorized', message: 'This API key is not known.' });
}

function countRequest(account: Account): void {
  const waitMs = account.limiter?.take() ?? 0;
  if (waitMs === 0) return;
  throw new WireError({
    status: 429,
    code: 'rate_limited',
    message: 'Too many requests; wait as long as Retry-After says.',
    retryAfterS: Math.ceil(waitMs / 1_000),
  });
}

/** Keys contain no zero byte, so two different keys stay different. */
function padded(key: string): Buffer {
  const bytes = Buffer.alloc(LONGEST_KEY);
  bytes.write(key, 'latin1');
  return bytes;
}
