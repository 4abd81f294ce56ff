import { type AppError, usageError } from '../../runtime/errors.ts';
import { isLoopback } from '../../runtime/loopback.ts';

/** Where a service is, checked and without a trailing slash. */
export type Address = ReturnType<typeof parseAddress>;

/**
 * @throws AppError `SERVICE_URL_INVALID` when it is no http(s) address, or carries a user name, query or
 *   fragment; `SERVICE_URL_INSECURE` for http to another machine (both exit 2)
 */
export function parseAddress(text: string) {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw unusable(`The service address "${text}" is not an http or https address`);
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    // Not quoted in the message: it may contain a password.
    throw unusable('The service address has a user name, a query or a fragment; it may have none');
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw usageError(
      'SERVICE_URL_INSECURE',
      `The service address "${text}" is not encrypted; http is allowed on this machine only, because the key goes with every request.`,
      `Use https://${url.host}.`,
    );
  }
  const base = url.pathname.replace(/\/+$/, '');
  const version = /\/v\d+$/.exec(base)?.[0];
  return {
    /** As it is shown: `https://host/base`. */
    url: url.origin + base,
    origin: url.origin,
    /** The path of an operation below the base; a base that ends in `/v1` does not become `/v1/v1`. */
    pathOf: (operation: string) =>
      version !== undefined && operation.startsWith(`${version}/`)
        ? base.slice(0, -version.length) + operation
        : base + operation,
  };
}

function unusable(sentence: string): AppError {
  return usageError(
    'SERVICE_URL_INVALID',
    `${sentence}.`,
    'Give it as https://host or https://host/base.',
  );
}
