import type { Health } from '../../collect/inbox/receiver-options.ts';
import type { Clock } from '../../runtime/clock.ts';
import { AppError, messageOf } from '../../runtime/errors.ts';
import { runCommand } from '../../runtime/process.ts';
import type { Store } from '../../store/port.ts';
import type { CommitListener } from '../../store/sql/group-commit.ts';
import { asSentence } from '../../text/wording.ts';
import type { OpenService } from '../services/service.ts';
import type { World } from '../world.ts';
import type { MetricsAt } from './metrics-listener.ts';

/** Without a watchdog, `READY` is sent this often. */
const TELL_EVERY_MS = 30_000;
/** A message that takes longer has failed. */
const HELPER_WITHIN_MS = 5_000;

/** Sends assignments such as `READY=1` as one message. @throws Error that says why they could not be sent */
type TellManager = (...assignments: string[]) => Promise<void>;

/**
 * Tells systemd, where it waits for that (`Type=notify`, sd_notify(3)), that `serve` is ready, runs and stops; it
 * restarts a process that sends no `WATCHDOG=1` for `WATCHDOG_USEC`. Nothing here rejects.
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

export interface MonitorOptions {
  store: Store;
  /** Sets the listener of commits. */
  onCommit: (heard: CommitListener) => void;
  /** Aborts when no more calls begin. */
  stopping: AbortSignal;
  /** Where metrics are served; null: nowhere. */
  metrics: MetricsAt | null;
}

/** Reports how a `serve` does to a service manager, to monitors and to Prometheus. */
export interface Monitor {
  health: Health;
  /** Takes the place of the store that was given. */
  store: Store;
  /** Takes the place of a service. */
  observed(opened: OpenService): OpenService;
  /** Aborts when the database is lost, with the error as its reason. */
  lost: AbortSignal;
  /** To be called whenever the main loop looks over the campaigns. */
  round: () => void;
  /** To be called when webhooks are received and the main loop begins. */
  ready(): void;
  close(): Promise<void>;
}

export async function startMonitor(
  { store, onCommit, stopping, metrics: at }: MonitorOptions,
  world: World,
): Promise<Monitor> {
  const { clock } = world;
  const pulse = createPulse(clock, stopping);
  const { health, round } = pulse;
  // Loaded only on demand: few users ask for metrics.
  const load = () => import('./metrics-listener.ts');
  const metrics = at && (await (await load()).serveMetrics(at, { store, health, clock }));
  if (metrics !== null) world.tell(`Metrics are at ${metrics.url}.`);
  onCommit(pulse.committed);
  const over = new AbortController();
  const lost = new AbortController();
  const trying = pulse.tryStore(store, over.signal, (error) => lost.abort(error));
  const manager = watchForManager(pulse, stopping, world);
  return {
    health,
    lost: lost.signal,
    store: metrics?.store ?? store,
    observed: (opened) =>
      metrics === null ? opened : { ...opened, service: metrics.observed(opened.service) },
    round,
    ready: () => {
      round();
      manager.ready();
    },
    close: async () => {
      over.abort();
      await trying;
      await manager.close();
      await metrics?.close();
    },
  };
}

/** The main loop looks over the campaigns every second; after so long without, it is not slow but stuck. */
export const STUCK_AFTER_MS = 30_000;
/** How often a write to the database is tried; in between, every commit shows whether it works. */
const TRY_EVERY_MS = 10_000;
/**
 * The files on disk are no longer those that were opened, or can no longer be written, or the thread that talks to a
 * server has ended: only a new start helps. Nothing is tried again, as each try would save another copy of the database.
 */
const LOST = 'STORE_GONE JOURNAL_GONE STORE_IO_FAILED STORE_CORRUPT STORE_THREAD_ENDED'.split(' ');

export function isLost(error: unknown): error is AppError {
  return error instanceof AppError && LOST.includes(error.code);
}

/** Keeps in memory whether the main loop runs and the database can be written. */
export function createPulse(clock: Clock, stopping: AbortSignal) {
  let roundAt = clock.monotonic();
  let storeFails = false;
  /** The watchdog's question: a restart mends a loop that hangs, not a full disk. A stop ends the loop. */
  const goesRound = () => stopping.aborted || clock.monotonic() - roundAt <= STUCK_AFTER_MS;
  const health: Health = () => {
    if (storeFails) return 'store';
    return goesRound() ? null : 'stuck';
  };
  return {
    health,
    goesRound,
    round: (): void => {
      roundAt = clock.monotonic();
    },
    /** To be called after each commit. */
    committed: (failed: boolean): void => {
      storeFails = failed;
    },
    /** Tries every ten seconds whether the database can be written, until `signal` aborts or the database is lost. */
    tryStore: async (
      store: Pick<Store, 'assertWritable'>,
      signal: AbortSignal,
      onLost: (error: AppError) => void,
    ): Promise<void> => {
      while (!signal.aborted) {
        try {
          await store.assertWritable();
          storeFails = false;
        } catch (error) {
          storeFails = true;
          if (isLost(error)) {
            onLost(error);
            return;
          }
        }
        await clock.sleep(TRY_EVERY_MS, signal);
      }
    },
  };
}

type Pulse = ReturnType<typeof createPulse>;
