import { type AppError, usageError } from '../../runtime/errors.ts';
import { isLoopback } from '../../runtime/loopback.ts';

/** The checked address of a service, without a trailing slash. */
export type Address = ReturnType<typeof parseAddress>;

/**
 * @throws AppError `SERVICE_URL_INVALID` when `text` is not an http(s) address, or has a user name, query or fragment;
 *   `SERVICE_URL_INSECURE` for http to another machine (both exit 2)
 */
export function parseAddress(text: string) {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw unusable(`The service address "${text}" is not an http or https address`);
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    // The message does not quote the address, which may contain a password.
    throw unusable('The service address has a user name, a query or a fragment; it may have none');
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw usageError(
      'SERVICE_URL_INSECURE',
      `The service address "${text}" is not encrypted; http is allowed on this machine only, because the key goes with every request.`,
      `Use https://${url.host}.`,
    );
  }
  const base = url.pathname.replace(/(?<!\/)\/+$/, '');
  const version = /\/v\d+$/.exec(base)?.[0];
  return {
    /** The address as messages show it: `https://host/base`. */
    url: url.origin + base,
    origin: url.origin,
    /**
     * The path of an operation below the base. A version at the end of the base is not repeated: never `/v1/v1/calls`.
     */
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
