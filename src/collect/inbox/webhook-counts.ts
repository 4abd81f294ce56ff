/** What became of requests to the webhook address. */
export const WEBHOOK_ENDS = [
  /** On disk and answered with 200. */
  'kept',
  /** Sent again by the service: kept once. */
  'repeated',
  /** Of a type that the profile calls unneeded: answered with 200, and kept nowhere. */
  'dropped',
  /** 401 */
  'signature_missing',
  'signature_wrong',
  /** Signed too long ago, perhaps a request that was recorded and sent again; or the clocks differ too much. */
  'time_wrong',
  'address_wrong',
  /** 404: no such path, or a wrong token. */
  'not_found',
  /** 413 */
  'too_large',
  /** 400, 408: not an HTTP request, or one that did not arrive in time. */
  'malformed',
  /** Disconnected without an answer: no request came in time, or too many such connections were open. */
  'sent_away',
  /** 503: it could not be written to disk now. */
  'unavailable',
] as const;

export type WebhookEnd = (typeof WEBHOOK_ENDS)[number];

/** Counts since the receiver began to listen. */
export class WebhookCounts {
  readonly #counts = new Map<WebhookEnd, number>();

  /** @returns true for the first of its kind and every hundredth after it: these are reported to the operator */
  add(end: WebhookEnd): boolean {
    const count = this.of(end) + 1;
    this.#counts.set(end, count);
    return count === 1 || count % 100 === 0;
  }

  of(end: WebhookEnd): number {
    return this.#counts.get(end) ?? 0;
  }

  /** The counts that are not 0. */
  toJSON(): Partial<Record<WebhookEnd, number>> {
    return Object.fromEntries(this.#counts);
  }
}
