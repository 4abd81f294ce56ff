import { type AppError, usageError } from '../runtime/errors.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Faults } from './wire/faults.ts';
import type { Mix } from './calls/timeline.ts';

export const UNANSWERED = ['empty', 'status', 'outcome', 'never'] as const;

/**
 * How analytics show calls that nobody answered. `empty`: 200 with an empty transcript and duration 0, no outcome word;
 * `status`: 200 with e.g. `status: "busy"`; `outcome`: 200 with e.g. `outcome: "busy"`, a field that answered calls
 * have, too (`answered`, `opted_out`); `never`: 409 for ever.
 */
export type Unanswered = (typeof UNANSWERED)[number];

export interface Wishes {
  /** The share of conversations in which the person wants no more calls, 0 to 1. Default 0.015. */
  optOuts?: number;
  /** The share of the other ones in which the person names a time to be called again, 0 to 1. Default 0. */
  callbacks?: number;
}

/** Where events are posted, and how they are signed. */
export interface WebhookTarget {
  /** http or https. */
  url: string;
  /** `whsec_` and the base64 of 24 to 64 bytes, after Standard Webhooks; null: events are not signed. */
  secret: string | null;
}

/** The most characters of an API key. */
export const LONGEST_KEY = 256;

export interface SimulatorOptions extends Wishes {
  /** Address to listen on. Default 127.0.0.1. */
  host?: string;
  /** 0 takes any free port; the address is in `Simulator.url`. */
  port: number;
  /** API keys that are accepted, each an account: at least one, printable ASCII, at most LONGEST_KEY characters. */
  keys: readonly string[];
  /** Everything that is drawn at random (outcomes, lengths, conversations, faults) depends on this seed alone. */
  seed: string;
  /** Simulated seconds per real second, above 0: 1 is real time, 60 makes a minute pass in a second. */
  timeScale: number;
  mix: Mix;
  /** Calls in progress at once per account, at least 1; more are answered 429 `capacity`. null: no limit. */
  capacity: number | null;
  /** Requests per (real) second per account, above 0; more are answered 429 `rate_limited`. null: no limit. */
  rate: number | null;
  unanswered: Unanswered;
  /** What a call costs by its talk time, ms, in no currency. Default null: analytics name no cost. */
  price?: ((talkMs: number) => number) | null;
  /** Whether `Idempotency-Key` is honoured. */
  idempotency: boolean;
  /** File in which agents and calls survive a restart; null keeps them in memory only. */
  state: string | null;
  /** Probability of each fault; see DIAL_FAULTS, READ_FAULTS and WEBHOOK_FAULTS. */
  faults: Faults;
  clock: Clock;
  /** Every call is answered at once, lasts exactly this many real ms, and has no lag. Default null: drawn at random. */
  fixedCallMs?: number | null;
  /**
   * Real ms from a call's end until its analytics are ready. Default null: drawn at random, or 0 with `fixedCallMs`.
   */
  processingLagMs?: number | null;
  /** Default null: no webhooks. `Simulator.sendWebhooksTo` changes it while the service runs. */
  webhooks?: WebhookTarget | null;
}

export function checkOptions(options: SimulatorOptions): void {
  const { keys, timeScale, capacity, rate, webhooks, optOuts = 0, callbacks = 0 } = options;
  if (keys.length === 0) throw invalid('key', 'none', 'at least one key');
  if (!keys.every((key) => /^[\x21-\x7e]+$/.test(key) && key.length <= LONGEST_KEY)) {
    const allowed = `printable ASCII without spaces, at most ${LONGEST_KEY} characters`;
    throw invalid('key', 'one of those given', allowed);
  }
  const isRate = (number: number) => number > 0 && Number.isFinite(number);
  if (!isRate(timeScale)) {
    throw invalid('time-scale', timeScale, 'a number above 0, e.g. 60 for a minute a second');
  }
  if (capacity !== null && !(Number.isInteger(capacity) && capacity >= 1)) {
    throw invalid('capacity', capacity, 'a whole number of calls, 1 or more');
  }
  if (rate !== null && !isRate(rate)) {
    throw invalid('rate', rate, 'a number of requests per second above 0');
  }
  for (const [option, share] of Object.entries({ 'opt-outs': optOuts, callbacks })) {
    if (!(share >= 0 && share <= 1)) throw invalid(option, share, 'a share from 0 to 1, e.g. 0.1');
  }
  if (webhooks) checkTarget(webhooks);
}

const SECRET_BYTES = { min: 24, max: 64 };

export function checkTarget({ url, secret }: WebhookTarget): void {
  const protocol = URL.canParse(url) ? new URL(url).protocol : '';
  if (protocol !== 'http:' && protocol !== 'https:') {
    throw invalid('webhook-url', `"${url}"`, 'an http or https address');
  }
  if (secret === null) return;
  const text = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret)?.[1] ?? '';
  const { length } = Buffer.from(text, 'base64');
  if (length >= SECRET_BYTES.min && length <= SECRET_BYTES.max) return;
  const allowed = `whsec_ and the base64 of ${SECRET_BYTES.min} to ${SECRET_BYTES.max} bytes`;
  throw invalid('webhook-secret', 'the one given', allowed);
}

function invalid(option: string, value: string | number, allowed: string): AppError {
  return usageError(
    'SIMULATOR_OPTION_INVALID',
    `Embedded service, ${option}: ${value} is not possible; allowed is ${allowed}.`,
    'See `callsheet simulate --help`.',
  );
}
