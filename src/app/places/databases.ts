import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { usageError } from '../../runtime/errors.ts';
import { openSqliteStore } from '../../store/sqlite/open.ts';
import type { Campaign, Store } from '../../store/port.ts';
import type { World } from '../world.ts';
import { counted } from '../../text/plural.ts';
import { campaignsIn, unknownCampaign } from './unknown-campaign.ts';
import { shellWord } from '../../text/shell-word.ts';
import { locateDatabase, type DatabasePlace } from './database-place.ts';

type DatabaseFlags = { db?: string | undefined };

/** A campaign by its name, in the database that is named; default: whichever has it, the real one first. */
export interface CampaignRequest {
  campaign: string;
  db?: string | undefined;
}

/**
 * A missing database is made when its path was given, on a terminal, or when nobody can be called: a new,
 * empty one must never call everybody again.
 *
 * @throws AppError `STORE_MISSING`, `STORE_UNUSABLE` (exit 2)
 */
export function requireMayCreate(place: DatabasePlace, world: World, live: boolean): void {
  const mayCreate = place.given || !live || world.attended;
  if (existsSync(place.path)) return;
  if (mayCreate) {
    refusePlace(place.path);
    return;
  }
  throw usageError(
    'STORE_MISSING',
    `There is no database at ${place.path}: is this the right folder? A new one would know nobody who was called before.`,
    `give the right one with --db PATH, or --db ${shellWord(place.path)} to begin a new one there`,
  );
}

/**
 * A folder that was only found may be that of another job: without a terminal, where nobody sees which one it is, no new
 * campaign of a live service begins in its database.
 *
 * @throws AppError `HOME_NOT_SAID` (exit 2)
 */
export function requireSaidHome(
  { path, above }: DatabasePlace,
  campaign: string,
  world: World,
): void {
  if (above !== true || world.attended) return;
  const home = dirname(dirname(path));
  throw usageError(
    'HOME_NOT_SAID',
    `Campaign "${campaign}" would be new in ${path}, which was only found above the current folder ${world.cwd}: is it the right one?`,
    `say so with \`export CALLSHEET_HOME=${shellWord(home)}\`, or name the right one with --db PATH`,
  );
}

/** Before anything else is made beside it. @throws AppError `STORE_UNUSABLE` (exit 2) */
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

/** The database if there is one; it is never made. @throws AppError those of `openSqliteStore` */
export async function openExisting(
  place: DatabasePlace,
  world: World,
  mode: 'read' | 'dial',
): Promise<Store | undefined> {
  if (!existsSync(place.path)) return undefined;
  return mode === 'dial' ? openToDial(place, world) : openSqliteStore({ path: place.path, mode });
}

/**
 * Opens the database for dialling, and makes a missing one.
 *
 * @throws AppError those of `openSqliteStore`
 */
export async function openToDial({ path }: DatabasePlace, world: World): Promise<Store> {
  return openSqliteStore({
    path,
    mode: 'dial',
    onWarning: (sentence) => {
      world.tell(sentence);
    },
    onRecovered: tellRecovered(world),
  });
}

/** Opens a database to change it, without dialling. @throws AppError as `openSqliteStore` */
export function openToWrite(path: string, world: World): Store {
  return openSqliteStore({ path, mode: 'write', onRecovered: tellRecovered(world) });
}

/** Says what an opening has brought back; it does so once, whoever opens first. */
function tellRecovered(world: World): (attempts: number) => void {
  return (count) => {
    const calls = counted(count, 'call');
    world.tell(
      `The database was set back, or has lost its last commits: ${calls} that it had forgotten came back as unknown.`,
    );
  };
}

/** The databases that a command without a service looks into: the one named, else the real and the simulated one. */
export function databasePlaces(flags: DatabaseFlags, world: World): DatabasePlace[] {
  const place = locateDatabase(flags, world, false);
  const simulated = locateDatabase(flags, world, true);
  return [place, simulated].filter(
    ({ path }, index, all) =>
      existsSync(path) && all.findIndex((other) => other.path === path) === index,
  );
}

/**
 * Finds a campaign by name, in the real database first, and does something with it.
 *
 * @param mode as in `openSqliteStore`
 * @throws AppError `CAMPAIGN_UNKNOWN` (exit 2), naming the campaigns there are
 */
export async function withCampaign<T>(
  name: string,
  flags: DatabaseFlags,
  world: World,
  mode: 'read' | 'write' | 'dial',
  use: (store: Store, campaign: Campaign) => Promise<T>,
): Promise<T> {
  const found = await findCampaign(name, flags, world);
  if (found === undefined)
    throw await unknownCampaign(name, databasePlaces(flags, world), flags, world);
  const { path } = found.place;
  const store = openSqliteStore({ path, mode, onRecovered: tellRecovered(world) });
  try {
    const campaign = await store.findCampaign(name);
    return await use(store, campaign ?? found.campaign);
  } finally {
    await store.close();
  }
}

/** In which database a campaign of this name is, if in any, and what it looks like there. */
export async function findCampaign(
  name: string,
  flags: DatabaseFlags,
  world: World,
): Promise<{ place: DatabasePlace; campaign: Campaign } | undefined> {
  for (const place of databasePlaces(flags, world)) {
    const campaign = (await campaignsIn(place.path)).find((found) => found.name === name);
    if (campaign !== undefined) return { place, campaign };
  }
  return undefined;
}
