import { consolePath, openConsoleStore } from '../app/access/console-store.ts';
import {
  announceConsole,
  asksForNames,
  runningConsole,
  signInAt,
  type SignIn,
} from '../app/access/listening.ts';
import { sweepUploads, uploadFolder } from '../app/lists/uploads.ts';
import type { StopSignals } from '../app/run/run-events.ts';
import { tellUncalled } from '../app/watch/campaigns.ts';
import type { World } from '../app/world.ts';
import { MINUTE_MS } from '../domain/time-units.ts';
import { AppError, usageError } from '../runtime/errors.ts';
import type { Log } from '../runtime/log.ts';
import { isLoopback } from '../runtime/process.ts';
import { CallRates, type Desk } from './desk.ts';
import { createJobs } from './jobs/jobs.ts';
import { startServer, type ConsoleAt } from './server.ts';

export interface ConsoleRequest {
  at: ConsoleAt;
  db: string | undefined;
  services: string | undefined;
  /** Who calls a campaign that is started here. */
  dials: Desk['dials'];
  /** The largest upload, bytes. */
  mostUploadBytes: number;
  version: string;
}

/** A console that listens, and how to get into it. */
export interface RunningConsole extends SignIn {
  /** Waits for calls and imports that were begun here; their stop is the caller's. A second time does nothing more. */
  close(): Promise<void>;
}

/**
 * Starts the console: the API and the pages.
 *
 * @param stop ends the calls that were begun here, as Ctrl-C ends those of `run`
 * @throws AppError `CONSOLE_UNSAFE` (exit 2) for an address that others reach without users or without https, and
 *   those of `startServer`
 */
export async function startConsole(
  { at, db, services, dials, mostUploadBytes, version }: ConsoleRequest,
  { log, stop }: { log: Log; stop: StopSignals },
  world: World,
): Promise<RunningConsole> {
  const files = { db, services };
  const access = openConsoleStore(files, world);
  try {
    refuseUnsafe(at, await asksForNames(access));
    const rates = new CallRates(world.clock);
    const jobs = createJobs(world, stop);
    const folder = uploadFolder(consolePath(files, world));
    const uploads = { folder, mostBytes: mostUploadBytes };
    const secure = at.tls !== null || at.behindProxy;
    const desk: Desk = { world, files, access, jobs, rates, log, dials, uploads, secure, version };
    const server = await startServer(at, desk).catch(async (error: unknown) => {
      throw withRunning(error, at, await runningConsole(access, world));
    });
    // Beside `serve`, that one tells.
    if (dials === 'here') await tellUncalled(files, false, world).catch(world.keepStack);
    const ended = await announceConsole(access, server.url, world);
    const over = new AbortController();
    const sweeping = sweepHourly(desk, over.signal);
    const closeAll = async () => {
      over.abort();
      await jobs.ended();
      await ended();
      await server.close();
      await sweeping;
      await access.close();
    };
    let closing: Promise<void> | undefined;
    return {
      ...(await signInAt(access, server.url, world)),
      close: () => (closing ??= closeAll()),
    };
  } catch (error) {
    await access.close();
    throw error;
  }
}

const SWEEP_EVERY_MS = 60 * MINUTE_MS;

/** Deletes what was sent a day ago and nothing has taken; what fails is logged and tried again. */
async function sweepHourly(
  { access, files, uploads, world }: Desk,
  over: AbortSignal,
): Promise<void> {
  while (!over.aborted) {
    await sweepUploads(access, uploads.folder, files, world).catch(world.keepStack);
    await world.clock.sleep(SWEEP_EVERY_MS, over);
  }
}

/** The port is mostly taken by the console of this database itself, which somebody wants to see again. */
function withRunning(error: unknown, { port }: ConsoleAt, url: string | undefined): unknown {
  const isTaken = error instanceof AppError && error.code === 'CONSOLE_PORT_UNAVAILABLE';
  if (!isTaken || url === undefined || new URL(url).port !== String(port)) return error;
  return usageError(
    'CONSOLE_PORT_UNAVAILABLE',
    `The console of this database runs already, at ${url}.`,
    '`callsheet console --link` says how to get into it',
    error,
  );
}

/** An address that others reach needs passwords, and a connection that nobody can listen in on. */
function refuseUnsafe({ host, behindProxy, tls, flags }: ConsoleAt, hasUsers: boolean): void {
  const isHere = isLoopback(host.includes(':') ? `[${host}]` : host);
  if (isHere && !behindProxy) return;
  const where = isHere ? 'behind a proxy' : `on ${host}`;
  if (!hasUsers) {
    throw usageError(
      'CONSOLE_UNSAFE',
      `The console does not listen ${where} without users: everybody who reaches it could call people.`,
      'add one with `callsheet users add NAME --role admin`',
    );
  }
  if (behindProxy || tls !== null) return;
  throw usageError(
    'CONSOLE_UNSAFE',
    `The console does not listen ${where} without https: passwords could be read on the way.`,
    `give ${flags}tls-cert and ${flags}tls-key, or ${flags}behind-proxy where a proxy speaks https outside`,
  );
}
