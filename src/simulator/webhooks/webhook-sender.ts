import { createHmac } from 'node:crypto';
import { Agent, request } from 'undici';
import type { WebhookTarget } from '../options.ts';

/** The result of one POST. */
export interface Sent {
  acknowledged: boolean;
  /** Whole seconds that the receiver asks to wait; 0 if it does not say. */
  retryAfterS: number;
}

/** Posts events, signed after Standard Webhooks. */
export interface WebhookSender {
  /**
   * One try. Everything but a 2xx within the time is "not acknowledged", redirects included.
   * @param sentAt epoch ms, part of what is signed
   */
  post(
    target: WebhookTarget,
    event: { id: string; body: string; sentAt: number; signed: boolean },
  ): Promise<Sent>;
  /** Aborts the POSTs in flight: they count as not acknowledged. */
  close(): Promise<void>;
}

const TIMEOUT_MS = 15_000;

export function createWebhookSender(): WebhookSender {
  const dispatcher = new Agent();
  return {
    post: async (target, event) => {
      try {
        const { statusCode, headers, body } = await request(target.url, {
          dispatcher,
          method: 'POST',
          headers: headersOf(target, event),
          body: event.body,
          headersTimeout: TIMEOUT_MS,
          bodyTimeout: TIMEOUT_MS,
        });
        await body.dump();
        const seconds = Number(headers['retry-after'] ?? 0);
        return {
          acknowledged: statusCode >= 200 && statusCode < 300,
          retryAfterS: Number.isFinite(seconds) ? Math.max(0, seconds) : 0,
        };
      } catch {
        return { acknowledged: false, retryAfterS: 0 };
      }
    },
    close: () => dispatcher.destroy(),
  };
}

function headersOf(
  { secret }: WebhookTarget,
  { id, body, sentAt, signed }: { id: string; body: string; sentAt: number; signed: boolean },
): Record<string, string> {
  const seconds = Math.floor(sentAt / 1_000);
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'callsheet-embedded-service',
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
  };
  if (secret === null || !signed) return headers;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
  return { ...headers, 'webhook-signature': `v1,${signature}` };
}
