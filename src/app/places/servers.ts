import { readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

import { messageOf, usageError } from '../../runtime/errors.ts';
import { isLoopback } from '../../runtime/process.ts';
import { readServerUrl } from '../../runtime/server-url.ts';
import type { ConsoleStore } from '../../store/console.ts';
import type { Taken } from '../../store/postgres/messages.ts';
import type { ServerOptions, ServerStore } from '../../store/postgres/open.ts';
import { latestVersion } from '../../store/sqlite/migrate.ts';
import { zonedTime } from '../../text/times.ts';
import { counted } from '../../text/wording.ts';
import type { Machines } from '../../views/services.ts';
import type { World } from '../world.ts';
import { locateDatabase, requireFile, type DatabasePlace, type DatabaseRequest } from './home.ts';

export type ServerPlace = Extract<DatabasePlace, { file?: undefined }>;
/** What the connection to a server takes from the world. */
export type ServerWorld = Pick<World, 'env' | 'cwd' | 'dbPasswordFile' | 'journal' | 'disk'>;

/** Nobody with a database in a file loads the driver of PostgreSQL. */
const postgres = () => import('../../store/postgres/open.ts');

/** How a schema is opened, without its journal. @throws AppError `STORE_UNUSABLE` (exit 2) for a file that cannot be read */
export function serverOptions(
  { url, folder }: Pick<ServerPlace, 'url' | 'folder'>,
  world: ServerWorld,
): Omit<ServerOptions, 'mode' | 'journal'> {
  const { hosts, user, database, schema, rootCertificate } = readServerUrl(url, '--db');
  const isHere = hosts.every(({ host }) => isLoopback(host.includes(':') ? `[${host}]` : host));
  const ca = rootCertificate === undefined ? undefined : read(rootCertificate, 'sslrootcert');
  const password =
    world.dbPasswordFile === undefined
      ? world.env['PGPASSWORD']
      : read(world.dbPasswordFile, '--db-password-file').replace(/\r?\n$/, '');
  const ssl = { rejectUnauthorized: true, ...(ca !== undefined && { ca }) } as const;
  const address = {
    ...{ hosts, user, database, password, application_name: 'callsheet' },
    ssl: isHere && ca === undefined ? undefined : ssl,
  };
  return { address, schema, name: url, folder };

  function read(path: string, from: string): string {
    try {
      return readFileSync(resolve(world.cwd, path), 'utf8');
    } catch (error) {
      throw usageError(
        'STORE_UNUSABLE',
        `The file ${path} of ${from} cannot be read: ${messageOf(error)}.`,
        'name the right one',
        error,
      );
    }
  }
}

/** Opens a database on a server. @throws AppError those of `openServerStore` in src/store/postgres */
export async function openServerStore(
  place: Pick<ServerPlace, 'url' | 'folder'>,
  world: ServerWorld,
  {
    mode,
    onCommit,
    onMended,
    onRecovered,
    mendAt,
  }: Pick<ServerOptions, 'mode' | 'onCommit' | 'onMended' | 'onRecovered' | 'mendAt'>,
): Promise<ServerStore> {
  const { folder } = place;
  const { journal: named, cwd, disk } = world;
  // Several databases may have their journals in the folder that is named.
  const journal =
    named === undefined
      ? join(folder, 'callsheet.dials')
      : join(resolve(cwd, named), `${basename(folder)}.dials`);
  const { openServerStore: open } = await postgres();
  return open({
    ...{ ...serverOptions(place, world), mode, journal, disk },
    ...{ onCommit, onMended, onRecovered, mendAt },
  });
}

/** Opens the console's store on a server. @throws AppError those of `openServerStore` */
export async function openServerConsole(
  place: ServerPlace,
  world: ServerWorld,
): Promise<ConsoleStore> {
  return (await postgres()).openServerConsole(serverOptions(place, world));
}

/** Makes the schema of callsheet on a server, or brings it up to date. */
export async function migrateDatabase(request: DatabaseRequest, world: World) {
  const place = requireServer(request, world, 'is brought up to date when it is opened');
  const from = await (await postgres()).onServer('migrate', serverOptions(place, world));
  return { database: place.url, made: from === null, from, version: latestVersion() };
}

/**
 * Moves the database of a file into an empty schema on a server. Results, lists and uploads stay on this machine.
 *
 * @param request.consoleFile the file of users and tokens
 */
export async function moveDatabase(
  { to, consoleFile, ...request }: DatabaseRequest & { to: string; consoleFile: string },
  world: World,
  confirm: (from: string, url: string) => Promise<void>,
) {
  const file = requireFile(
    locateDatabase(request, world, false),
    'A move',
    'name the file with --db',
  );
  const place = requireServer({ db: to }, world, 'is what a move begins with');
  await confirm(file, place.url);
  const from = { file, console: consoleFile };
  const moved = await (await postgres()).onServer('move', serverOptions(place, world), from);
  return { from: file, to: place.url, ...moved };
}

/** Copies what a rehearsal needs into a new file. @throws AppError those of `openServerStore` */
export async function takeForRehearsal(place: ServerPlace, world: ServerWorld, what: Taken) {
  await (await postgres()).onServer('take', serverOptions(place, world), what);
  return what.file;
}

/**
 * The machines that call from a database on a server, and what a person says of them.
 *
 * @param change `forget`: one that is gone for good; `restored`: a copy was put in the place of the database
 */
export async function machinesOf(
  request: DatabaseRequest,
  world: World,
  change?: { forget: string } | 'restored',
): Promise<Machines> {
  const place = requireServer(
    request,
    world,
    'is used by one machine, whose dial journal is beside it',
  );
  const iso = zonedTime(world.timezone);
  return withMachines(place, world, async (store) => {
    if (change === 'restored') await store.wasRestored();
    else if (change !== undefined && !(await store.forgetMachine(change.forget)))
      throw usageError(
        'MACHINE_UNKNOWN',
        `No machine "${change.forget}" calls from ${place.url}.`,
        '`callsheet machines list` names them',
      );
    const found = await store.machines();
    return found.map(({ id, seenAt, leftAt, isAwaited }) => ({
      ...{ name: id, seenAt: iso(seenAt), isAwaited },
      leftAt: leftAt === null ? null : iso(leftAt),
    }));
  });
}

async function withMachines<T>(
  place: ServerPlace,
  world: ServerWorld,
  use: (store: ServerStore) => Promise<T>,
): Promise<T> {
  const store = await openServerStore(place, world, { mode: 'read' });
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/** @param why what a file needs none of this for, behind its name */
function requireServer(request: DatabaseRequest, world: World, why: string): ServerPlace {
  const place = locateDatabase(request, world, false);
  if (place.file === undefined) return place;
  throw usageError(
    'STORE_IN_FILE',
    `The database ${place.file} is a file, which ${why}.`,
    'name a database on a server with --db postgres://USER@HOST/DATABASE, or leave this command out',
  );
}

/** Fewer dials a second than this are told: usual campaigns need up to 5. */
const FEW = 5;

/** What `doctor` says of a database on a server, and of the way there. @throws AppError those of `openServerStore` */
export async function examineServer(place: ServerPlace, world: ServerWorld) {
  const options = serverOptions(place, world);
  const found = await (await postgres()).onServer('look', options);
  const machines = await withMachines(place, world, (store) => store.machines());
  const { version, schemaVersion, roundTripMs, clockOffMs, standbys } = found;
  // A call takes some thirty statements, one after the other, of the one that writes.
  const perSecond = Math.floor(1_000 / (30 * roundTripMs + 3));
  const next =
    perSecond < FEW
      ? '. Next: Run callsheet nearer to the server, in the same zone of its host.'
      : '';
  const tls = options.address.ssl === undefined ? 'without TLS, on this machine' : 'by TLS';
  const names = standbys.map(({ name, state }) => `${name ?? 'a standby'} (${state ?? 'unknown'})`);
  const copies =
    names.length === 0 ? 'no standby replicates it' : `replicated by ${names.join(', ')}`;
  return {
    database: `${place.url}: PostgreSQL ${Math.floor(version / 10_000)}.${version % 10_000}, schema version ${schemaVersion}; its settings keep what it confirms; ${copies}`,
    way: `an answer of the server takes ${roundTripMs.toFixed(1)} ms, enough for ${counted(perSecond, 'dial')} a second at most; its clock differs by ${Math.round(clockOffMs)} ms; ${tls}${next}`,
    isNear: perSecond >= FEW,
    awaited: machines.filter(({ isAwaited }) => isAwaited).map(({ id }) => id),
  };
}
