import { existsSync, lstatSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';

import { DEFAULT_SERVICES } from '../../config/services-file.ts';
import type { CampaignState } from '../../domain/campaign.ts';
import { usageError, type AppError } from '../../runtime/errors.ts';
import type { Campaign } from '../../store/port.ts';
import { realPath } from '../../store/sqlite/file/files.ts';
import { openSqliteStore } from '../../store/sqlite/open.ts';
import { nearest } from '../../text/nearest.ts';
import { shellWord, someOf } from '../../text/wording.ts';
import type { World } from '../world.ts';
import { isFolder } from './list-or-campaign.ts';

/** Where `data/` and `campaigns/` are, unless flags or CALLSHEET_DB name other files. */
interface Home {
  /** An absolute path. */
  folder: string;
  /** `here`: the current folder; `said`: `CALLSHEET_HOME`; `above`: the nearest folder above that is a home. */
  from: 'here' | 'said' | 'above';
  /** A folder above that has the files of a home but belongs to another user, so it is not used. */
  refused: string | undefined;
}

type Surroundings = Pick<World, 'cwd' | 'env'> & Partial<Pick<World, 'userId'>>;

/** This file records who was called: a folder that has it is a home of its own, whatever is above it. */
const DATABASE = join('data', 'callsheet.db');

/**
 * `CALLSHEET_HOME`, else the current folder if it has `campaigns/services.yaml` or `data/callsheet.db`, else the
 * nearest folder above that has one of them, else the current folder. The search upwards ends at the user's home
 * folder, at the root of the file system, and at a folder of another user, because anybody who can write there could
 * choose which service is called.
 *
 * @throws AppError `HOME_INVALID` (exit 2) for a `CALLSHEET_HOME` that is not a folder or not an absolute path
 */
export function homeOf(world: Surroundings): Home {
  const said = world.env['CALLSHEET_HOME'] ?? '';
  if (said !== '') return { folder: requireFolder(said), from: 'said', refused: undefined };
  const here = { folder: world.cwd, from: 'here', refused: undefined } as const;
  if (markerOf(world.cwd) !== undefined) return here;
  const above = foldersAbove(world).find((folder) => markerOf(folder) !== undefined);
  if (above === undefined) return here;
  if (isForeign(above, world.userId)) return { ...here, refused: above };
  return { folder: above, from: 'above', refused: undefined };
}

/**
 * A sentence that names the folder a command uses; undefined when that needs no mention.
 *
 * @param looksFor the parts of the home that the command uses, e.g. `data/ and campaigns/`
 */
export function homeSentence(
  { folder, from, refused }: Home,
  cwd: string,
  looksFor: 'data/' | 'campaigns/' | 'data/ and campaigns/',
): string | undefined {
  if (refused !== undefined) {
    return `${join(refused, looksFor === 'data/' ? 'data' : 'campaigns')} is not used: it belongs to another user. \`export CALLSHEET_HOME=${refused}\` uses it all the same.`;
  }
  if (folder === cwd) return undefined;
  const why =
    from === 'said' ? 'CALLSHEET_HOME' : `the nearest folder above with ${markerOf(folder) ?? ''}`;
  const are = looksFor === 'data/ and campaigns/' ? 'are taken' : 'is taken';
  return `${looksFor} ${are} from ${folder} (${why}).`;
}

function requireFolder(said: string): string {
  const isFolder = statSync(said, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isAbsolute(said) && isFolder) return said;
  const is = isAbsolute(said) ? 'is no folder' : 'does not begin with /';
  throw usageError(
    'HOME_INVALID',
    `CALLSHEET_HOME "${said}" ${is}; it names the folder that holds data/ and campaigns/.`,
    'give it the absolute path of that folder, or `unset CALLSHEET_HOME`',
  );
}

function foldersAbove({ cwd, env }: Surroundings): string[] {
  const end = env['HOME'] ?? '';
  const ends = end === '' ? [] : [end, realPath(end)];
  const folders: string[] = [];
  for (let folder = cwd; !ends.includes(folder) && dirname(folder) !== folder;) {
    folder = dirname(folder);
    folders.push(folder);
  }
  return folders;
}

function markerOf(folder: string): string | undefined {
  return [DEFAULT_SERVICES, DATABASE].find(
    (name) => statOf(join(folder, name), statSync)?.isFile() === true,
  );
}

/** Whether another user owns the folder or what makes it a home. A symbolic link counts by its own owner. */
function isForeign(folder: string, userId: number | undefined): boolean {
  if (userId === undefined) return false;
  const marker = markerOf(folder) ?? '';
  const parts = [folder, join(folder, dirname(marker)), join(folder, marker)];
  return parts.some((path) => statOf(path, lstatSync)?.uid !== userId);
}

/** A path that cannot be inspected, e.g. without permission, counts as missing. */
function statOf(path: string, look: typeof statSync) {
  try {
    return look(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** The database of rehearsals, beside the real one. */
export const SIMULATED_DB = 'simulated.db';

/** The path of a database; the file need not exist. */
export interface DatabasePlace {
  /** An absolute path. */
  path: string;
  /** True when a flag or the environment named it. */
  given: boolean;
  /** Set when the path was found in a folder above the current one; see `homeOf`. */
  above?: true;
  /** Set when a missing database may be created without a typed yes. */
  mayBeNew?: true;
}

/** A request that may name its database; without `db`, see `locateDatabase`. */
export interface DatabaseRequest {
  db?: string | undefined;
  /** A missing database may be created, though nobody types a yes. Default false. */
  newDb?: boolean | undefined;
}

/**
 * The database is `db`, else `CALLSHEET_DB`, else `data/callsheet.db` in the folder of `homeOf`. Rehearsals use
 * `simulated.db` in the same folder instead, unless `db` is given.
 */
export function locateDatabase(
  { db, newDb }: DatabaseRequest,
  world: Pick<World, 'env' | 'cwd'> & Partial<Pick<World, 'userId'>>,
  simulated: boolean,
): DatabasePlace {
  const more = newDb === true ? { mayBeNew: true as const } : {};
  if (db !== undefined) return { path: resolve(world.cwd, db), given: true, ...more };
  const named = world.env['CALLSHEET_DB'];
  const given = named !== undefined && named !== '';
  const home = given ? undefined : homeOf(world);
  const path = given
    ? resolve(world.cwd, named)
    : join(home?.folder ?? world.cwd, 'data', 'callsheet.db');
  if (simulated) return { path: join(dirname(path), SIMULATED_DB), given: false };
  return { path, given, ...(home?.from === 'above' && { above: true }), ...more };
}

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
