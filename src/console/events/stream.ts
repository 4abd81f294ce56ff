import type { ServerResponse } from 'node:http';
import type { Clock } from '../../runtime/clock.ts';
import type { ConsoleEvent } from './events.ts';
import { perEvent } from './per-event.ts';

/** A comment keeps proxies from closing a stream on which nothing happens. */
const ALIVE_EVERY_MS = 20_000;
/** Of a client that is slower than this, only the newest counters are kept, and no calls. */
const MOST_UNSENT_BYTES = 64 * 1_024;

/**
 * Sends server-sent events. What a client does not take is not kept for it: it misses calls, and gets the newest
 * counters when it reads again.
 *
 * @returns `send` for the hub, and `end`
 */
export function eventStream(response: ServerResponse, clock: Clock) {
  const missed = new Map<string, ConsoleEvent>();
  const write = (event: ConsoleEvent) => {
    response.write(textOf(event));
  };
  const flush = () => {
    const kept = [...missed.values()];
    missed.clear();
    kept.forEach(write);
  };
  response.on('drain', flush);
  let stopAlive = clock.after(ALIVE_EVERY_MS, alive);
  function alive() {
    if (response.writableLength === 0) response.write(': alive\n\n');
    stopAlive = clock.after(ALIVE_EVERY_MS, alive);
  }
  return {
    send: (event: ConsoleEvent) => {
      if (response.writableLength <= MOST_UNSENT_BYTES) write(event);
      else if (event.event !== 'calls') missed.set(event.event, event);
    },
    end: () => {
      stopAlive();
      response.end();
    },
  };
}

const textOf = perEvent(({ event, data }) =>
  Buffer.from(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
);
