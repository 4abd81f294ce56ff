import type { ServerResponse } from 'node:http';
import type { Clock } from '../../runtime/clock.ts';
import type { ConsoleEvent } from './events.ts';
import { perEvent } from './per-event.ts';

/** A comment keeps proxies from closing a stream on which nothing happens. */
const ALIVE_EVERY_MS = 20_000;
/** Of a client that is slower than this, only the newest counters are kept, and no calls. */
const MOST_UNSENT_BYTES = 16 * 1_024;

/**
 * Sends server-sent events. What a client does not take is not kept for it: it misses calls, and gets the newest
 * counters when it reads again.
 *
 * @param mayGoOn asked every 20 s; the stream of somebody who has lost their session meanwhile is cut off
 * @returns `send` for the hub, and `end`
 */
export function eventStream(
  response: ServerResponse,
  clock: Clock,
  mayGoOn: () => Promise<boolean>,
) {
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
  const wait = () =>
    clock.after(ALIVE_EVERY_MS, () => {
      void look();
    });
  let stopAlive = wait();
  async function look() {
    const goesOn = await mayGoOn();
    if (response.writableEnded) return;
    if (!goesOn) {
      // What it has not taken yet is not for it any more.
      response.destroy();
      return;
    }
    if (response.writableLength === 0) response.write(': alive\n\n');
    stopAlive = wait();
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
