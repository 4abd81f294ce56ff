import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { nearest } from '../../text/nearest.ts';
import type { CampaignState } from '../../domain/campaign.ts';
import { type AppError, usageError } from '../../runtime/errors.ts';
import type { Campaign } from '../../store/port.ts';
import { openSqliteStore } from '../../store/sqlite/open.ts';
import type { World } from '../world.ts';
import { shellWord, someOf } from '../../text/wording.ts';
import { isFolder } from './list-or-campaign.ts';
import { locateDatabase, type DatabasePlace, type DatabaseRequest } from './home.ts';

/**
 * The error for a campaign that none of the searched databases has. It suggests the name that was probably meant, and
 * says if another database has the campaign: real calls and rehearsals are kept apart.
 *
 * @param searched the databases that were searched; empty: none exists
 */
export async function unknownCampaign(
  name: string,
  searched: readonly DatabasePlace[],
  flags: DatabaseRequest,
  world: World,
): Promise<AppError> {
  const real = locateDatabase(flags, world, false);
  const places = searched.length === 0 ? [real] : searched;
  const where = places.map(({ path }) => path).join(' or ');
  const error = (message: string, hint: string) =>
    usageError('CAMPAIGN_UNKNOWN', `No campaign "${name}" is in ${where}; ${message}`, hint);

  // The default databases, unless they were among the searched ones.
  for (const simulated of [false, true]) {
    const { path } = locateDatabase({}, world, simulated);
    if (!existsSync(path) || places.some((place) => place.path === path)) continue;
    // Errors of a database that was not asked for do not matter here.
    const campaigns = await campaignsIn(path).catch(() => []);
    const found = campaigns.find((campaign) => campaign.name === name);
    if (found === undefined) continue;
    return error(
      `it is ${found.simulated ? 'a rehearsal' : 'one of real calls'}, in ${path}.`,
      `\`callsheet status ${shellWord(name)} --db ${shellWord(path)}\` shows it; other commands find it with the same --db`,
    );
  }
  const folder = resolve(world.cwd, name);
  if (existsSync(folder) && statSync(folder).isDirectory()) {
    const { message, hint = '' } = isFolder(folder);
    return error(message, hint);
  }
  const names = (await Promise.all(places.map(({ path }) => namesIn(path)))).flat();
  if (names.length === 0) {
    const none = places.some(({ path }) => existsSync(path))
      ? 'it has none yet'
      : 'there is no database yet';
    return error(
      `${none}.`,
      '`callsheet run LIST --agent ID` begins one; --db names another database',
    );
  }
  const near = nearest(name, names);
  const meant =
    near === undefined
      ? `the campaigns there are ${someOf(names, MOST_NAMES)}.`
      : `did you mean "${near}"?`;
  return error(meant, '`callsheet list` shows them');
}

/** At most this many campaigns are named in a message. */
export const MOST_NAMES = 10;

/**
 * Names of campaigns with a list; single test calls are left out.
 *
 * @param only campaigns in this state; default: in any state
 */
export async function namesIn(path: string, only?: CampaignState): Promise<string[]> {
  const campaigns = existsSync(path) ? await campaignsIn(path) : [];
  return campaigns
    .filter(({ kind, state }) => kind === 'list' && (only ?? state) === state)
    .map((campaign) => campaign.name);
}

/** @throws AppError those of `openSqliteStore` */
export async function campaignsIn(path: string): Promise<Campaign[]> {
  const store = openSqliteStore({ path, mode: 'read' });
  try {
    return await store.listCampaigns();
  } finally {
    await store.close();
  }
}
