import { usageError, type AppError } from '../../runtime/errors.ts';
import { isLoopback } from '../../runtime/process.ts';
import { asId } from '../profile/read-fields.ts';

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
    /** A version at the end of the base is not repeated: never `/v1/v1/calls`. */
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

/** Names in paths that callsheet fills in by itself: an operator's id of the same name is ignored. */
export const OWN = new Set(['user', 'call_id', 'agent', 'phone', 'since', 'since_ms', 'since_s']);
export const NAME = /\{([a-z][\w-]*)\}/gi;

type PathValues = Readonly<Record<string, string | number | undefined>>;

/** Fills values into a path, URL-encoded. Names without a value stay as they are. */
export function fillPath(path: string, values: PathValues): string {
  return path.replace(NAME, (slot, name: string) =>
    Object.hasOwn(values, name) && values[name] !== undefined
      ? encodeURIComponent(String(values[name]))
      : slot,
  );
}

/** The first of callsheet's own names in a path that has no value in this operation; undefined: there is none. */
export function unfilledIn(path: string, filled: readonly string[]): string | undefined {
  const names = Array.from(path.matchAll(NAME), ([, name = '']) => name);
  return names.find((name) => OWN.has(name) && name !== 'user' && !filled.includes(name));
}

/** For messages: the path without the person's number. */
export function pathShown(path: string, phone: string | undefined): string {
  return phone === undefined ? path : path.replaceAll(encodeURIComponent(phone), '{phone}');
}

/** Finds in a Location header what stands for `{call_id}` in the path of a call. Null: the header names no call. */
export function idInLocation(location: string | undefined, path: string | undefined) {
  if (location === undefined || path === undefined || !URL.canParse(location, ANY)) return null;
  const [before = '', after = ''] = path.split('{call_id}').map(patternOf);
  const [, id] =
    new RegExp(`${before}([^/]+)${after}/?$`).exec(new URL(location, ANY).pathname) ?? [];
  // Unlike decodeURIComponent, this takes any text.
  const plain = id?.replaceAll(/[+&]/g, encodeURIComponent) ?? '';
  return asId(new URLSearchParams(`id=${plain}`).get('id')) ?? null;
}
const ANY = 'https://service.invalid';

/** The pattern for a part of a path; names in braces stand for any one step. */
function patternOf(part: string): string {
  return part.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{[^{}]*\}/g, '[^/]+');
}
