import { Agent, request } from 'undici';
import type { Clock } from '../../runtime/clock.ts';
import { connectionTrouble } from '../http/http-errors.ts';
import { TookTooLong } from '../http/exchange.ts';
import { retryAfterMs } from '../http/body.ts';
import { createSigner } from './signatures.ts';

/** How one try ended. */
export type SendResult =
  | { ok: true }
  /** `why` names no address. `retryAfterMs`: what the receiver asked for; null: nothing. */
  | { ok: false; why: string; retryAfterMs: number | null };

const TIMEOUT_MS = 15_000;
const LARGEST_ANSWER = 65_536;
/** Verifiers of Standard Webhooks allow five minutes; a sender has no use for it. */
const TOLERANCE_S = 300;

/**
 * Posts a notice once, signed as Standard Webhooks 1.0.0 requires where there is a secret. Any 2xx within 15 s ends it;
 * redirects are not followed, since another host than the operator's would get it.
 *
 * @param notice its body is JSON
 * @param secret `whsec_` and Base64; undefined: it is not signed
 * @param stop breaks it off
 * @throws AppError `WEBHOOK_SECRET_INVALID` (exit 2)
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
  const late = new AbortController();
  // One time limit for the whole exchange, because undici's own limits start anew with every chunk.
  const cancel = clock.after(TIMEOUT_MS, () => {
    late.abort(new TookTooLong(TIMEOUT_MS));
  });
  const dispatcher = new Agent({
    connect: { timeout: TIMEOUT_MS },
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: LARGEST_ANSWER,
  });
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'callsheet',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now / 1_000)),
    ...sign(Buffer.from(body), id, now),
  };
  try {
    const signal = AbortSignal.any([late.signal, stop]);
    const answer = await request(url, { method: 'POST', headers, body, dispatcher, signal });
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
  } catch (error) {
    return { ok: false, why: troubleOf(error), retryAfterMs: null };
  } finally {
    cancel();
    await dispatcher.destroy();
  }
}

/** The message of an unknown error is not used, as it may hold the address. */
function troubleOf(error: unknown): string {
  if (error instanceof TookTooLong) return error.message;
  const { code, message } = error as { code?: unknown; message?: unknown };
  const known = typeof code === 'string' ? connectionTrouble(code, String(message)) : undefined;
  return known?.why ?? `no answer came (${typeof code === 'string' ? code : 'unknown error'})`;
}
