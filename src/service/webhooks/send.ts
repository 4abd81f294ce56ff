import type { Dispatcher } from 'undici';

import type { Clock } from '../../runtime/clock.ts';
import { retryAfterMs } from '../http/body.ts';
import { TookTooLong } from '../http/exchange.ts';
import { causeOf, connectionTrouble } from '../http/http-errors.ts';
import type { Profile } from '../profile/profile.ts';
import { createTestDelivery } from './delivery-protocol.ts';
import { createSigner } from './signatures.ts';

export type SendResult =
  | { ok: true }
  /** `why` names no address. `retryAfterMs`: what the receiver asked for; null: nothing. */
  | { ok: false; why: string; retryAfterMs: number | null };

/** Verifiers of Standard Webhooks allow five minutes; a sender has no use for it. */
const TOLERANCE_S = 300;

/** Loads what sends notices and fetches lists. */
export const loadSender = () => import('undici');

/**
 * Posts a notice once, signed as Standard Webhooks 1.0.0 requires where there is a secret. Any 2xx within 15 s ends it.
 * @param notice its body is JSON
 * @param secret `whsec_` and Base64; undefined: it is not signed
 * @param stop breaks it off
 */
export async function sendNotice(
  url: string,
  secret: string | undefined,
  { id, body }: { id: string; body: string },
  clock: Clock,
  stop: AbortSignal,
): Promise<SendResult> {
  const now = clock.now();
  const sign = createSigner({ scheme: 'standard', tolerance: TOLERANCE_S }, secret);
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'callsheet',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now / 1_000)),
    ...sign(Buffer.from(body), id, now),
  };
  try {
    return await post(url, { headers, body, withinMs: 15_000, clock, stop }, async (answer) => {
      await answer.body.dump().catch(() => undefined);
      const { statusCode } = answer;
      if (statusCode >= 200 && statusCode < 300) return { ok: true };
      const redirected =
        statusCode >= 300 && statusCode < 400 ? ', and redirects are not followed' : '';
      return {
        ok: false,
        why: `it answered with HTTP ${statusCode}${redirected}`,
        retryAfterMs: retryAfterMs(answer.headers['retry-after'], clock.now()),
      };
    });
  } catch (error) {
    return { ok: false, why: troubleOf(error), retryAfterMs: null };
  }
}

/** The message of an unknown error is not used, as it may hold the address. */
function troubleOf(error: unknown): string {
  if (error instanceof TookTooLong) return error.message;
  const { code, message } = error as { code?: unknown; message?: unknown };
  const known = typeof code === 'string' ? connectionTrouble(code, String(message)) : undefined;
  return known?.why ?? `no answer came (${typeof code === 'string' ? code : 'unknown error'})`;
}

/** What came back from a test delivery: an answer, or why there was none. */
export type TestAnswer = ({ status: number; text: string } | { status: null; why: string }) & {
  /** The inbox stores the delivery under one of these ids. */
  keys: readonly string[];
};

/** Sends a delivery to `url` as the service would. */
export async function sendTestDelivery(
  url: string,
  profile: Profile,
  secret: string | undefined,
  { id, clock }: { id: string; clock: Clock },
): Promise<TestAnswer> {
  const given = { id, now: clock.now(), url };
  const { body, headers, keys } = createTestDelivery(profile, secret, given);
  try {
    return await post(url, { headers, body, withinMs: 10_000, clock }, async (answer) => ({
      status: answer.statusCode,
      text: await answer.body.text(),
      keys,
    }));
  } catch (error) {
    return { status: null, why: causeOf(error), keys };
  }
}

const LARGEST_ANSWER = 65_536;

interface Post {
  headers: Record<string, string>;
  body: string | Buffer;
  /** For the whole exchange: undici's own limits start anew with every chunk. */
  withinMs: number;
  clock: Clock;
  stop?: AbortSignal;
}

/** Posts once and follows no redirect: another host than the one that was named would get the body. */
async function post<T>(
  url: string,
  { headers, body, withinMs, clock, stop }: Post,
  read: (answer: Dispatcher.ResponseData) => Promise<T>,
): Promise<T> {
  // At its first use: the package's index takes 50 ms at a start.
  const { Agent, request } = await import('undici');
  const late = new AbortController();
  const cancel = clock.after(withinMs, () => late.abort(new TookTooLong(withinMs)));
  const dispatcher = new Agent({
    connect: { timeout: withinMs },
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: LARGEST_ANSWER,
  });
  try {
    const signal = stop === undefined ? late.signal : AbortSignal.any([late.signal, stop]);
    return await read(await request(url, { method: 'POST', headers, body, dispatcher, signal }));
  } finally {
    cancel();
    await dispatcher.destroy();
  }
}
