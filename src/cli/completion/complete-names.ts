import { databasePlaces } from '../../app/places/databases.ts';
import { campaignsIn } from '../../app/places/unknown-campaign.ts';
import { ruleNames } from '../../app/rules/rules.ts';
import { knownServices } from '../../app/services/service.ts';
import type { CommandIo } from '../io.ts';
import { typedValue } from '../args/typed-value.ts';

/**
 * Names of campaigns in the databases that a command with these words would use; unreadable databases are left out.
 *
 * @param typed the words so far, of which `--db` chooses the database
 */
export async function campaignsNamed(
  typed: readonly string[],
  io: CommandIo,
  { archived }: { archived: boolean },
): Promise<string[]> {
  const places = databasePlaces({ db: typedValue('--db', typed) }, io);
  // One database may be readable although another is not.
  const found = await Promise.all(places.map(({ path }) => campaignsIn(path).catch(() => [])));
  return found
    .flat()
    .filter(({ kind, archivedAt }) => kind === 'list' && (archived || archivedAt === undefined))
    .map(({ name }) => name);
}

/** Names of services in services.yaml, and `simulated`. */
export function servicesNamed(typed: readonly string[], io: CommandIo): string[] {
  const services = typedValue('--services', typed);
  return [...knownServices({ services }, io).entries.keys()];
}

/** Rules that come with callsheet, and the operator's own. */
export function rulesNamed(io: CommandIo): string[] {
  return ruleNames(io);
}
