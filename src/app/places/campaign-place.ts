import { SIMULATED } from '../../config/services-file.ts';
import type { ResolvedSettings } from '../../config/settings.ts';
import type { World } from '../world.ts';
import { findCampaign } from './databases.ts';
import { locateDatabase, type DatabasePlace, type DatabaseRequest } from './home.ts';

/** Rehearsals have a database of their own; a campaign's name without a service is searched in both. */
export async function choosePlace(
  name: string,
  given: ResolvedSettings,
  request: DatabaseRequest,
  world: World,
): Promise<DatabasePlace> {
  if (namesService(given)) return locateDatabase(request, world, given.service.name === SIMULATED);
  return (await findCampaign(name, request, world))?.place ?? locateDatabase(request, world, false);
}

/** True when file or flags say which service it is. */
export function namesService({ service }: ResolvedSettings): boolean {
  return service.name !== undefined || service.url !== undefined;
}

/**
 * Whether a `serve` at the database of `request` sees the campaign: rehearsals may have a database of their own.
 *
 * @param request.list the campaign's name; one that is not there yet goes where `service` belongs
 */
export async function isServed(
  request: DatabaseRequest & { list: string; service?: string | undefined },
  world: World,
): Promise<boolean> {
  const { list, service } = request;
  const served = locateDatabase(request, world, false);
  const place =
    service === undefined
      ? (await findCampaign(list, request, world))?.place
      : locateDatabase(request, world, service === SIMULATED);
  return place === undefined || place.path === served.path;
}
