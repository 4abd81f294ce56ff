import { messageOf } from '../../runtime/errors.ts';
import { runCommand } from '../../runtime/run-command.ts';
import { asSentence } from '../../text/plural.ts';
import type { World } from '../world.ts';
import type { Pulse } from './pulse.ts';

/** Without a watchdog, `READY` is sent this often. */
const TELL_EVERY_MS = 30_000;
/** A message that takes longer has failed. */
const HELPER_WITHIN_MS = 5_000;

/** Sends assignments such as `READY=1` as one message. @throws Error that says why they could not be sent */
export type TellManager = (...assignments: string[]) => Promise<void>;

/**
 * Tells systemd, where it waits for that (`Type=notify`, sd_notify(3)), that `serve` is ready, runs and stops; it
 * restarts a process that sends no `WATCHDOG=1` for `WATCHDOG_USEC`. Nothing here rejects.
 *
 * @param send null: there is no service manager
 */
export function watchForManager(
  pulse: Pick<Pulse, 'goesRound'>,
  stopping: AbortSignal,
  { clock, env, tell }: Pick<World, 'clock' | 'env' | 'tell'>,
  send: TellManager | null = managerOf({ clock, env }),
) {
  const over = new AbortController();
  let going: Promise<void> | undefined;
  let hasFailed = false;

  const trySend: TellManager = async (...assignments) => {
    try {
      await send?.(...assignments);
    } catch (error) {
      if (!hasFailed)
        tell(
          `The service manager could not be told how callsheet does: ${asSentence(messageOf(error))} With Type=notify it waits for that, and then ends callsheet.`,
          'problem',
        );
      hasFailed = true;
    }
  };

  const goOn = async () => {
    const watchdogMs = Number(env['WATCHDOG_USEC']) / 1_000;
    const everyMs = watchdogMs > 0 ? Math.min(TELL_EVERY_MS, watchdogMs / 2) : TELL_EVERY_MS;
    const awake = AbortSignal.any([over.signal, stopping]);
    while (!awake.aborted) {
      // READY is repeated: a message may be lost, and then the manager would wait for it in vain.
      if (pulse.goesRound()) await trySend('READY=1', 'WATCHDOG=1');
      await clock.sleep(everyMs, awake);
    }
    // From then on systemd does not watch any more (service_set_state in its src/core/service.c).
    await trySend('STOPPING=1');
  };

  return {
    /** `serve` is ready. */
    ready: (): void => {
      if (send !== null) going = goOn();
    },
    close: async (): Promise<void> => {
      over.abort();
      await going;
    },
  };
}

/**
 * Node has no Unix datagram sockets (nodejs/node#29339), so systemd's own `systemd-notify` sends each message: a short
 * process, started without a shell. It is not the main process, so the unit needs `NotifyAccess=all`.
 */
export function managerOf({ clock, env }: Pick<World, 'clock' | 'env'>): TellManager | null {
  const socket = env['NOTIFY_SOCKET'] ?? '';
  // A path, or a name in the abstract namespace; nothing else is a socket of this machine.
  if (!/^[/@]./.test(socket)) return null;
  const own = { NOTIFY_SOCKET: socket, PATH: env['PATH'] ?? '' };
  const options = { folder: '/', env: own, input: '', withinMs: HELPER_WITHIN_MS, clock };
  return async (...assignments) => {
    const { ok, why, output } = await runCommand(['systemd-notify', ...assignments], options);
    if (!ok)
      throw new Error(`systemd-notify: ${output.trim() === '' ? why : messageOf(output.trim())}`);
  };
}
