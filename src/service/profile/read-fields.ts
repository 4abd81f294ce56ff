import { parseJson } from '../http/body.ts';
import { isE164, type E164 } from '../../domain/phone.ts';
import { compileExpression, epochMs, isDecimal, type Expression } from './expressions.ts';
import { own } from '../../domain/safe-text.ts';

export type FieldPath = readonly string[];

/** A field to read: where it is, or how it is computed. */
export type Path = FieldPath | Expression;

/** Called with each candidate that gave a value; see `scopesOf`. */
export type OnFound = (path: Path, value: unknown) => void;

/** The objects in which fields are looked up, and the callback that gets what is found in them. */
export type Scopes = readonly unknown[] & { onFound?: OnFound | undefined };

/**
 * Parses a path: `call.id` is the field `id` of `call`, and `.` is the answer itself; `/call/id` is the same as a JSON
 * Pointer (RFC 6901, for names with dots or blanks); text that begins with `=` is a CEL expression over `body`.
 * @throws ExpressionError
 */
export function parsePath(text: string): Path {
  if (text.startsWith('=')) return compileExpression(text.slice(1).trim());
  return parseFieldPath(text);
}

/** `parsePath` without expressions, for fields that are also written. */
export function parseFieldPath(text: string): FieldPath {
  if (text.startsWith('/')) {
    const names = text.slice(1).split('/');
    return names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  }
  return text === '.' ? [] : text.split('.');
}

/** The inverse of `parsePath`, for messages. */
export function pathText(path: Path): string {
  if (!isFieldPath(path)) return `= ${path.text}`;
  if (path.length === 0) return '.';
  if (path.every((name) => /^[^.\s/=]+$/.test(name))) return path.join('.');
  return path.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

export function pathTexts(paths: Iterable<Path>): string {
  return Array.from(paths, pathText).join(', ');
}

/**
 * The objects of an answer in which fields are looked up, in the order of `within`.
 * @param onFound is called for every value that is found in these objects
 */
export function scopesOf(
  answer: unknown,
  within: readonly Path[],
  onFound?: OnFound,
  open = (value: unknown) => value,
): Scopes {
  const scopes = within.map((path) => asObject(open(readPath(answer, path))));
  return Object.assign(
    scopes.filter((scope) => scope !== undefined),
    { onFound },
  );
}

/**
 * `scopesOf` for answers and deliveries about a call: an object also counts as the one item of a list, and as JSON in a
 * text, as some envelopes carry it.
 */
export function callScopes(answer: unknown, within: readonly Path[], onFound?: OnFound): Scopes {
  return scopesOf(unwrapped(answer), within, onFound, unwrapped);
}

/** The one item of a list, and the list or object that a text holds as JSON; any other value as it is. */
export function unwrapped(value: unknown): unknown {
  const isJson = typeof value === 'string' && /^\s*[[{]/.test(value);
  const inner = (isJson ? parseJson(value) : undefined) ?? value;
  return Array.isArray(inner) && inner.length === 1 ? inner[0] : inner;
}

/**
 * Scopes with `value` as the only object in which fields are looked up; values found are reported to the same
 * `onFound`.
 */
export function inside(value: unknown, { onFound }: Scopes): Scopes {
  return Object.assign([value], { onFound });
}

/**
 * The first value that `read` accepts: candidates in order, each in every scope.
 * @param read returns undefined for a value that it does not accept; the search then goes on
 * @returns null when a candidate's field exists but is null, undefined when no candidate gives a value
 */
export function firstOf<T>(
  scopes: Scopes,
  candidates: readonly Path[],
  read: (value: unknown) => T | undefined,
): T | null | undefined {
  let nothing: null | undefined;
  for (const path of candidates) {
    for (const scope of scopes) {
      const value = readPath(scope, path);
      if (value === undefined) continue;
      if (value === null) {
        nothing = null;
        continue;
      }
      const found = read(value);
      if (found === undefined) continue;
      scopes.onFound?.(path, value);
      return found;
    }
  }
  return nothing;
}

export function readPath(value: unknown, path: Path): unknown {
  if (!isFieldPath(path)) return path.evaluate(value);
  let at = value;
  for (const name of path) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = own(at as Record<string, unknown>, name);
  }
  return at;
}

/** Sets a value at `path`, creating the objects on the way. */
export function writePath(target: Record<string, unknown>, path: FieldPath, value: unknown): void {
  let at = target;
  for (const name of path.slice(0, -1)) {
    const below = own(at, name) ?? {};
    put(at, name, below);
    at = below as Record<string, unknown>;
  }
  put(at, path.at(-1) ?? '', value);
}

/** As an assignment, which would not make a field of `__proto__`. */
function put(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true }); // prettier-ignore
}

export function isFieldPath(path: Path | undefined): path is FieldPath {
  return Array.isArray(path);
}

/** Characters. Ids are keys of tables and parts of addresses, so a longer id is not accepted. */
export const LONGEST_ID = 512;

/**
 * A text of up to 512 characters that can be part of a URL, or an integer that a double holds exactly: a larger integer
 * has lost digits.
 */
export function asId(value: unknown): string | undefined {
  if (typeof value === 'string') {
    if (value.length > LONGEST_ID || value.trim() === '') return undefined;
    return /\p{Surrogate}/u.test(value) ? undefined : value;
  }
  return Number.isSafeInteger(value) ? String(value) : undefined;
}

/**
 * `firstOf` for an id that matters: an id that is too long is reported, and no later candidate replaces it.
 * @returns `id`: null if there is no usable id; `unusable`: why an id that was found cannot be used, or null
 */
export function idOf(scopes: Scopes, candidates: readonly Path[]) {
  const found = firstOf(scopes, candidates, (value) =>
    typeof value === 'string' && value.length > LONGEST_ID ? { length: value.length } : asId(value),
  );
  if (typeof found !== 'object' || found === null) return { id: found ?? null, unusable: null };
  const unusable = `its id (${pathTexts(candidates)}) has ${found.length} signs, and at most ${LONGEST_ID} are taken`;
  return { id: null, unusable };
}

export function asObject(value: unknown): Record<string, unknown> | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Record<string, unknown>) : undefined;
}

export function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A number, or a number as text such as `42` or `42.5`. */
export function asNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && isDecimal(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) return undefined;
  // Text can hold a number too large for a double; an expression may divide by 0 or give -0.
  return number === 0 ? 0 : number;
}

/** A number in E.164; blanks, dots, hyphens and brackets are removed, as some services format numbers for people. */
export function asPhone(value: unknown): E164 | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.replaceAll(/[\s().-]/g, '');
  return isE164(text) ? text : undefined;
}

/** A value outside these years is not the time of a call but a count, an id, or a time in another unit. */
const EARLIEST = Date.UTC(2000, 0);
const LATEST = Date.UTC(2100, 0);

/**
 * Epoch ms, an integer, from a date as text or a number in any usual unit (see `epochMs`), in the years 2000 to 2099.
 */
export function asTime(value: unknown): number | undefined {
  const ms = Math.round(epochMs(value));
  return ms >= EARLIEST && ms < LATEST ? ms : undefined;
}

/** True when a signature of `template` covers the whole body, not only single fields of it. */
export function coversBody(template: string): boolean {
  return /\{(?:body|fields)\}/.test(template);
}
