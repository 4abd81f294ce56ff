import { setMaxListeners } from 'node:events';
import type { Operator } from '../../app/world.ts';
import { EXIT } from '../../runtime/errors.ts';
import type { CommandIo } from '../io.ts';

/** How long calls in progress are collected after the first signal: less than the 90 s after which systemd kills. */
const COLLECT_AFTER_STOP_MS = 60_000;

/**
 * Closing a terminal or a session sends several signals at once: the kernel and the shell a SIGHUP each, systemd
 * SIGTERM and SIGHUP, `timeout` SIGTERM to the process and to its group. These are not a second request to leave at
 * once, which would put every dial in flight in doubt; so signals within this time count as one.
 */
const ONE_CLOSING_MS = 2_000;

/**
 * Two-stage stop by Ctrl-C, SIGTERM (systemd, `timeout`) or SIGHUP (a closed terminal): the first signal stops
 * dialling, the second one leaves. Both are safe, because everything that matters is in the database already.
 */
export function createStop(io: CommandIo) {
  const dialling = new AbortController();
  const all = new AbortController();
  const left = new AbortController();
  const forgotten = new AbortController();
  // Each campaign that `serve` calls listens; with more than ten, Node would warn on stderr, and cron would mail that.
  setMaxListeners(0, dialling.signal, all.signal, left.signal);
  let last = -Infinity;
  let isWriting = false;
  let stopListening: (() => void) | undefined;
  return {
    signals: { dialling: dialling.signal, all: all.signal, left: left.signal },
    /**
     * Begins to listen.
     *
     * @param tell prints what the first signal does
     * @param rest the end of that sentence: what happens to calls that are not collected
     */
    listen: (tell: Operator['tell'], rest: string) => {
      stopListening = io.onSignal((signal) => {
        if (isWriting) {
          if (signal === 'SIGINT') io.leave(EXIT.interrupted);
          return;
        }
        const since = io.clock.monotonic() - last;
        last = io.clock.monotonic();
        if (dialling.signal.aborted) {
          if (signal !== 'SIGINT' && since < ONE_CLOSING_MS) return;
          all.abort();
          left.abort();
          return;
        }
        const by = signal === 'SIGINT' ? '' : ` (${signal})`;
        const again = signal === 'SIGINT' ? 'Ctrl-C again' : 'A second signal';
        tell(
          `Stopping${by}: no new call is started; calls in progress are collected for up to a minute. ${again} leaves at once; ${rest}`,
          // A person who has just pressed Ctrl-C expects an answer even with --quiet.
          signal === 'SIGINT' ? 'problem' : 'told',
        );
        dialling.abort();
        void io.clock.sleep(COLLECT_AFTER_STOP_MS, forgotten.signal).then(() => {
          all.abort();
        });
      });
    },
    /** Results are being written: Ctrl-C leaves at once, but SIGTERM and SIGHUP wait until the results are complete. */
    writing: () => {
      isWriting = true;
      forgotten.abort();
    },
    /** Stops listening. */
    forget: () => {
      stopListening?.();
      forgotten.abort();
    },
  };
}
