import type { Dispatcher } from 'undici';

import type { Clock } from '../../runtime/clock.ts';
import { Exchange, type ExchangeOptions } from './exchange.ts';

/**
 * Records whether one dial was sent. The permit is asked just before the first byte: undici calls `onRequestStart` on
 * the connected socket, in the same turn of the event loop in which it writes. Aborting in that hook leaves no byte on
 * the wire, and as long as undici has not called the hook, no byte has been sent.
 */
export class Send {
  state: 'not_started' | 'not_permitted' | 'started' = 'not_started';
  readonly permit: () => boolean;

  constructor(permit: () => boolean) {
    this.permit = permit;
  }
}

/** The exchange of one dial: it needs the permit, and its time limit counts from the moment the permit is given. */
export class DialExchange extends Exchange {
  readonly #send: Send;

  constructor(options: ExchangeOptions & { send: Send }) {
    super(options);
    this.#send = options.send;
  }

  override onRequestStart(controller: Dispatcher.DispatchController): void {
    const send = this.#send;
    if (send.state !== 'not_started') {
      controller.abort(new Error('a dial is sent once, and this one was sent'));
      return;
    }
    // Set before asking: a permit that throws counts as not given.
    send.state = 'not_permitted';
    if (!send.permit()) {
      controller.abort(new Error('the permit to send was not given'));
      return;
    }
    send.state = 'started';
    super.onRequestStart(controller);
    this.begin();
  }
}

/**
 * Rate limiter: spaces the requests to one service evenly, first come, first served.
 * @param perSecond undefined: no limit
 * @returns null without a limit
 */
export function createRateLimiter(
  perSecond: number | undefined,
  clock: Clock,
  closing: AbortSignal,
) {
  if (perSecond === undefined) return null;
  const gapMs = 1_000 / perSecond;
  let nextAt = -Infinity;
  return {
    /** Resolves when the next request may be sent. */
    take: async () => {
      const now = clock.monotonic();
      const at = Math.max(now, nextAt);
      nextAt = at + gapMs;
      if (at > now) await clock.sleep(at - now, closing);
    },
    /** How many requests, if they called `take` now, would be sent within `ms`. */
    within: (ms: number) => {
      const waitMs = Math.max(0, nextAt - clock.monotonic());
      return waitMs > ms ? 0 : 1 + Math.floor((ms - waitMs) / gapMs);
    },
  };
}
