import { usageError } from '../../runtime/errors.ts';
import type { Profile } from '../profile/profile.ts';

/** Names in paths that callsheet fills in by itself: an operator's id of the same name is ignored. */
const OWN = new Set(['user', 'call_id', 'since', 'since_ms', 'since_s']);
const NAME = /\{([a-z][\w-]*)\}/gi;

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
  for (const operation of [dial, analytics, agents.list, agents.create, calls, slots]) {
    for (const [, name = ''] of operation?.path.matchAll(NAME) ?? []) {
      if (OWN.has(name) || Object.hasOwn(ids, name)) continue;
      throw usageError(
        'SERVICE_ID_MISSING',
        `Service ${service} has no id "${name}", and its profile asks at ${operation?.path}.`,
        `give it in services.yaml: \`ids: { ${name}: ... }\``,
      );
    }
  }
  return (path) =>
    path.replace(NAME, (slot, name: string) => {
      const id = OWN.has(name) || !Object.hasOwn(ids, name) ? undefined : ids[name];
      return id === undefined ? slot : encodeURIComponent(id);
    });
}
