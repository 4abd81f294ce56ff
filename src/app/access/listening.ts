import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { messageOf, usageError } from '../../runtime/errors.ts';
import { isGone, isLoopback } from '../../runtime/process.ts';
import type { ConsoleStore } from '../../store/console.ts';
import { openSqliteConsole } from '../../store/sqlite/console.ts';
import { realPath } from '../../store/sqlite/file/files.ts';
import { asSentence, counted, shellWord } from '../../text/wording.ts';
import { locateDatabase, type DatabaseRequest } from '../places/home.ts';
import { openServerConsole } from '../places/servers.ts';
import type { World } from '../world.ts';
import { createLink } from './sessions.ts';

/** Where to open the console. */
export interface SignIn {
  /** Its base address without a trailing slash. */
  url: string;
  /** An address that signs in the first person who opens it, within 5 minutes; null: there are users with names. */
  link: string | null;
}

/** Lets other processes at this database find the console at `url`. @returns call it when the console has ended */
export async function announceConsole(
  store: ConsoleStore,
  url: string,
  { clock, owner }: Pick<World, 'clock' | 'owner'>,
): Promise<() => Promise<void>> {
  for (const listening of await store.listening())
    if (isGone(listening.owner, owner)) await store.removeListening(listening);
  await store.addListening({ url, owner, at: clock.now() });
  return () => store.removeListening({ url, owner });
}

/** The address of the console at this database that began last and is still there; undefined: there is none. */
export async function runningConsole(
  store: ConsoleStore,
  { owner }: Pick<World, 'owner'>,
): Promise<string | undefined> {
  const found = (await store.listening()).find(
    (listening) =>
      !isGone(listening.owner, owner) &&
      // Another machine's own address leads nowhere from here.
      (listening.owner.host === owner.host || !isLoopback(new URL(listening.url).hostname)),
  );
  return found?.url;
}

/** How to get into the console at `url`. */
export async function signInAt(
  store: ConsoleStore,
  url: string,
  world: Pick<World, 'clock'>,
): Promise<SignIn> {
  if (await asksForNames(store)) return { url, link: null };
  const { text } = await createLink(store, world);
  return { url, link: `${url}/link/${text}` };
}

/** True when there are users: people sign in with name and password, and no links are made. */
export async function asksForNames(store: ConsoleStore): Promise<boolean> {
  return (await store.users()).length > 0;
}

/** How to get into the console that runs at this database. @throws AppError `CONSOLE_NOT_RUNNING` (exit 2) */
export async function signInToRunning(request: DatabaseRequest, world: World): Promise<SignIn> {
  if (!hasConsoleStore(request, world)) throw notRunning(request, world);
  return withConsoleStore(request, world, async (store) => {
    const url = await runningConsole(store, world);
    if (url === undefined) throw notRunning(request, world);
    return signInAt(store, url, world);
  });
}

function notRunning(request: DatabaseRequest, world: World) {
  return usageError(
    'CONSOLE_NOT_RUNNING',
    `No console runs at this database (none is noted in ${consoleName(request, world)}).`,
    'start it with `callsheet console`, or name its database with --db',
  );
}

/** The name of the console's own database, beside the other ones of its folder. */
export const CONSOLE_DB = 'console.db';

/** The file of users, tokens and the log: beside the database in use, which need not exist. */
export function consolePath(request: DatabaseRequest, world: Place): string {
  const { file, folder } = locateDatabase(request, world, false);
  return join(file === undefined ? folder : dirname(realPath(file)), CONSOLE_DB);
}

/** What messages call the store of the console. */
function consoleName(request: DatabaseRequest, world: Place): string {
  return locateDatabase(request, world, false).url ?? consolePath(request, world);
}

type Place = Parameters<typeof locateDatabase>[1];

/**
 * Opens the console's store, on the server of the database or in a file, and creates a missing file; the caller closes
 * it. What was done stands where it cannot be
 * logged, which is told once until it can again.
 */
export async function openConsoleStore(
  request: DatabaseRequest,
  world: World,
): Promise<ConsoleStore> {
  const place = locateDatabase(request, world, false);
  const store =
    place.file === undefined
      ? await openServerConsole(place, world)
      : openSqliteConsole(consolePath(request, world));
  let isTold = false;
  const tell = (error: unknown) => {
    world.keepStack(error);
    const why = asSentence(messageOf(error));
    if (!isTold) world.tell(`Who does what in the console cannot be logged: ${why}`, 'problem');
    isTold = true;
  };
  const written = () => void (isTold = false);
  return { ...store, appendLog: (entry) => store.appendLog(entry).then(written, tell) };
}

/**
 * Opens the console's store, and closes it when `use` has ended.
 *
 * @param mayCreate false: a missing file is refused
 */
export async function withConsoleStore<T>(
  request: DatabaseRequest,
  world: World,
  use: (store: ConsoleStore) => Promise<T>,
  mayCreate = true,
): Promise<T> {
  if (!mayCreate && !hasConsoleStore(request, world))
    throw usageError(
      'CONSOLE_MISSING',
      `No user and no token was ever added here: there is no ${consolePath(request, world)}.`,
      'name the right database with --db, or add the first user with `callsheet users add NAME --role admin`',
    );
  const store = await openConsoleStore(request, world);
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/** False: nobody was ever added here, and looking need not create a file. */
export function hasConsoleStore(request: DatabaseRequest, world: Place): boolean {
  const isOnServer = locateDatabase(request, world, false).file === undefined;
  return isOnServer || existsSync(consolePath(request, world));
}

/** Mode bits of other users of the machine. */
const OTHERS = 0o077;

/** Checks the file of users and tokens: whether it can be opened, and by whom. Null: there is none. */
export async function checkConsole(
  request: DatabaseRequest,
  world: World,
): Promise<{ detail: string; ok: boolean } | null> {
  if (!hasConsoleStore(request, world)) return null;
  const path = consolePath(request, world);
  const held = await withConsoleStore(request, world, async (store) => {
    const [users, tokens] = [await store.users(), await store.tokens()];
    return `${counted(users.length, 'user')} and ${counted(tokens.length, 'token')}`;
  });
  // On a server there is no file.
  const mode = (statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o777;
  if ((mode & OTHERS) === 0) return { detail: `${consoleName(request, world)}: ${held}`, ok: true };
  return {
    detail: `${path} is open to other users of this machine (mode ${mode.toString(8)}), who could guess its passwords at their leisure. Next: \`chmod 600 ${shellWord(path)}\`.`,
    ok: false,
  };
}
