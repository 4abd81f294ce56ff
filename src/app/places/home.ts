import { accessSync, constants, existsSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';

import { DEFAULT_SERVICES, SIMULATED } from '../../config/services-file.ts';
import { usageError } from '../../runtime/errors.ts';
import { isServerUrl, readServerUrl } from '../../runtime/server-url.ts';
import { realPath } from '../../store/sqlite/file/files.ts';
import { nearest } from '../../text/nearest.ts';
import { shellWord } from '../../text/wording.ts';
import type { World } from '../world.ts';

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
/** The database of rehearsals, beside the real one. */
export const SIMULATED_DB = 'simulated.db';
const MARKERS = [DEFAULT_SERVICES, DATABASE] as const;

/**
 * `CALLSHEET_HOME`, else the current folder if it has `campaigns/services.yaml` or `data/callsheet.db`, else the
 * nearest folder above that has one of them, else the nearest of these that has rehearsals. The search upwards ends at
 * the user's home folder, at the root of the file system, and at a folder of another user, because anybody who can
 * write there could choose which service is called.
 *
 * @throws AppError `HOME_INVALID` (exit 2) for a `CALLSHEET_HOME` that is not a folder or not an absolute path
 */
export function homeOf(world: Surroundings): Home {
  const said = world.env['CALLSHEET_HOME'] ?? '';
  if (said !== '') return { folder: requireFolder(said), from: 'said', refused: undefined };
  const here = { folder: world.cwd, from: 'here', refused: undefined } as const;
  const folders = [world.cwd, ...foldersAbove(world)];
  const isHome = (folder: string) => markerOf(folder, MARKERS) !== undefined;
  const above = folders.find(isHome) ?? folders.find((folder) => markerOf(folder) !== undefined);
  if (above === undefined || above === world.cwd) return here;
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

function markerOf(
  folder: string,
  names: readonly string[] = [...MARKERS, join('data', SIMULATED_DB)],
): string | undefined {
  return names.find((name) => statOf(join(folder, name), statSync)?.isFile() === true);
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

/** Where a database is, or would be: in a file, or on a server. */
export type DatabasePlace = Located & (InFile | OnServer);

interface Located {
  /** Where this machine keeps results, lists and taken files of the database; absolute. */
  folder: string;
  /** True when a flag or the environment named it. */
  given: boolean;
  /** Set when the path was found in a folder above the current one; see `homeOf`. */
  above?: true;
  /** Set when a missing database may be created without a typed yes. */
  mayBeNew?: true;
}

interface InFile {
  /** An absolute path. */
  file: string;
  url?: undefined;
}

interface OnServer {
  file?: undefined;
  /** As `readServerUrl` writes it. */
  url: string;
}

/** What messages call a database, and what `--db` finds it by: its path, or its URL without a password. */
export function nameOf({ file, url }: DatabasePlace): string {
  return file ?? url;
}

/** False for a file that does not exist. Whether a server has the database shows when it is opened. */
export function isThere({ file }: DatabasePlace): boolean {
  return file === undefined || existsSync(file);
}

/**
 * The path of a database, for what only a file has.
 *
 * @param what the command or flag that needs a file
 * @param instead the next step for a database on a server; `=NAME` in it becomes its schema
 */
export function requireFile({ file, url }: DatabasePlace, what: string, instead: string): string {
  if (file !== undefined) return file;
  throw usageError(
    'STORE_ON_SERVER',
    `${what} needs a database in a file, and ${url} is on a server.`,
    instead.replace('=NAME', `=${readServerUrl(url, '--db').schema}`),
  );
}

/** A request that may name its database; without `db`, see `locateDatabase`. */
export interface DatabaseRequest {
  db?: string | undefined;
  /** A missing database may be created, though nobody types a yes. Default false. */
  newDb?: boolean | undefined;
}

/**
 * The database is `db`, else `CALLSHEET_DB`, each the path of a file or the URL of a server, else `data/callsheet.db` in
 * the folder of `homeOf`. Rehearsals use `simulated.db` in the same folder instead, unless `db` is given.
 */
export function locateDatabase(
  { db, newDb = false }: DatabaseRequest,
  world: Surroundings,
  simulated: boolean,
): DatabasePlace {
  const named = world.env['CALLSHEET_DB'] ?? '';
  const place = placeOf(db ?? named, db === undefined ? 'CALLSHEET_DB' : '--db', world);
  if (db === undefined && simulated) {
    const { folder } = place;
    return { file: join(folder, SIMULATED_DB), folder, given: false };
  }
  if (!newDb) return place;
  const instead = 'leave --new-db out; `callsheet migrate` begins one on a server';
  requireFile(place, '--new-db', instead);
  return { ...place, mayBeNew: true };
}

/** The request, with the embedded service where nothing is named or set up, and only its rehearsals are there. */
export function withOnlyRehearsals<
  T extends DatabaseRequest & { [K in 'service' | 'serviceUrl' | 'services']?: string | undefined },
>(request: T, world: Surroundings): T {
  const real = locateDatabase(request, world, false);
  const { service, serviceUrl, services } = request;
  const named = service ?? serviceUrl ?? services ?? world.env['VOICE_API_URL'];
  const isOther = named !== undefined || real.given || isThere(real);
  const isSetUp = isOther || existsSync(join(homeOf(world).folder, DEFAULT_SERVICES));
  const isMeant = !isSetUp && existsSync(join(real.folder, SIMULATED_DB));
  return isMeant ? { ...request, service: SIMULATED } : request;
}

/** @param text empty: the default; and `from` where it was given */
function placeOf(text: string, from: string, world: Surroundings): DatabasePlace {
  if (isServerUrl(text)) {
    const { url, folderName } = readServerUrl(text, from);
    return { url, folder: join(homeOf(world).folder, 'data', folderName), given: true };
  }
  if (text !== '' || from === '--db') {
    const file = resolve(world.cwd, text);
    return { file, folder: dirname(file), given: true };
  }
  const home = homeOf(world);
  const file = join(home.folder, DATABASE);
  const above = home.from === 'above' && { above: true as const };
  return { file, folder: dirname(file), given: false, ...above };
}

/**
 * Allows a missing database to be created with `--new-db`, where a yes is typed, or when nobody can be called. Else it
 * is refused: a new, empty database does not know who was called before, so everybody would be called again.
 *
 * @param options.yes no yes is typed, also on a terminal. Default false
 * @param options.callsNobody the command itself calls nobody: then it is enough to name the path. Default false
 */
export function requireMayCreate(
  place: DatabasePlace,
  world: World,
  live: boolean,
  { yes = false, callsNobody = false }: { yes?: boolean | undefined; callsNobody?: boolean } = {},
): void {
  const { file } = place;
  if (file === undefined || existsSync(file)) return;
  const isMeant = place.mayBeNew === true || (callsNobody && place.given);
  if (isMeant || !live || (world.attended && !yes)) {
    refusePlace(file);
    return;
  }
  const simulated = existsSync(join(dirname(file), SIMULATED_DB))
    ? ' --service simulated for the rehearsals that are there,'
    : '';
  throw usageError(
    'STORE_MISSING',
    `There is no database at ${file}: is this the right ${place.given ? 'name' : 'folder'}? A new one would not know who was called before.`,
    `give the right one with --db PATH${nearby(file)},${simulated} or ${callsNobody ? `--db ${shellWord(file)}` : '--new-db'} to begin a new one there`,
  );
}

/** Names the database in the same folder whose name is nearest: ` (data/callsheet.db is there)`; empty: none is. */
function nearby(path: string): string {
  const folder = dirname(path);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const others = names.filter((name) => name.endsWith('.db') && name !== SIMULATED_DB);
  const other = nearest(basename(path), others) ?? others[0];
  return other === undefined ? '' : ` (${join(folder, other)} is there)`;
}

/**
 * Without a terminal, refuses a new campaign of a live service in a database that was found in a folder above the
 * current one: that folder may belong to another job, and nobody sees which one is used.
 */
export function requireSaidHome(place: DatabasePlace, campaign: string, world: World): void {
  const { file, folder, above } = place;
  if (file === undefined || above !== true || world.attended) return;
  throw usageError(
    'HOME_NOT_SAID',
    `Campaign "${campaign}" would be new in ${file}, which was only found above the current folder ${world.cwd}: is it the right one?`,
    `say so with \`export CALLSHEET_HOME=${shellWord(dirname(folder))}\`, or name the right one with --db PATH`,
  );
}

/** Refuses a folder that cannot be written, before any file is created. @throws AppError `STORE_UNUSABLE` (exit 2) */
function refusePlace(path: string): void {
  let folder = dirname(path);
  while (!existsSync(folder) && folder !== dirname(folder)) folder = dirname(folder);
  const isFolder = statSync(folder).isDirectory();
  if (isFolder && isWritable(folder)) return;
  const what = isFolder ? 'may not be written by this user' : 'is a file, not a folder';
  throw usageError(
    'STORE_UNUSABLE',
    `There can be no database at ${path}: ${folder} ${what}.`,
    'give another path with --db, or mend that folder',
  );
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
