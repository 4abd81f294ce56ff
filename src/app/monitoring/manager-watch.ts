import { messageOf } from '../../runtime/errors.ts';
import { serviceManager } from '../../runtime/monitoring/service-manager.ts';
import { asSentence } from '../../text/plural.ts';
import type { World } from '../world.ts';
import type { Pulse } from './pulse.ts';

/** Without a watchdog, the state is told this often. */
const TELL_EVERY_MS = 30_000;
/** While calls are collected at a stop, the manager is asked for more time this often ... */
const STOPPING_EVERY_MS = 10_000;
/** ... each time for this long from then on; it never shortens what the unit allows. */
const MORE_TIME_MS = 30_000;
/** A stop that takes longer than this goes wrong: no more time is asked for. */
const LONGEST_STOP_MS = 5 * 60_000;

/** Tells the service manager, where there is one, that `serve` is ready, goes on and stops. Nothing here rejects. */
export function watchForManager(
  pulse: Pick<Pulse, 'health' | 'goesRound'>,
  stopping: AbortSignal,
  world: Pick<World, 'clock' | 'env' | 'owner' | 'tell'>,
  manager = serviceManager(world.env, world.owner.pid, world.clock),
) {
  const { clock } = world;
  const over = new AbortController();
  let telling: Promise<void> = Promise.resolve();
  let going: Promise<void> | undefined;
  let hasFailed = false;

  const tell = (assignments: Record<string, string>): Promise<void> => {
    // One after the other, so that the manager hears things in the order in which they happened.
    telling = telling
      .then(() => manager?.tell(assignments))
      .catch((error: unknown) => {
        if (!hasFailed)
          world.tell(
            `The service manager could not be told how callsheet does: ${asSentence(messageOf(error))} With Type=notify it waits for that, and then ends callsheet.`,
            'problem',
          );
        hasFailed = true;
      });
    return telling;
  };

  const goOn = async (watchdogMs: number | null) => {
    const everyMs = Math.min(TELL_EVERY_MS, (watchdogMs ?? Infinity) / 2);
    const awake = AbortSignal.any([over.signal, stopping]);
    while (!awake.aborted) {
      // Said again each time: a message may be lost, and then the manager would wait for it in vain.
      if (pulse.goesRound()) await tell({ READY: '1', ...state(), WATCHDOG: '1' });
      else await tell(state());
      await clock.sleep(everyMs, awake);
    }
    await stop(watchdogMs);
  };
  const state = () => {
    const { unwell } = pulse.health.healthz();
    return { STATUS: unwell === null ? 'Campaigns are looked after' : `Failing: ${WORDS[unwell]}` };
  };
  const stop = async (watchdogMs: number | null) => {
    const since = clock.monotonic();
    const everyMs = Math.min(STOPPING_EVERY_MS, (watchdogMs ?? Infinity) / 2);
    // Also a stop of a moment is told.
    do {
      await tell({
        STOPPING: '1',
        STATUS: 'Stopping: no new call is started, calls in progress are collected',
        EXTEND_TIMEOUT_USEC: String(MORE_TIME_MS * 1_000),
        WATCHDOG: '1',
      });
      await clock.sleep(everyMs, over.signal);
    } while (!over.signal.aborted && clock.monotonic() - since < LONGEST_STOP_MS);
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

const WORDS = {
  starting: 'it is starting',
  stopping: 'it is stopping',
  stuck: 'campaigns are not looked over any more',
  store: 'the database cannot be written',
};
