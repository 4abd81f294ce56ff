import { createHash, timingSafeEqual } from 'node:crypto';

/** The variable parts of a service's webhook path: its name, and a token that nobody can guess. */
export interface Endpoint {
  /** The service's name in services.yaml, or its address. */
  service: string;
  token: string;
}

/** `/webhooks/<service>/<token>`; a service that is named by its address becomes one path segment. */
export function webhookPath(service: string, token: string): string {
  return `/webhooks/${segmentOf(service)}/${token}`;
}

/**
 * Finds the endpoint of a path. Tokens are compared in constant time, so that timing reveals nothing about a token.
 *
 * @param path its two variable parts, decoded
 */
export function endpointOf<E extends Endpoint>(
  endpoints: readonly E[],
  { service, token }: Endpoint,
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
