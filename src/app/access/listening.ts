import { usageError } from '../../runtime/errors.ts';
import { isGone } from '../../runtime/process.ts';
import type { ConsoleStore } from '../../store/console.ts';
import type { World } from '../world.ts';
import type { DatabaseRequest } from '../places/home.ts';
import { consolePath, hasConsoleStore, withConsoleStore } from './console-store.ts';
import { createLink } from './sessions.ts';

/** Where to open the console. */
export interface SignIn {
  /** Its base address without a trailing slash. */
  url: string;
  /** An address that signs in whoever opens it first, within 5 minutes; null: there are users, so names are asked for. */
  link: string | null;
}

/**
 * Lets other processes at this database find the console at `url`.
 *
 * @returns call it when the console has ended
 */
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
  const found = (await store.listening()).find((listening) => !isGone(listening.owner, owner));
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

/** True when there are users: whoever wants in gives name and password, and links are not made. */
export async function asksForNames(store: ConsoleStore): Promise<boolean> {
  return (await store.users()).length > 0;
}

/**
 * How to get into the console that runs at this database.
 *
 * @throws AppError `CONSOLE_NOT_RUNNING` (exit 2)
 */
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
    `No console runs at this database (none is noted in ${consolePath(request, world)}).`,
    'start it with `callsheet console`, or name its database with --db',
  );
}
