import { asId } from '../profile/read-fields.ts';

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
