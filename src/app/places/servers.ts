import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { messageOf, usageError } from '../../runtime/errors.ts';
import { isLoopback } from '../../runtime/process.ts';
import { readServerUrl } from '../../runtime/server-url.ts';
import { journalledStore } from '../../store/journal/journalled-store.ts';
import type { Store } from '../../store/port.ts';
import type { ServerOptions } from '../../store/postgres/open.ts';
import { ballastOf, systemDisk } from '../../store/sqlite/file/ballast.ts';
import { latestVersion } from '../../store/sqlite/migrate.ts';
import type { World } from '../world.ts';
import { locateDatabase, type DatabasePlace, type DatabaseRequest } from './home.ts';

/** A place on a server. */
export type ServerPlace = Extract<DatabasePlace, { file?: undefined }>;
/** What the connection to a server takes from the world. */
export type ServerWorld = Pick<World, 'env' | 'cwd' | 'dbPasswordFile'>;

/** Nobody with a database in a file loads the driver of PostgreSQL. */
const postgres = () => import('../../store/postgres/open.ts');

/** @throws AppError `STORE_UNUSABLE` (exit 2) for a file that cannot be read */
export function serverOptions(
  { url, folder }: Pick<ServerPlace, 'url' | 'folder'>,
  world: ServerWorld,
): ServerOptions {
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

/**
 * Opens a database on a server.
 *
 * @throws AppError `STORE_UNUSABLE` to dial, and those of `openServerStore` in src/store/postgres
 */
export async function openServerStore(
  place: Pick<ServerPlace, 'url' | 'folder'>,
  mode: 'read' | 'write' | 'dial',
  world: ServerWorld,
  onCommit: ServerOptions['onCommit'],
): Promise<Store> {
  if (mode === 'dial')
    throw usageError(
      'STORE_UNUSABLE',
      `This build makes no calls from a database on a server yet, so ${place.url} is not opened for them.`,
      'name a database file with --db PATH',
    );
  const options = serverOptions(place, world);
  const database = await (await postgres()).openServerStore({ ...options, onCommit });
  return journalledStore(database, { room: ballastOf(join(place.folder, 'results'), systemDisk) });
}

/**
 * Makes the schema of callsheet on a server, unless it is there.
 *
 * @throws AppError `STORE_IN_FILE` (exit 2), and those of `migrateServer`
 */
export async function migrateDatabase(request: DatabaseRequest, world: World) {
  const place = locateDatabase(request, world, false);
  if (place.file !== undefined)
    throw usageError(
      'STORE_IN_FILE',
      `${place.file} is a file, which is brought up to date when it is opened.`,
      'name a database on a server with --db postgres://USER@HOST/DATABASE, or leave this command out',
    );
  const isNew = await (await postgres()).migrateServer(serverOptions(place, world));
  return { database: place.url, made: isNew, version: latestVersion() };
}
