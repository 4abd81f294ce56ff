import { existsSync, readdirSync, statSync } from 'node:fs';
import { resolve } from 'node:path';

import { campaignNameOf } from '../../config/campaign-file.ts';
import { SIMULATED } from '../../config/services-file.ts';
import type { ResolvedSettings } from '../../config/settings.ts';
import type { CampaignState } from '../../domain/campaign.ts';
import { usageError, type AppError } from '../../runtime/errors.ts';
import { lockOf, patientStore, type PatienceOptions } from '../../store/patient-store.ts';
import type { Campaign, Store } from '../../store/port.ts';
import { openSqliteStore, type OpenOptions } from '../../store/sqlite/open.ts';
import { nearest } from '../../text/nearest.ts';
import { counted, shellWord, someOf } from '../../text/wording.ts';
import type { World } from '../world.ts';
import {
  isThere,
  locateDatabase,
  nameOf,
  type DatabasePlace,
  type DatabaseRequest,
} from './home.ts';
import { isFolder } from './list-or-campaign.ts';
import { openServerStore, type ServerWorld } from './servers.ts';

/** A campaign by its name. Without `db`, the real database is searched first, then that of rehearsals. */
export interface CampaignRequest extends DatabaseRequest {
  campaign: string;
}

/** A change of a campaign that somebody has looked at. */
export interface IfVersion {
  /** The version that they saw; default: whichever it is. */
  ifVersion?: number | undefined;
}

type OpenMode = OpenOptions['mode'];
/** What a command asks of an open database beside its mode. */
type OpenWishes = Omit<OpenOptions, 'path' | 'mode' | 'disk'>;

/**
 * Opens a database, and creates a missing one unless the mode is `read`. If calls that the database had lost come back
 * from the dial journal, their number is reported, once, by the process that opens the database first.
 */
export async function openStore(
  { file, url, folder }: DatabasePlace,
  mode: OpenMode,
  world: Pick<World, 'tell'> & ServerWorld,
  wishes: OpenWishes = {},
): Promise<Store> {
  const options: OpenWishes = {
    onWarning: (sentence) => world.tell(sentence),
    onRecovered: (count) => {
      const calls = counted(count, 'call');
      world.tell(
        `The database was replaced by an older copy, or has lost its last commits: ${calls} that it no longer knew came back as unknown.`,
      );
    },
    ...wishes,
  };
  if (url === undefined) return openSqliteStore({ path: file, mode, ...options });
  return openServerStore({ url, folder }, world, { mode, ...options });
}

/** Opens the database if it exists; never creates it. @throws as `openStore` */
export async function openExisting(place: DatabasePlace, mode: 'read' | PatientMode, world: World) {
  if (!isThere(place)) return undefined;
  return mode === 'read' ? openStore(place, mode, world) : openPatiently(place, world, mode);
}

/** `plan`: for calls that others make. A file is opened as to dial, so that a damaged journal is refused. */
type PatientMode = 'dial' | 'plan';

/**
 * Opens a database for a command that dials: where another program has locked it, opening and writing wait for that
 * program, and for a server that is away, so that no night is lost by it.
 */
export async function openPatiently(
  place: DatabasePlace,
  world: World,
  mode: PatientMode = 'dial',
): Promise<Store> {
  return patiently(await openUnlocked(place, world, { mode }), world);
}

/** The same store; its methods wait as `openPatiently` says. */
export const patiently = (store: Store, world: World) => patientStore(store, patienceIn(world));

/** Opens a database to dial as soon as no other program has locked it. @throws as `openPatiently` */
export function openUnlocked(
  place: DatabasePlace,
  world: World,
  { mode = 'dial', ...wishes }: Pick<OpenWishes, 'onCommit'> & { mode?: PatientMode } = {},
): Promise<Store> {
  const as = mode === 'plan' && place.file === undefined ? 'write' : 'dial';
  return outwait(place, world, () => openStore(place, as, world, wishes));
}

/** Does something again until no other program has locked the database, and its server answers. @throws as `openPatiently` */
export const outwait = <T>(place: DatabasePlace, world: World, work: () => Promise<T>) =>
  lockOf(nameOf(place), patienceIn(world)).outwait(work);

function patienceIn(world: World): PatienceOptions {
  const notify: PatienceOptions['notify'] = ({ event }) =>
    world.tell(
      event === 'store.away'
        ? 'The server of the database does not answer: waiting for it, at most ten minutes.'
        : 'Another program has locked the database: waiting for it, at most ten minutes.',
    );
  return { clock: world.clock, notify, stop: new AbortController().signal };
}

/** Opens a database as `openStore` does, and closes it when `use` has ended. */
export async function withStore<T>(
  place: DatabasePlace,
  mode: 'read' | 'write',
  world: Pick<World, 'tell'> & ServerWorld,
  use: (store: Store) => Promise<T>,
): Promise<T> {
  const store = await openStore(place, mode, world);
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
  const all = nameOf(place) === nameOf(simulated) ? [place] : [place, simulated];
  return all.filter(isThere);
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
  for (const place of places) {
    const store = await openStore(place, 'read', world);
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
    return withStore(place, mode, world, async (open) =>
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
  places = databasePlaces(flags, world),
): Promise<{ place: DatabasePlace; campaign: Campaign } | undefined> {
  for (const place of places) {
    const campaign = (await campaignsIn(place, world)).find((found) => found.name === name);
    if (campaign !== undefined) return { place, campaign };
  }
  return undefined;
}

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
  return place === undefined || nameOf(place) === nameOf(served);
}

/** What the campaign files are called, without their ending. */
function campaignFiles({ cwd }: Pick<World, 'cwd'>): string[] {
  const folder = resolve(cwd, 'campaigns');
  const files = statSync(folder, { throwIfNoEntry: false })?.isDirectory()
    ? readdirSync(folder)
    : [];
  return files.flatMap((file) => (file.endsWith('.yaml') ? [campaignNameOf(file)] : []));
}

/** What brings the first campaign into a database: a campaign file that was written for that, else a list. */
export function firstCommand(world: Pick<World, 'cwd'>): string {
  const written = campaignFiles(world).find((name) => !['services', 'example'].includes(name));
  return written === undefined
    ? '`callsheet run LIST --agent ID` begins one'
    : `\`callsheet check ${shellWord(`campaigns/${written}.yaml`)}\` looks at the one in that file`;
}

/** The campaign file of a name, by its path from the working folder; undefined: there is none. */
export function campaignFileOf(name: string, { cwd }: Pick<World, 'cwd'>): string | undefined {
  const files = [`campaigns/${name}.yaml`, `${name}.yaml`];
  return files.find((path) => existsSync(resolve(cwd, path)));
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
  const where = places.map(nameOf).join(' or ');
  const error = (message: string, hint: string) =>
    usageError('CAMPAIGN_UNKNOWN', `No campaign "${name}" is in ${where}; ${message}`, hint);

  // The default databases, unless they were among the searched ones.
  for (const simulated of [false, true]) {
    const other = locateDatabase({}, world, simulated);
    const at = nameOf(other);
    if (!isThere(other) || places.some((place) => nameOf(place) === at)) continue;
    // Errors of a database that was not asked for do not matter here.
    const campaigns = await campaignsIn(other, world).catch(() => []);
    const found = campaigns.find((campaign) => campaign.name === name);
    if (found === undefined) continue;
    return error(
      `it is ${found.simulated ? 'a rehearsal' : 'one of real calls'}, in ${at}.`,
      `\`callsheet status ${shellWord(name)} --db ${shellWord(at)}\` shows it; other commands find it with the same --db`,
    );
  }
  const folder = resolve(world.cwd, name);
  if (existsSync(folder) && statSync(folder).isDirectory()) {
    const { message, hint = '' } = isFolder(folder);
    return error(message, hint);
  }
  const names = (await Promise.all(places.map((place) => namesIn(place, world)))).flat();
  const own = campaignFileOf(name, world);
  const like = names.length > 0 ? undefined : nearest(name, campaignFiles(world));
  const file = own ?? (like && campaignFileOf(like, world));
  if (file !== undefined)
    return error(
      own !== undefined
        ? `${file} is a campaign file of that name, which is not in it yet.`
        : `did you mean ${file}, which is not in it yet?`,
      `\`callsheet check ${shellWord(file)}\`; \`callsheet import ${shellWord(campaignNameOf(file))} ${shellWord(file)}\` brings its lists in`,
    );
  if (names.length === 0) {
    const none = places.some(isThere) ? 'it has none yet' : 'there is no database yet';
    return error(`${none}.`, `${firstCommand(world)}; --db names another database`);
  }
  // Files of campaigns are given to `check` and `run`.
  const near = nearest(campaignNameOf(name), names);
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
export async function namesIn(
  place: DatabasePlace,
  world: Pick<World, 'tell'> & ServerWorld,
  only?: CampaignState,
): Promise<string[]> {
  const campaigns = isThere(place) ? await campaignsIn(place, world) : [];
  return campaigns
    .filter(({ kind, state }) => kind === 'list' && (only ?? state) === state)
    .map((campaign) => campaign.name);
}

export function campaignsIn(
  place: DatabasePlace,
  world: Pick<World, 'tell'> & ServerWorld,
): Promise<Campaign[]> {
  return withStore(place, 'read', world, (store) => store.listCampaigns());
}
