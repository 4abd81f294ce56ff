import type { Io } from './io.ts';
import { say } from './output.ts';

/** After the first Ctrl-C, calls in progress are collected for so long. */
const COLLECT_AFTER_STOP_MS = 60_000;

export interface Stop {
  /** Aborts at the first Ctrl-C: no new call, what is in progress is collected. */
  dialling: AbortSignal;
  /** Aborts at the second, or a minute after the first. */
  all: AbortSignal;
  wasTwice(): boolean;
  /** Listens no longer. */
  forget(): void;
}

/** Two-stage stop: both are safe, since everything that matters is in the database already. */
export function listenForStop(io: Io, campaign: string): Stop {
  const dialling = new AbortController();
  const all = new AbortController();
  const forgotten = new AbortController();
  let count = 0;
  const stopListening = io.onSignal(() => {
    count += 1;
    if (count === 1) {
      say(
        io,
        `Stopping: no new call; collecting those in progress for up to a minute. Ctrl-C again leaves at once; \`callsheet collect ${campaign}\` brings the rest in later.`,
      );
      dialling.abort();
      void io.clock.sleep(COLLECT_AFTER_STOP_MS, forgotten.signal).then(() => {
        all.abort();
      });
    } else {
      say(
        io,
        `Left. Nothing is lost: \`callsheet collect ${campaign}\` brings in what is still open.`,
      );
      all.abort();
    }
  });
  return {
    dialling: dialling.signal,
    all: all.signal,
    wasTwice: () => count > 1,
    forget: () => {
      stopListening();
      forgotten.abort();
    },
  };
}
