import type { Clock } from '../../runtime/clock.ts';
import { messageOf } from '../../runtime/errors.ts';
import { runCommand } from '../../runtime/run-command.ts';
import { asSentence } from '../../text/plural.ts';
import type { World } from '../world.ts';
import type { Pulse } from './pulse.ts';

/** Without a watchdog, the state is sent this often. */
const TELL_EVERY_MS = 30_000;
/** A message that takes longer has failed. */
const HELPER_WITHIN_MS = 5_000;
const WORDS = {
  stuck: 'campaigns are not looked over any more',
  store: 'the database cannot be written',
};

/** Tells the service manager, if there is one, that `serve` is ready, runs and stops. Nothing here rejects. */
export function watchForManager(
  pulse: Pick<Pulse, 'health' | 'goesRound'>,
  stopping: AbortSignal,
  world: Pick<World, 'clock' | 'env' | 'owner' | 'tell'>,
  manager = serviceManager(world.env, world.owner.pid, world.clock),
) {
  const over = new AbortController();
  let going: Promise<void> | undefined;
  let hasFailed = false;

  const tell = async (assignments: Record<string, string>): Promise<void> => {
    try {
      await manager?.tell(assignments);
    } catch (error) {
      if (!hasFailed)
        world.tell(
          `The service manager could not be told how callsheet does: ${asSentence(messageOf(error))} With Type=notify it waits for that, and then ends callsheet.`,
          'problem',
        );
      hasFailed = true;
    }
  };

  const goOn = async (watchdogMs: number | null) => {
    const everyMs = Math.min(TELL_EVERY_MS, (watchdogMs ?? Infinity) / 2);
    const awake = AbortSignal.any([over.signal, stopping]);
    while (!awake.aborted) {
      const unwell = pulse.health();
      const status = unwell === null ? 'Campaigns are looked after' : `Failing: ${WORDS[unwell]}`;
      // READY is repeated: a message may be lost, and then the manager would wait for it in vain.
      await tell({ STATUS: status, ...(pulse.goesRound() && { READY: '1', WATCHDOG: '1' }) });
      await world.clock.sleep(everyMs, awake);
    }
    // From then on systemd does not watch any more (service_set_state in its src/core/service.c).
    await tell({
      STOPPING: '1',
      STATUS: 'Stopping: no new call is started, calls in progress are collected',
    });
  };

  return {
    /** `serve` is ready. */
    ready: (): void => {
      if (manager !== null) going = goOn(manager.watchdogMs);
    },
    close: async (): Promise<void> => {
      over.abort();
      await going;
    },
  };
}

type Env = Readonly<Record<string, string | undefined>>;

export interface ServiceManager {
  /** The manager restarts this process if it gets no `WATCHDOG=1` for so long, ms; null: it does not watch. */
  watchdogMs: number | null;
  /** Sends assignments such as `READY=1` as one message. @throws Error that says why they could not be sent */
  tell(assignments: Readonly<Record<string, string>>): Promise<void>;
}

/**
 * The service manager that waits for messages of this process (sd_notify(3)); null: there is none.
 *
 * Its socket takes datagrams, and Node has no Unix datagram sockets (nodejs/node#29339). So systemd's own
 * `systemd-notify` sends each message: a short process, started without a shell. It is not the main process, so the
 * unit needs `NotifyAccess=all`; it waits until systemd has read the message and knows its sender.
 *
 * @param pid of this process: a watchdog that is meant for the process that started this one is ignored
 */
export function serviceManager(
  env: Env,
  pid: number,
  clock: Pick<Clock, 'after'>,
): ServiceManager | null {
  const socket = env['NOTIFY_SOCKET'] ?? '';
  // A path, or a name in the abstract namespace; nothing else is a socket of this machine.
  if (!/^[/@]./.test(socket)) return null;
  const options = {
    folder: '/',
    env: { NOTIFY_SOCKET: socket, PATH: env['PATH'] ?? '' },
    input: '',
    withinMs: HELPER_WITHIN_MS,
    clock,
  };
  return {
    watchdogMs: watchdogOf(env, pid),
    tell: async (assignments) => {
      // Each is a line of the message, so that a value is one line.
      const words = Object.entries(assignments).map(
        ([name, value]) => `${name}=${value.replaceAll(/\s+/g, ' ')}`,
      );
      const { ok, why, output } = await runCommand(['systemd-notify', ...words], options);
      if (ok) return;
      throw new Error(`systemd-notify: ${output.trim() === '' ? why : messageOf(output.trim())}`);
    },
  };
}

/** `WATCHDOG_PID`: left out, or the process that is watched. */
function watchdogOf(env: Env, pid: number): number | null {
  const isOurs = (env['WATCHDOG_PID'] ?? String(pid)) === String(pid);
  const micros = Number(env['WATCHDOG_USEC'] ?? '');
  return isOurs && Number.isFinite(micros) && micros > 0 ? micros / 1_000 : null;
}
