import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_SERVICES } from '../../config/services-file.ts';
import { workingEnding } from '../../domain/file-trouble.ts';
import { isOurs } from '../../results/target.ts';
import { type AppError, messageOf, usageError } from '../../runtime/errors.ts';
import { isServerUrl } from '../../runtime/server-url.ts';
import type { Store } from '../../store/port.ts';
import { besideDatabase } from '../../store/sqlite/file/files-in-place.ts';
import { realPath } from '../../store/sqlite/file/files.ts';
import { isSqlite } from '../../store/sqlite/file/not-a-database.ts';
import { homeOf, locateDatabase } from './home.ts';
import type { World } from '../world.ts';

/** A file that callsheet uses, and what kind of file it is, for the error message. */
export type UsedFile = readonly [path: string, what: string];

export interface OutputOptions {
  store: Pick<Store, 'name' | 'listCampaigns' | 'lists' | 'suppressionFiles'> | undefined;
  /** Files that the command itself reads: lists, campaign file, profile, key. */
  used?: readonly UsedFile[];
  /** The operator allowed replacing a file that callsheet did not write. */
  force: boolean;
  /** The next step in the error, for commands without `--force`. */
  hint?: string;
}

/**
 * Refuses an output that would replace a file that callsheet uses (also under another name, e.g. a link), or a file
 * that callsheet did not write. A new file, and one that callsheet wrote, may always be written.
 *
 * @param path absolute
 */
export async function requireOutput(
  path: string,
  options: OutputOptions,
  world: World,
): Promise<void> {
  const { force, hint } = options;
  await requireUnused(path, options, world);
  const isThere = identityOf(path) !== undefined && statSync(path).isFile();
  if (isThere && beginsAsDatabase(path)) throw inUse(path, 'a database');
  const ending = workingEnding(path);
  if (ending !== undefined) {
    throw usageError(
      'OUTPUT_IN_USE',
      `${path} ends in ${ending}: settings, keys or a database are read from such files, and no output is written as one.`,
      'name a file that ends in .csv, .xlsx, .jsonl or .html',
    );
  }
  if (!isThere) return;
  if (force || (await isReplaceable(path))) return;
  throw usageError(
    'OUTPUT_NOT_OURS',
    `${path} is there already, and nothing in it says that callsheet wrote it: it is not replaced.`,
    hint ?? 'move that file away, name another one with -o, or give --force to replace it',
  );
}

/** Refuses files that callsheet uses: databases and the files beside them, lists, files with settings. */
export async function requireUnused(
  path: string,
  { store, used = [] }: Pick<OutputOptions, 'store' | 'used'>,
  world: World,
): Promise<void> {
  requireNoDatabaseFile(path, world, store?.name);
  const found = identityOf(path);
  if (found === undefined) return;
  // The services file is used even where no flag names it.
  const services: UsedFile = [
    join(homeOf(world).folder, DEFAULT_SERVICES),
    'the file that names services',
  ];
  for (const [other, what] of [...used, services, ...(await listsOf(store))])
    if (identityOf(other) === found) throw inUse(path, what);
  if ([path, realPath(path)].some((name) => /\.ya?ml$/i.test(name)))
    throw inUse(path, 'a campaign file, a profile or another one with settings');
}

/**
 * Refuses the path of a database and of the files that belong to it (WAL, dial journal, ...), even while such a file
 * does not exist.
 */
export function requireNoDatabaseFile(
  path: string,
  world: Pick<World, 'cwd' | 'env' | 'userId' | 'db'>,
  name?: string,
): void {
  const places = [true, false].map((simulated) =>
    locateDatabase({ db: world.db }, world, simulated),
  );
  const files = [name, ...places.map(({ file }) => file)];
  const target = identityOf(path);
  for (const database of files) {
    if (database === undefined || isServerUrl(database)) continue;
    const beside = [database, realPath(database)].flatMap(besideDatabase);
    for (const other of [database, ...beside]) {
      const identity = identityOf(other);
      const isSame =
        identity === undefined || target === undefined
          ? spellingOf(other) === spellingOf(path)
          : identity === target;
      if (isSame) throw inUse(path, `part of the database ${database}`);
    }
  }
  const stem = /^(.+)(-wal|-shm|-journal|\.dials|\.ballast)$/i.exec(realPath(path))?.[1];
  if (stem !== undefined && beginsAsDatabase(stem))
    throw inUse(path, `part of the database ${stem}`);
}

async function listsOf(store: OutputOptions['store']): Promise<UsedFile[]> {
  if (store === undefined) return [];
  const used: UsedFile[] = [];
  for (const { id, name } of await store.listCampaigns()) {
    for (const { path } of await store.lists(id))
      used.push([path, `a list that campaign "${name}" was made from`]);
  }
  for (const { path } of await store.suppressionFiles())
    used.push([path, 'a file of the suppression list']);
  return used;
}

/** Device and inode, equal for links and other spellings of one file. Undefined: no file is visible. */
export function identityOf(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    // The later attempt to read or write the file reports the cause.
    return undefined;
  }
}

/** For comparing paths of files that may not exist: file systems may ignore case and Unicode forms. */
function spellingOf(path: string): string {
  return realPath(path).normalize('NFC').toLowerCase();
}

function beginsAsDatabase(path: string): boolean {
  try {
    return isSqlite(path);
  } catch {
    return false;
  }
}

/** Whether callsheet wrote the file and may replace it. @throws AppError `OUTPUT_IN_USE` when it cannot be read */
async function isReplaceable(path: string): Promise<boolean> {
  try {
    return await isOurs(path);
  } catch (error) {
    throw inUse(path, `a file that cannot be read (${messageOf(error)})`);
  }
}

/** The error for an output that would replace a file in use. */
export function inUse(path: string, what: string): AppError {
  return usageError(
    'OUTPUT_IN_USE',
    `${path} is ${what}: callsheet does not write over it.`,
    'name another file (-o; results.file in a campaign file)',
  );
}
