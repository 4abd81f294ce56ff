import { builtInProfiles } from '../../config/profiles.ts';
import { openSqliteStore } from '../../store/sqlite/open.ts';
import { databasePlaces } from '../../app/places/databases.ts';
import type { CommandIo } from '../io.ts';
import { knownServices } from '../../app/services/service.ts';

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
  const names: string[] = [];
  for (const { path } of databasePlaces({ db: valueOf('--db', typed) }, io)) {
    try {
      const store = openSqliteStore({ path, mode: 'read' });
      try {
        const campaigns = (await store.listCampaigns()).filter(({ kind }) => kind === 'list');
        const shown = campaigns.filter(({ archivedAt }) => archived || archivedAt === undefined);
        names.push(...shown.map(({ name }) => name));
      } finally {
        await store.close();
      }
    } catch {
      // Another one may be readable.
    }
  }
  return names;
}

/** Names of services.yaml, `simulated` among them. */
export function servicesNamed(typed: readonly string[], io: CommandIo): string[] {
  const services = valueOf('--services', typed);
  return [...knownServices({ services }, io).entries.keys()];
}

export function profilesNamed(): string[] {
  return builtInProfiles();
}

/** bash takes the = of `--db=x` for a word of its own. */
function valueOf(flag: string, typed: readonly string[]): string | undefined {
  const at = typed.findIndex((word) => word === flag || word.startsWith(`${flag}=`));
  if (at < 0) return undefined;
  const [, inWord] = /=(.+)$/s.exec(typed[at] ?? '') ?? [];
  return inWord ?? (typed[at + 1] === '=' ? typed[at + 2] : typed[at + 1]);
}
