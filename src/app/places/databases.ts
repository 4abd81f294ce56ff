import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { usageError } from '../../runtime/errors.ts';
import { openSqliteStore, type OpenOptions } from '../../store/sqlite/open.ts';
import { lockOf, patientStore, type PatienceOptions } from '../../store/patient-store.ts';
import type { Campaign, Store } from '../../store/port.ts';
import type { World } from '../world.ts';
import { nearest } from '../../text/nearest.ts';
import { counted, shellWord } from '../../text/wording.ts';
import {
  campaignsIn,
  locateDatabase,
  SIMULATED_DB,
  unknownCampaign,
  type DatabasePlace,
  type DatabaseRequest,
} from './home.ts';

/** A campaign by its name. Without `db`, the real database is searched first, then that of rehearsals. */
export interface CampaignRequest extends DatabaseRequest {
  campaign: string;
}

/**
 * Allows a missing database to be created with `--new-db`, where a yes is typed, or when nobody can be called. Else it
 * is refused: a new, empty database does not know who was called before, so everybody would be called again.
 *
 * @param options.yes no yes is typed, also on a terminal. Default false
 * @param options.callsNobody the command itself calls nobody: then it is enough to name the path. Default false
 * @throws AppError `STORE_MISSING`, `STORE_UNUSABLE` (exit 2)
 */
export function requireMayCreate(
  place: DatabasePlace,
  world: World,
  live: boolean,
  { yes = false, callsNobody = false }: { yes?: boolean | undefined; callsNobody?: boolean } = {},
): void {
  if (existsSync(place.path)) return;
  const isMeant = place.mayBeNew === true || (callsNobody && place.given);
  if (isMeant || !live || (world.attended && !yes)) {
    refusePlace(place.path);
    return;
  }
  const simulated = existsSync(join(dirname(place.path), SIMULATED_DB))
    ? ' --service simulated for the rehearsals that are there,'
    : '';
  throw usageError(
    'STORE_MISSING',
    `There is no database at ${place.path}: is this the right ${place.given ? 'name' : 'folder'}? A new one would not know who was called before.`,
    `give the right one with --db PATH${nearby(place.path)},${simulated} or ${callsNobody ? `--db ${shellWord(place.path)}` : '--new-db'} to begin a new one there`,
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
 *
 * @throws AppError `HOME_NOT_SAID` (exit 2)
 */
export function requireSaidHome(place: DatabasePlace, campaign: string, world: World): void {
  const { path, above } = place;
  if (above !== true || world.attended) return;
  const home = dirname(dirname(path));
  throw usageError(
    'HOME_NOT_SAID',
    `Campaign "${campaign}" would be new in ${path}, which was only found above the current folder ${world.cwd}: is it the right one?`,
    `say so with \`export CALLSHEET_HOME=${shellWord(home)}\`, or name the right one with --db PATH`,
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

/** Opens the database if it exists; never creates it. @throws AppError those of `openSqliteStore` */
export async function openExisting({ path }: DatabasePlace, mode: 'read' | 'dial', world: World) {
  if (!existsSync(path)) return undefined;
  return mode === 'read' ? openStore(path, mode, world) : openPatiently(path, world);
}

/**
 * Opens a database for a command that dials: where another program has locked it, opening and writing wait for that
 * program, so that no night is lost by it.
 *
 * @throws AppError those of `openSqliteStore`, `STORE_LOCKED_TOO_LONG` (exit 5)
 */
export async function openPatiently(path: string, world: World): Promise<Store> {
  return patientStore(await openUnlocked(path, world), patienceIn(world));
}

/** Opens a database to dial as soon as no other program has locked it. @throws as `openPatiently` */
export function openUnlocked(
  path: string,
  world: World,
  more: Pick<OpenOptions, 'onCommit'> = {},
): Promise<Store> {
  return lockOf(path, patienceIn(world)).outwait(() => openStore(path, 'dial', world, more));
}

function patienceIn(world: World): PatienceOptions {
  const notify = () => {
    world.tell('Another program has locked the database: waiting for it, at most ten minutes.');
  };
  return { clock: world.clock, notify, stop: new AbortController().signal };
}

/**
 * Opens a database, and creates a missing one unless the mode is `read`. If calls that the database had lost come back
 * from the dial journal, their number is reported, once, by the process that opens the database first.
 *
 * @throws AppError those of `openSqliteStore`
 */
export function openStore(
  path: string,
  mode: OpenOptions['mode'],
  world: World,
  more: Pick<OpenOptions, 'onCommit'> = {},
): Store {
  return openSqliteStore({
    path,
    mode,
    ...more,
    onWarning: (sentence) => {
      world.tell(sentence);
    },
    onRecovered: (count) => {
      const calls = counted(count, 'call');
      world.tell(
        `The database was replaced by an older copy, or has lost its last commits: ${calls} that it no longer knew came back as unknown.`,
      );
    },
  });
}

/** Opens a database as `openStore` does, and closes it when `use` has ended. */
export async function withStore<T>(
  path: string,
  mode: 'read' | 'write',
  world: World,
  use: (store: Store) => Promise<T>,
): Promise<T> {
  const store = openStore(path, mode, world);
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/** Existing databases that a command without a service searches: the one named, else the real and the simulated one. */
export function databasePlaces(flags: DatabaseRequest, world: World): DatabasePlace[] {
  const place = locateDatabase(flags, world, false);
  const simulated = locateDatabase(flags, world, true);
  return [place, simulated].filter(
    ({ path }, index, all) =>
      existsSync(path) && all.findIndex((other) => other.path === path) === index,
  );
}

/** A campaign, its open database, and the world of the command that uses it. */
export interface OpenCampaign {
  store: Store;
  campaign: Campaign;
  world: World;
}

/**
 * Finds a campaign by name, in the real database first, and passes it to `use`.
 *
 * @throws AppError `CAMPAIGN_UNKNOWN` (exit 2), naming the existing campaigns
 */
export async function withCampaign<T>(
  request: CampaignRequest,
  world: World,
  mode: 'read' | 'write',
  use: (open: OpenCampaign) => Promise<T>,
): Promise<T> {
  const { campaign: name } = request;
  const places = databasePlaces(request, world);
  for (const { path } of places) {
    const store = openStore(path, 'read', world);
    let known: Campaign | undefined;
    try {
      known = await store.findCampaign(name);
      if (known !== undefined && mode === 'read')
        return await use({ store, campaign: known, world });
    } finally {
      await store.close();
    }
    if (known === undefined) continue;
    const found = known;
    return withStore(path, mode, world, async (open) =>
      use({ store: open, campaign: (await open.findCampaign(name)) ?? found, world }),
    );
  }
  throw await unknownCampaign(name, places, request, world);
}

/** Finds a campaign by name, and the database that holds it; undefined when no database does. */
export async function findCampaign(
  name: string,
  flags: DatabaseRequest,
  world: World,
): Promise<{ place: DatabasePlace; campaign: Campaign } | undefined> {
  for (const place of databasePlaces(flags, world)) {
    const campaign = (await campaignsIn(place.path)).find((found) => found.name === name);
    if (campaign !== undefined) return { place, campaign };
  }
  return undefined;
}
