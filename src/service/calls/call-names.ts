import type { CallNames } from '../../domain/same-call.ts';
import type { Profile } from '../profile/profile.ts';
import { asId, asPhone, readPath, type Path, type Scopes } from '../profile/read-fields.ts';

/** Every id, key, number and agent that an answer gives for its call; undefined where it gives none. */
export function namesIn(
  scopes: Scopes,
  { callId, attempt, phone, agent }: Profile['analytics'],
): CallNames | undefined {
  const names = {
    // Only the first candidate with a value counts: a later one may be the id of something else.
    callIds:
      callId.map((path) => allOf(scopes, [path], asAnyId)).find(({ length }) => length > 0) ?? [],
    attemptKeys: allOf(scopes, attempt, asId),
    phones: allOf(scopes, phone, asPhone),
    agents: allOf(scopes, agent, asId),
  };
  return Object.values(names).some(({ length }) => length > 0) ? names : undefined;
}

/** Text that is too long for an id is kept all the same: it proves that the answer is about another call. */
function asAnyId(value: unknown): string | undefined {
  return asId(value) ?? (typeof value === 'string' && value.trim() !== '' ? value : undefined);
}

function allOf(
  scopes: Scopes,
  candidates: readonly Path[],
  read: (value: unknown) => string | undefined,
): string[] {
  const found = new Set<string>();
  for (const path of candidates) {
    for (const scope of scopes) {
      const value = readPath(scope, path);
      const name = read(value);
      if (name === undefined) continue;
      scopes.onFound?.(path, value);
      found.add(name);
    }
  }
  return [...found];
}
