import { createHmac } from 'node:crypto';
import { Agent, request } from 'undici';
import type { WebhookTarget } from '../options.ts';

const TIMEOUT_MS = 15_000;

interface Message {
  id: string;
  body: string;
  /** Epoch ms; the signature covers this time. */
  sentAt: number;
  signed: boolean;
}

/** Posts events, signed as Standard Webhooks requires. */
export function createWebhookSender() {
  const dispatcher = new Agent();
  return {
    /**
     * Makes one try. Anything but a 2xx within the time limit counts as not acknowledged, redirects included.
     *
     * @returns `retryAfterS`: how long the receiver asks to wait; 0 if it does not say
     */
    post: async (target: WebhookTarget, message: Message) => {
      try {
        const { statusCode, headers, body } = await request(target.url, {
          dispatcher,
          method: 'POST',
          headers: headersOf(target, message),
          body: message.body,
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
    /** Aborts the POSTs in flight: they count as not acknowledged. */
    close: () => dispatcher.destroy(),
  };
}

function headersOf({ secret }: WebhookTarget, { id, body, sentAt, signed }: Message) {
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
