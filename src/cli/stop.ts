import type { CommandIo } from './io.ts';
import { shellWord } from './shell-word.ts';

/** After the first Ctrl-C, calls in progress are collected for so long. */
const COLLECT_AFTER_STOP_MS = 60_000;

export interface Stop {
  /** Aborts at the first Ctrl-C: no new call, what is in progress is collected. */
  dialling: AbortSignal;
  /** Aborts at the second, or a minute after the first. */
  all: AbortSignal;
  /** Listens no longer. */
  forget(): void;
}

/**
 * Two-stage stop: both are safe, since everything that matters is in the database already.
 *
 * @param on.tell says what the first one does
 * @param on.onSecond leaves at once
 */
export function listenForStop(
  io: CommandIo,
  campaign: string,
  on: { tell: (sentence: string) => void; onSecond: () => void },
): Stop {
  const dialling = new AbortController();
  const all = new AbortController();
  const forgotten = new AbortController();
  const stopListening = io.onSignal(() => {
    if (dialling.signal.aborted) {
      all.abort();
      on.onSecond();
      return;
    }
    const collect = `\`callsheet collect ${shellWord(campaign)}\``;
    on.tell(
      `Stopping: no new call is started; calls in progress are collected for up to a minute. Ctrl-C again leaves at once; ${collect} brings in what is open then.`,
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
