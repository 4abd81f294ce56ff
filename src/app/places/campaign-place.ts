import type { ResolvedSettings } from '../../config/settings.ts';
import type { DatabaseRequest } from './database-place.ts';
import type { World } from '../world.ts';
import { locateDatabase, type DatabasePlace } from './database-place.ts';
import { findCampaign } from './databases.ts';

/** Rehearsals have a database of their own; a campaign's name without a service is searched in both. */
export async function choosePlace(
  name: string,
  given: ResolvedSettings,
  request: DatabaseRequest,
  world: World,
): Promise<DatabasePlace> {
  if (namesService(given))
    return locateDatabase(request, world, given.service.name === 'simulated');
  return (await findCampaign(name, request, world))?.place ?? locateDatabase(request, world, false);
}

/** True when file or flags say which service it is. */
export function namesService({ service }: ResolvedSettings): boolean {
  return service.name !== undefined || service.url !== undefined;
}
