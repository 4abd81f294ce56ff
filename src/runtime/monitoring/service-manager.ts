import { fstatSync, write } from 'node:fs';
import { promisify } from 'node:util';
import type { Clock } from '../clock.ts';
import { messageOf } from '../errors.ts';
import { runCommand } from '../run-command.ts';

type Env = Readonly<Record<string, string | undefined>>;

export interface ServiceManager {
  /** The manager restarts this process if it hears nothing for so long, ms; null: it does not watch. */
  watchdogMs: number | null;
  /** Sends assignments such as `READY=1` as one message. @throws Error that says why they could not be sent */
  tell(assignments: Readonly<Record<string, string>>): Promise<void>;
}

/** The first descriptor that systemd passes on (sd_listen_fds(3)). */
const FIRST_PASSED = 3;
/** The name of the socket's descriptor in `OpenFile=` of the unit. */
const PASSED_AS = 'notify';
const HELPER_WITHIN_MS = 5_000;

/**
 * The service manager that waits to be told how this process does (sd_notify(3)); null: there is none.
 *
 * Its socket takes datagrams, and Node has no Unix datagram sockets (nodejs/node#29339). There are two ways without a
 * library. Where systemd has opened the socket (`OpenFile=`, 253 or newer), its descriptor is there already, connected:
 * a message is one write to it, by this very process. Else systemd's own `systemd-notify` sends it: a short process
 * for each message, every half minute, started without a shell. As it is another process than the main one, the unit
 * needs `NotifyAccess=all`; it waits until the message was read, so that it is known by then whose it is.
 *
 * @param pid of this process: what was meant for another one that started this one is not used
 */
export function serviceManager(
  env: Env,
  pid: number,
  clock: Pick<Clock, 'after'>,
): ServiceManager | null {
  const socket = env['NOTIFY_SOCKET'] ?? '';
  // A path, or a name in the abstract namespace; nothing else is a socket of this machine.
  if (!/^[/@]./.test(socket)) return null;
  const passed = passedSocket(env, pid);
  const send =
    passed === undefined
      ? (text: readonly string[]) => byHelper(text, { socket, path: env['PATH'] ?? '' }, clock)
      : (text: readonly string[]) => byDescriptor(text, passed);
  return {
    watchdogMs: watchdogOf(env, pid),
    tell: (assignments) =>
      send(
        // Each is a line of the message, so that a value is one line.
        Object.entries(assignments).map(
          ([name, value]) => `${name}=${value.replaceAll(/\s+/g, ' ')}`,
        ),
      ),
  };
}

/** `WATCHDOG_PID`: left out, or the process that is watched. */
function watchdogOf(env: Env, pid: number): number | null {
  const isOurs = (env['WATCHDOG_PID'] ?? String(pid)) === String(pid);
  const micros = Number(env['WATCHDOG_USEC'] ?? '');
  return isOurs && Number.isFinite(micros) && micros > 0 ? micros / 1_000 : null;
}

function passedSocket(env: Env, pid: number): number | undefined {
  if (env['LISTEN_PID'] !== String(pid)) return undefined;
  const count = Number(env['LISTEN_FDS'] ?? '');
  const index = (env['LISTEN_FDNAMES'] ?? '').split(':').indexOf(PASSED_AS);
  if (index === -1 || !(index < count)) return undefined;
  const descriptor = FIRST_PASSED + index;
  try {
    return fstatSync(descriptor).isSocket() ? descriptor : undefined;
  } catch {
    return undefined;
  }
}

async function byDescriptor(text: readonly string[], descriptor: number): Promise<void> {
  await promisify(write)(descriptor, text.join('\n'));
}

async function byHelper(
  text: readonly string[],
  { socket, path }: { socket: string; path: string },
  clock: Pick<Clock, 'after'>,
): Promise<void> {
  const env = { NOTIFY_SOCKET: socket, PATH: path };
  const options = { folder: '/', env, input: '', withinMs: HELPER_WITHIN_MS, clock };
  const { ok, why, output } = await runCommand(['systemd-notify', ...text], options);
  if (ok) return;
  throw new Error(`systemd-notify: ${output.trim() === '' ? why : messageOf(output.trim())}`);
}
