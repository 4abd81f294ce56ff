import { createHash, timingSafeEqual } from 'node:crypto';

/** One service's own path: its name in it, and a token that nobody can guess. */
export interface Endpoint {
  /** The service's name in services.yaml, or its address. */
  service: string;
  token: string;
}

/** `/webhooks/<service>/<token>`; an address as a name becomes one word. */
export function webhookPath(service: string, token: string): string {
  return `/webhooks/${segmentOf(service)}/${token}`;
}

/**
 * The endpoint that a path means. Compared in a time that does not tell how much of a token was right.
 *
 * @param path its two variable parts, decoded
 */
export function endpointOf<E extends Endpoint>(
  endpoints: readonly E[],
  { service, token }: { service: string; token: string },
): E | undefined {
  let found: E | undefined;
  for (const endpoint of endpoints) {
    const isService = segmentOf(endpoint.service) === service;
    if (isSame(endpoint.token, token) && isService) found = endpoint;
  }
  return found;
}

function segmentOf(service: string): string {
  return service
    .replace(/^https?:\/\//, '')
    .replaceAll(/[^\w:-]+/g, '-')
    .replace(/:(?=\d)/g, '-');
}

function isSame(a: string, b: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(a), hash(b));
}
