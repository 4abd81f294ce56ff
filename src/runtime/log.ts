import { pino } from 'pino';

import type { PauseReason } from '../domain/campaign.ts';
import type { UnknownWord } from '../domain/lead.ts';
import { maskWrittenNumbers } from '../domain/phone.ts';
import type { Clock } from './clock.ts';

export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * The program's log. `event` is `noun.pastVerb`, e.g. `call.placed`; `fields` are ids and counts, never a transcript.
 * Phone numbers in all texts are masked before a line is written.
 */
export type Log = Record<
  Exclude<LogLevel, 'silent'>,
  (event: string, fields?: Record<string, unknown>) => void
>;

/**
 * A log that writes one JSON object per line, before the call returns.
 * @param to receives the lines, e.g. stderr, as stdout is for data
 * @param of fields that are added to each line, e.g. the run; default none
 */
export function createLog(
  level: LogLevel,
  to: { write(line: string): unknown },
  of: Readonly<Record<string, string>> | null = null,
): Log {
  const logger = pino(
    {
      level,
      base: of,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => masked(fields) as Record<string, unknown>,
      },
      messageKey: 'event',
    },
    to,
  );
  const at =
    (name: keyof Log): Log['error'] =>
    (event, fields = {}) =>
      logger[name](fields, event);
  return { error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') };
}

/** The value with all phone numbers in its texts masked. */
function masked(value: unknown): unknown {
  if (typeof value === 'string') return maskWrittenNumbers(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(masked);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, masked(item)]));
}

/** An event of a run; every notice is a log line, and some are also printed for the operator. */
export type Notice =
  | { event: 'call.placed'; attempt: string; callId: string }
  | { event: 'call.settled'; attempt: string; callId: string; result: string }
  | { event: 'call.released'; attempt: string; detail: string }
  | { event: 'call.rejected'; attempt: string; detail: string }
  | { event: 'call.unknown'; attempt: string; detail: string }
  /** A dial whose answer was lost was replayed, and the replay did not settle the doubt. */
  | { event: 'replay.failed'; attempt: string; detail: string }
  /** A call whose answer was lost was found in the service's list of calls. */
  | { event: 'doubt.found'; attempt: string; callId: string }
  /** The service's list of calls contradicts what is known about the call. */
  | { event: 'doubt.contradicted'; attempt: string; detail: string }
  /** The service's list of calls could not be read, so calls in doubt were not searched for in it. */
  | { event: 'search.failed'; detail: string }
  /** Webhooks used to arrive, but now polls find the ends of calls first. */
  | { event: 'webhooks.silent' }
  /** The answer to a poll is about another call. */
  | { event: 'poll.contradicted'; attempt: string; detail: string }
  | { event: 'poll.failed'; attempt: string; detail: string }
  /** The service used a word that its profile does not know, see `UnknownWord`; sent for each call. */
  | ({ event: 'word.unknown' } & UnknownWord)
  | { event: 'slots.shrunk'; limit: number }
  /** The service reports that it takes no call now. */
  | { event: 'service.full' }
  /** `restMs`: dials fail although reads succeed, and nothing is dialled for so long; left out: a read has failed. */
  | { event: 'breaker.opened'; detail: string; restMs?: number }
  /** The service has failed for ten minutes and is waited for. */
  | { event: 'breaker.lasts'; detail: string }
  | { event: 'breaker.closed' }
  /** A poll was answered so: nothing can be read with this key. */
  | { event: 'key.refused'; service: string; detail: string }
  | { event: 'campaign.paused'; reason: PauseReason; detail: string }
  | { event: 'campaign.resumed' }
  | { event: 'store.failing'; detail: string }
  /** Another program holds the lock of the database; sent once for each lock. */
  | { event: 'store.locked' }
  /** The server of the database does not answer; sent once for each time. */
  | { event: 'store.away' }
  | { event: 'disk.full' }
  /** Another machine has not shown its dial journal to this copy of the database for a minute. */
  | { event: 'machines.awaited' }
  /** `headers`: the names of those that may hold a signature. */
  | { event: 'webhook.refused'; service: string; why: string; headers: string[] }
  | { event: 'webhook.unkept'; service: string; detail: string };

export type Notify = (notice: Notice) => void;

/** Repeats of a message are reported together after the first interval, which then doubles up to the longest. */
const FIRST_MS = 60_000;
const LONGEST_MS = 960_000;

/** Reports a message. @param more it is the last of so many that were held back; left out: it is alone */
type Tell = (more?: number) => void;

interface Fold {
  count: number;
  tell: Tell;
  cancel: () => void;
}

/** Folds equal messages: the first is reported at once, repeats soon after it are reported as one with their count. */
export class Folding {
  readonly #clock: Pick<Clock, 'after'>;
  readonly #folds = new Map<string, Fold>();

  constructor(clock: Pick<Clock, 'after'>) {
    this.#clock = clock;
  }

  /** @param kind messages of the same kind count as equal */
  add(kind: string, tell: Tell): void {
    const fold = this.#folds.get(kind);
    if (fold !== undefined) {
      fold.count += 1;
      fold.tell = tell;
      return;
    }
    tell();
    this.#wait(kind, FIRST_MS);
  }

  /** Reports all messages that are held back; to be called when no more messages come. */
  flush(): void {
    for (const { count, tell, cancel } of this.#folds.values()) {
      cancel();
      if (count > 0) tell(count);
    }
    this.#folds.clear();
  }

  #wait(kind: string, everyMs: number): void {
    const cancel = this.#clock.after(everyMs, () => {
      const { count = 0, tell } = this.#folds.get(kind) ?? {};
      this.#folds.delete(kind);
      if (count === 0) return;
      tell?.(count);
      this.#wait(kind, Math.min(everyMs * 2, LONGEST_MS));
    });
    this.#folds.set(kind, { count: 0, tell: () => undefined, cancel });
  }
}
