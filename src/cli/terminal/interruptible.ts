import { EXIT } from '../../runtime/errors.ts';
import { withOperator } from '../operator.ts';
import type { CommandIo, CommandUnderway, Io } from '../io.ts';
import type { Outcome } from '../print/outcome.ts';
import { say } from './output.ts';

/** After Ctrl-C, work that has not ended within this time, e.g. while a service is silent, is abandoned. */
const LEAVE_AFTER_MS = 500;

/**
 * Wraps a command so that Ctrl-C ends it with a sentence on what is stored so far, and exit 130. The work gets
 * `io.underway`, whose signal stops reading, importing and asking.
 */
export function interruptible<A>(
  work: (args: A, io: CommandIo & { underway: CommandUnderway }) => Promise<Outcome>,
): (args: A, io: CommandIo) => Promise<Outcome> {
  return async (args, io) => {
    const stopped = new AbortController();
    const { signal } = stopped;
    const ended = new AbortController();
    const over = io.onSignal(() => {
      // A second Ctrl-C leaves at once.
      if (signal.aborted) io.leave(EXIT.interrupted);
      else {
        stopped.abort();
        void leaveSoon(underway, ended.signal, io);
      }
    });
    const underway: CommandUnderway = { signal, kept: undefined, cleanUps: new Set(), over };
    try {
      return await work(args, withOperator({ ...io, underway }));
    } catch (error) {
      if (!signal.aborted) throw error;
      tell(underway, io);
      return { code: EXIT.interrupted };
    } finally {
      ended.abort();
      over();
    }
  };
}

async function leaveSoon(underway: CommandUnderway, ended: AbortSignal, io: CommandIo) {
  await io.clock.sleep(LEAVE_AFTER_MS, ended);
  if (ended.aborted) return;
  for (const cleanUp of underway.cleanUps) await cleanUp().catch(() => undefined);
  tell(underway, io);
  io.leave(EXIT.interrupted);
}

function tell({ kept }: CommandUnderway, io: Io): void {
  say(
    io,
    kept === undefined
      ? 'Interrupted: nothing was changed, nobody was called.'
      : `Interrupted: ${kept}; the same command goes on from there; nobody was called.`,
  );
}
