import { databasePlaces } from '../../app/places/databases.ts';
import { campaignsIn } from '../../app/places/unknown-campaign.ts';
import { knownServices } from '../../app/services/service.ts';
import type { CommandIo } from '../io.ts';
import { typedValue } from '../args/typed-value.ts';

/**
 * Names of campaigns, as far as the databases that a command with these words would use can be read now.
 *
 * @param typed the words so far: `--db` counts
 */
export async function campaignsNamed(
  typed: readonly string[],
  io: CommandIo,
  { archived }: { archived: boolean },
): Promise<string[]> {
  const places = databasePlaces({ db: typedValue('--db', typed) }, io);
  // Of those that cannot be read another one may be readable.
  const found = await Promise.all(places.map(({ path }) => campaignsIn(path).catch(() => [])));
  return found
    .flat()
    .filter(({ kind, archivedAt }) => kind === 'list' && (archived || archivedAt === undefined))
    .map(({ name }) => name);
}

/** Names of services.yaml, `simulated` among them. */
export function servicesNamed(typed: readonly string[], io: CommandIo): string[] {
  const services = typedValue('--services', typed);
  return [...knownServices({ services }, io).entries.keys()];
}
