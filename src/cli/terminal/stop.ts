import { EXIT } from '../../runtime/errors.ts';
import type { CommandIo, Signal } from '../io.ts';
import type { MessageKind } from '../../app/world.ts';

/** After the first signal, calls in progress are collected for so long: less than the 90 s that systemd gives. */
const COLLECT_AFTER_STOP_MS = 60_000;

/**
 * What closes a terminal or a session sends several signals at once: the kernel and the shell a SIGHUP each, systemd
 * SIGTERM and SIGHUP, `timeout` SIGTERM to the process and to its group. None of them is a person who has waited, and
 * leaving at once would put every request in flight in doubt; so what comes within this time is one and the same wish.
 */
const ONE_CLOSING_MS = 2_000;

export interface Stop {
  /** Aborts at the first signal: no new call, what is in progress is collected. */
  dialling: AbortSignal;
  /** Aborts at the second, or a minute after the first. */
  all: AbortSignal;
  /** Listens no longer. */
  forget(): void;
}

/**
 * Two-stage stop by Ctrl-C, SIGTERM (systemd, `timeout`) or SIGHUP (a terminal that was closed): both are safe, since
 * everything that matters is in the database already.
 *
 * @param on.tell says what the first one does
 * @param on.rest the end of that sentence: what is left for later
 * @param on.onSecond leaves at once
 */
export function listenForStop(
  io: CommandIo,
  on: { tell: (sentence: string, kind: MessageKind) => void; rest: string; onSecond: () => void },
): Stop {
  const dialling = new AbortController();
  const all = new AbortController();
  const forgotten = new AbortController();
  let last = -Infinity;
  const stopListening = io.onSignal((signal) => {
    const since = io.clock.monotonic() - last;
    last = io.clock.monotonic();
    if (dialling.signal.aborted) {
      if (signal !== 'SIGINT' && since < ONE_CLOSING_MS) return;
      all.abort();
      on.onSecond();
      return;
    }
    const by = signal === 'SIGINT' ? '' : ` (${signal})`;
    const again = signal === 'SIGINT' ? 'Ctrl-C again' : 'A second signal';
    on.tell(
      `Stopping${by}: no new call is started; calls in progress are collected for up to a minute. ${again} leaves at once; ${on.rest}`,
      // Who has just pressed Ctrl-C waits for an answer, however quiet it is to be.
      signal === 'SIGINT' ? 'problem' : 'told',
    );
    dialling.abort();
    void io.clock.sleep(COLLECT_AFTER_STOP_MS, forgotten.signal).then(() => {
      all.abort();
    });
  });
  return {
    dialling: dialling.signal,
    all: all.signal,
    forget: () => {
      stopListening();
      forgotten.abort();
    },
  };
}

/**
 * Does `work` to its end although the terminal goes or the system asks to stop, as results are written in it; once
 * `work` has called `ending`, Ctrl-C leaves at once. Before that whoever listens besides decides.
 */
export async function untilWritten<T>(
  io: CommandIo,
  work: (ending: () => void) => Promise<T>,
): Promise<T> {
  let isEnding = false;
  const stopListening = io.onSignal((signal: Signal) => {
    if (isEnding && signal === 'SIGINT') io.leave(EXIT.interrupted);
  });
  try {
    return await work(() => (isEnding = true));
  } finally {
    stopListening();
  }
}
