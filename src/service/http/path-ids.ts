import { usageError } from '../../runtime/errors.ts';
import type { Profile } from '../profile/profile.ts';
import { asId } from '../profile/read-fields.ts';

/** Names in paths that callsheet fills in by itself: an operator's id of the same name is ignored. */
const OWN = new Set(['user', 'call_id', 'agent', 'phone', 'since', 'since_ms', 'since_s']);
const NAME = /\{([a-z][\w-]*)\}/gi;

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

/** A filled path, for messages: without the number of the person. */
export function pathShown(path: string, phone: string | undefined): string {
  return phone === undefined ? path : path.replaceAll(encodeURIComponent(phone), '{phone}');
}

/**
 * The call id in a Location header, absolute or not: what stands in for `{call_id}` in the path of a call, at the end
 * of the address.
 *
 * @returns null if the header does not name a call
 */
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

/**
 * Makes the function that fills the operator's ids into a profile's paths, as in `/accounts/{account}/calls`.
 *
 * @param ids the ids of services.yaml, by the names in braces
 * @throws AppError `SERVICE_ID_MISSING` (exit 2) if a path of the profile names an id that services.yaml does not give
 */
export function createPathFiller(
  profile: Profile,
  service: string,
  ids: Readonly<Record<string, string>>,
): (path: string) => string {
  const { agents, dial, analytics, calls, slots } = profile;
  const { list, create } = agents;
  for (const operation of [dial, analytics, analytics.more, list, create, calls, slots]) {
    for (const [, name = ''] of operation?.path.matchAll(NAME) ?? []) {
      if (OWN.has(name) || Object.hasOwn(ids, name)) continue;
      throw usageError(
        'SERVICE_ID_MISSING',
        `Service ${service} has no id "${name}", and its profile asks at ${operation?.path}.`,
        `give it in services.yaml: \`ids: { ${name}: ... }\``,
      );
    }
  }
  const own = Object.entries(ids).filter(([name]) => !OWN.has(name));
  return (path) => fillPath(path, Object.fromEntries(own));
}
