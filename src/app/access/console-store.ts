import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { usageError } from '../../runtime/errors.ts';
import type { ConsoleStore } from '../../store/console.ts';
import { openSqliteConsole } from '../../store/sqlite/console/open.ts';
import { realPath } from '../../store/sqlite/file/files.ts';
import { locateDatabase, type DatabaseRequest } from '../places/home.ts';
import type { World } from '../world.ts';

/** The name of the console's own database, beside the other ones of its folder. */
export const CONSOLE_DB = 'console.db';

/** The file of users, tokens and the log: beside the database in use, which need not exist. */
export function consolePath(request: DatabaseRequest, world: Place): string {
  const { path } = locateDatabase(request, world, false);
  return join(dirname(realPath(path)), CONSOLE_DB);
}

type Place = Parameters<typeof locateDatabase>[1];

/**
 * Opens the console's store, creating a missing file; the caller closes it.
 *
 * @throws AppError those of `openSqliteConsole`
 */
export function openConsoleStore(request: DatabaseRequest, world: Place): ConsoleStore {
  return openSqliteConsole(consolePath(request, world));
}

/**
 * Opens the console's store, and closes it when `use` has ended.
 *
 * @param mayCreate false: a missing file is refused
 * @throws AppError `CONSOLE_MISSING` (exit 2), and those of `openSqliteConsole`
 */
export async function withConsoleStore<T>(
  request: DatabaseRequest,
  world: World,
  use: (store: ConsoleStore) => Promise<T>,
  mayCreate = true,
): Promise<T> {
  if (!mayCreate && !hasConsoleStore(request, world)) throw missing(consolePath(request, world));
  const store = openConsoleStore(request, world);
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/** False: nobody was ever added here, and looking need not create a file. */
export function hasConsoleStore(request: DatabaseRequest, world: Place): boolean {
  return existsSync(consolePath(request, world));
}

function missing(path: string) {
  return usageError(
    'CONSOLE_MISSING',
    `No user and no token was ever added here: there is no ${path}.`,
    'name the right database with --db, or add the first user with `callsheet users add NAME --role admin`',
  );
}
