import { type AppError, usageError } from '../../runtime/errors.ts';
import type { Profile } from '../profile/profile.ts';

/** Names in paths that callsheet fills in by itself. */
const OWN = new Set(['user', 'call_id', 'since', 'since_ms', 'since_s']);
const NAME = /\{([a-z][\w-]*)\}/gi;

/**
 * Makes the function that fills the operator's ids into a profile's paths, as in `/accounts/{account}/calls`.
 *
 * @param ids by the names in braces, as services.yaml gives them
 * @throws AppError `SERVICE_ID_MISSING` (exit 2) for a path of the profile with a name that has none
 */
export function createPathFiller(
  profile: Profile,
  service: string,
  ids: Readonly<Record<string, string>>,
): (path: string) => string {
  for (const path of pathsOf(profile)) {
    for (const [, name = ''] of path.matchAll(NAME)) {
      if (!OWN.has(name) && !Object.hasOwn(ids, name)) throw missing(service, name, path);
    }
  }
  return (path) =>
    path.replace(NAME, (slot, name: string) => {
      const id = OWN.has(name) || !Object.hasOwn(ids, name) ? undefined : ids[name];
      return id === undefined ? slot : encodeURIComponent(id);
    });
}

function pathsOf({ agents, dial, analytics, calls, slots }: Profile): string[] {
  const operations = [dial, analytics, agents.list, agents.create, calls, slots];
  return operations.flatMap((operation) => (operation === undefined ? [] : [operation.path]));
}

function missing(service: string, name: string, path: string): AppError {
  return usageError(
    'SERVICE_ID_MISSING',
    `Service ${service} has no id "${name}", and its profile asks at ${path}.`,
    `give it in services.yaml: \`ids: { ${name}: ... }\``,
  );
}
