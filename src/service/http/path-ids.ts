import { usageError } from '../../runtime/errors.ts';
import type { Profile } from '../profile/profile.ts';
import { fillPath, NAME, OWN } from './path-slots.ts';

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
