import type { FastifyInstance } from 'fastify';
import { AppError } from '../../runtime/errors.ts';

/** By which addresses browsers may reach the console. */
export interface Addresses {
  /** Names in the Host header, with the port unless it is the scheme's own, e.g. `127.0.0.1:4281`. */
  hosts: ReadonlySet<string>;
  /** Origins of its own pages, e.g. `http://127.0.0.1:4281`. */
  origins: ReadonlySet<string>;
}

/** The ports that browsers leave out. */
const OWN_PORT = { http: 80, https: 443 };

/** @param names further names, e.g. `calls.example.com`; a proxy in front has a port of its own */
export function addressesOf(
  { host, port }: { host: string; port: number },
  scheme: 'http' | 'https',
  names: readonly string[],
): Addresses {
  const own = ['127.0.0.1', 'localhost', '[::1]', host.includes(':') ? `[${host}]` : host];
  const others = names.map((name) => name.toLowerCase());
  const direct = [...own, ...others].map((name) =>
    port === OWN_PORT[scheme] ? name : `${name}:${port}`,
  );
  return {
    hosts: new Set([...direct, ...others]),
    origins: new Set([
      ...direct.map((name) => `${scheme}://${name}`),
      // A proxy speaks https outside, whatever it speaks to the console.
      ...others.map((name) => `https://${name}`),
    ]),
  };
}

/**
 * Refuses requests under a name that is not ours: a page elsewhere could give its own name our address (DNS rebinding)
 * and then read answers as if they were its own.
 *
 * @param flags how the flags of the console begin
 */
export function guardHost(app: FastifyInstance, addresses: () => Addresses, flags: string): void {
  app.addHook('onRequest', (request, _reply, next) => {
    const { host = '' } = request.headers;
    if (addresses().hosts.has(host.toLowerCase())) next();
    else {
      next(
        new AppError('HOST_UNKNOWN', `This console does not answer to the name "${host}".`, {
          hint: `open it by the address that it printed, or name this one with ${flags}allow-host`,
        }),
      );
    }
  });
}

/** Refuses changes that another site's page sends with the browser's cookie. */
export function requireOwnOrigin(origin: string | undefined, { origins }: Addresses): void {
  if (origin !== undefined && origins.has(origin.toLowerCase())) return;
  const from = origin === undefined ? 'no page of its own' : origin;
  throw new AppError('ORIGIN_REFUSED', `This change came from ${from}, so it was not made.`, {
    hint: 'use the pages of this console, or a token',
  });
}
