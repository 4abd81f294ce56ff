import type { Operator } from '../../app/world.ts';
import { EXIT } from '../../runtime/errors.ts';
import type { CommandIo } from '../io.ts';

/** After the first signal, calls in progress are collected for so long: less than the 90 s that systemd gives. */
const COLLECT_AFTER_STOP_MS = 60_000;

/**
 * What closes a terminal or a session sends several signals at once: the kernel and the shell a SIGHUP each, systemd
 * SIGTERM and SIGHUP, `timeout` SIGTERM to the process and to its group. None of them is a person who has waited, and
 * leaving at once would put every request in flight in doubt; so what comes within this time is one and the same wish.
 */
const ONE_CLOSING_MS = 2_000;

/**
 * Two-stage stop by Ctrl-C, SIGTERM (systemd, `timeout`) or SIGHUP (a terminal that was closed): both are safe, since
 * everything that matters is in the database already.
 */
export function createStop(io: CommandIo) {
  const dialling = new AbortController();
  const all = new AbortController();
  const left = new AbortController();
  const forgotten = new AbortController();
  let last = -Infinity;
  let isWriting = false;
  let stopListening: (() => void) | undefined;
  return {
    signals: { dialling: dialling.signal, all: all.signal, left: left.signal },
    /**
     * Begins to listen.
     *
     * @param tell says what the first signal does
     * @param rest the end of that sentence: what is left for later
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
          // Who has just pressed Ctrl-C waits for an answer, however quiet it is to be.
          signal === 'SIGINT' ? 'problem' : 'told',
        );
        dialling.abort();
        void io.clock.sleep(COLLECT_AFTER_STOP_MS, forgotten.signal).then(() => {
          all.abort();
        });
      });
    },
    /** Results are written now: Ctrl-C leaves at once, a terminal that goes or a system that stops waits for them. */
    writing: () => {
      isWriting = true;
      forgotten.abort();
    },
    /** Listens no longer. */
    forget: () => {
      stopListening?.();
      forgotten.abort();
    },
  };
}
