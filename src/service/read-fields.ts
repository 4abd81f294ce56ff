/** Where a field is: the names to go through; empty is the answer itself. */
export type Path = readonly string[];

/** `call.id` is the field `id` of `call`, `.` the answer itself. */
export function parsePath(text: string): Path {
  return text === '.' ? [] : text.split('.');
}

/** The inverse of `parsePath`, for messages. */
export function pathText(path: Path): string {
  return path.length === 0 ? '.' : path.join('.');
}

/** The objects of an answer in which names are looked up, in the order of `within`. */
export function scopesOf(answer: unknown, within: readonly Path[]): unknown[] {
  const scopes: unknown[] = [];
  for (const path of within) {
    const scope = readPath(answer, path);
    if (typeof scope === 'object' && scope !== null && !Array.isArray(scope)) scopes.push(scope);
  }
  return scopes;
}

/**
 * The first value that `read` can use, by candidate and then by scope.
 *
 * @param read gives undefined for what it cannot use; the search goes on then
 * @returns null when a candidate is there but null, undefined when none is there
 */
export function firstOf<T>(
  scopes: readonly unknown[],
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
      if (found !== undefined) return found;
    }
  }
  return nothing;
}

export function readPath(value: unknown, path: Path): unknown {
  let at = value;
  for (const name of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Record<string, unknown>)[name];
  }
  return at;
}

/** Puts a value where `path` says, making the objects on the way. */
export function writePath(target: Record<string, unknown>, path: Path, value: unknown): void {
  let at = target;
  for (const name of path.slice(0, -1)) at = (at[name] ??= {}) as Record<string, unknown>;
  at[path.at(-1) ?? ''] = value;
}

/**
 * An id is text that can stand in an address, or a number that JSON can hold exactly: a longer one has lost
 * digits and names another call.
 */
export function asId(value: unknown): string | undefined {
  if (typeof value === 'string') {
    return value.trim() === '' || /\p{Surrogate}/u.test(value) ? undefined : value;
  }
  return Number.isSafeInteger(value) ? String(value) : undefined;
}

export function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A number, or a number as text such as `42` or `42.5`. */
export function asNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || !/^\s*-?\d+(\.\d+)?\s*$/.test(value)) return undefined;
  return Number(value);
}
