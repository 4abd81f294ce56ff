import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { backUp } from '../../store/sqlite/file/backup.ts';
import { besideDatabase } from '../../store/sqlite/file/files-in-place.ts';
import { restoreBackup } from '../../store/sqlite/file/restore.ts';
import { openStore, withStore } from '../places/databases.ts';
import {
  locateDatabase,
  isThere,
  requireFile,
  type DatabasePlace,
  type DatabaseRequest,
} from '../places/home.ts';
import { inUse, requireNoDatabaseFile, requireUnused } from '../places/output-file.ts';
import type { World } from '../world.ts';

type BackupRequest = DatabaseRequest & { file: string };

/**
 * Copies the database to one file, consistent and verified; runners may continue meanwhile.
 *
 * @param request.force replaces the file if it exists
 * @returns what the copy holds, and both paths, absolute
 */
export async function backUpDatabase(request: BackupRequest & { force: boolean }, world: World) {
  const place = locateDatabase(request, world, false);
  const database = requireFile(
    place,
    'A backup',
    "copy its schema with `pg_dump --schema=NAME`, or use the point-in-time recovery of the server's host",
  );
  const file = resolve(world.cwd, request.file);
  requireNoDatabaseFile(file, world, database);
  if (existsSync(file) && isThere(place)) await refuseUsed(file, place, world);
  return { database, file, ...backUp({ from: database, to: file, replace: request.force }) };
}

async function refuseUsed(file: string, place: DatabasePlace, world: World): Promise<void> {
  const worked = besideDatabase(file).find((path) => existsSync(path));
  if (worked !== undefined)
    throw inUse(file, `a database that is worked with (${worked} is beside it)`);
  await withStore(place, 'read', world, (store) => requireUnused(file, { store }, world));
}

/**
 * Puts a backup in place. Calls that are missing from it come back from the dial journal as unknown, and are counted.
 *
 * @param request.alone the operator vouches that no process uses the database, for a database too damaged to check that
 */
export async function restoreDatabase(request: BackupRequest & { alone: boolean }, world: World) {
  const place = locateDatabase(request, world, false);
  const path = requireFile(
    place,
    'To restore a backup',
    "use `psql` with what `pg_dump --schema=NAME` wrote, or the point-in-time recovery of the server's host",
  );
  const from = resolve(world.cwd, request.file);
  const stamp = new Date(world.clock.now()).toISOString().slice(0, 19).replaceAll(':', '-');
  const keepAs = `replaced-${stamp}Z`;
  const { holdings, keptAs, ...done } = restoreBackup({ from, path, keepAs, alone: request.alone });
  let { recovered } = done;
  const onRecovered = (count: number) => {
    recovered += count;
  };
  // Opened as a run would: settings are asserted, and the dial journal is compared once more.
  const onWarning = () => undefined;
  await (await openStore(place, 'dial', world, { onRecovered, onWarning })).close();
  return { database: path, file: from, ...holdings, recovered, keptAs };
}
