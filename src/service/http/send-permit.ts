import { setMaxListeners } from 'node:events';
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

/** A rate at which requests went out for so long without a refusal is one that the service bears: so many ms, requests. */
const [PROVED_MS, PROVED_BY] = [5_000, 5];
/** Requests go out at a rate if they are so many of those that it allows. */
const FULLY = 0.9;
/** The rate that it bears is looked for between one that it bore and one that it refused, until they are so close; ... */
const CLOSE = 0.03;
/** ... it is kept for so long, and then grows by 1 % a second, until the service refuses again. */
const [STEADY_MS, GROWTH_A_SECOND] = [240_000, 1.01];
/** A service that is asked less often than this, a second, refuses for another reason. */
const SELDOM = 2;
/** However often it refuses, it is asked so often a second: one that refuses for another reason must be found well. */
const LEAST = 0.5;
/** At first it is not known how the service counts: it may bear so many times of what went out in the last second. */
const ABOUT = 1.2;
/** What is refused is at least so much more than what was borne. */
const ABOVE = 1.05;
/** Refusals within this time, ms, are of requests that went out together. */
const TOGETHER_MS = 2_000;

export type RateLimiter = ReturnType<typeof createRateLimiter>;

/**
 * Spaces the requests to one service evenly, first come, first served, once there is a limit: the profile's, or one that
 * refusals have shown.
 * @param most requests a second by the profile; default: no limit
 * @param mostDials dials a second among them; default: no limit
 */
export function createRateLimiter(
  most = Infinity,
  clock: Clock,
  closing: AbortSignal,
  mostDials = Infinity,
) {
  // Every request that waits listens to it.
  setMaxListeners(0, closing);
  let nextAt = -Infinity;
  let nextDialAt = -Infinity;
  /** Requests that went out, each counted for about a second. */
  let sent = { count: 0, at: 0 };
  /** Requests that went out since `from`. */
  let tried = { from: 0, sent: 0 };
  let refusedAt = -Infinity;
  /** Requests a second: what goes out since `at`, what was borne before, and what was refused. */
  let found: { rate: number; borne: number; refused: number; at: number } | undefined;

  /** Requests a second that the service bears; Infinity: no limit is known. */
  const rate = () => {
    if (found === undefined) return most;
    const seconds = Math.max(0, clock.monotonic() - found.at - STEADY_MS) / 1_000;
    return Math.min(most, found.rate * GROWTH_A_SECOND ** seconds);
  };
  /** A request goes out. */
  const count = (now: number) => {
    sent = { count: 1 + sent.count * Math.exp((sent.at - now) / 1_000), at: now };
    tried.sent += 1;
    if (found === undefined || found.rate >= found.refused * (1 - CLOSE)) return;
    // It has grown beyond what is looked for.
    if (now - found.at > STEADY_MS) return;
    const expected = (found.rate * (now - tried.from)) / 1_000;
    if (now - tried.from < PROVED_MS || expected < PROVED_BY) return;
    if (tried.sent >= FULLY * expected) {
      const { rate: borne, refused } = found;
      found = { borne, rate: (borne + refused) / 2, refused, at: now };
    }
    tried = { from: now, sent: 0 };
  };
  return {
    rate,
    /** True just after a refusal that is taken for one of the rate. */
    isTooFast: () => clock.monotonic() - refusedAt < TOGETHER_MS,
    /** Resolves when the next request may be sent. */
    take: async (what: 'read' | 'dial' = 'read'): Promise<void> => {
      const now = clock.monotonic();
      let at = Math.max(now, nextAt);
      nextAt = at + 1_000 / rate();
      if (what === 'dial') {
        at = Math.max(at, nextDialAt);
        nextDialAt = at + 1_000 / mostDials;
      }
      if (at > now) await clock.sleep(Math.ceil(at - now), closing);
      count(clock.monotonic());
    },
    /** How many requests, if they called `take` now, would be sent within `ms`. */
    within: (ms: number, what: 'read' | 'dial' = 'read'): number => {
      const of = (perSecond: number, next: number) => {
        if (perSecond === Infinity) return Infinity;
        const waitMs = Math.max(0, next - clock.monotonic());
        return waitMs > ms ? 0 : 1 + Math.floor(((ms - waitMs) * perSecond) / 1_000);
      };
      return Math.min(of(rate(), nextAt), what === 'dial' ? of(mostDials, nextDialAt) : Infinity);
    },
    /**
     * The service has refused a request because there were too many (429). A dial that is refused may mean that no slot
     * is free there, unless the rate is higher than one that it bore.
     */
    refused: (what: 'read' | 'dial'): void => {
      const now = clock.monotonic();
      if (found === undefined && sent.count < SELDOM) return;
      const { borne = 0 } = found ?? {};
      const isFirst = found === undefined;
      // The rate may have grown far above what was sent.
      const refused = Math.min(rate(), Math.max(sent.count * (isFirst ? ABOUT : 1), borne * ABOVE));
      if (now - refusedAt < TOGETHER_MS) return;
      if (what === 'dial' && (isFirst || sent.count <= borne)) return;
      const isKnown = borne > 0 && borne < refused * (1 - CLOSE / 2);
      const next = isKnown ? borne : Math.max(LEAST, refused / 2);
      found = { rate: next, borne: next, refused, at: now };
      tried = { from: now, sent: 0 };
      refusedAt = now;
      // What went out before still counts there.
      nextAt = Math.max(nextAt, now + 2_000 / next);
    },
  };
}
