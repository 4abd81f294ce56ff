import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';

import { maskNumbers } from '../../domain/phone.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Mask } from './secrets.ts';

/** An answer whose headers have arrived; our own secrets are masked in it. */
export interface HttpAnswer {
  status: number;
  /** The header as it came; see `retryAfterMs`. */
  retryAfter: string | string[] | undefined;
  /** The `Link` header (RFC 8288), which may give the next page of a list. */
  link: string | undefined;
  /** The `Location` header: the target of a redirect, or what a dial has made; our secrets are masked. */
  location: string | undefined;
  /** The body, or as much of it as came. */
  text: string;
  /** Why the body is incomplete; null: it is whole. */
  brokeOff: Error | null;
}

export interface ExchangeOptions {
  resolve: (answer: HttpAnswer) => void;
  /** Called when the exchange ended before an HTTP status came. */
  reject: (error: Error) => void;
  clock: Pick<Clock, 'after'>;
  /** From the start to the last byte of the answer, ms; chunks that keep coming do not extend it. */
  withinMs: number;
  /** From the start to the status line, ms, connecting included. Default: only `withinMs` limits the exchange. */
  silentMs?: number;
  /** Masks our secrets in the answer before anything reads it. */
  mask: Mask;
  /** Aborts when the answer is no longer needed. */
  signal?: AbortSignal | undefined;
}

/**
 * Receives one answer from undici's `dispatch`. `request()` and `body.text()` would do the same through a stream, which
 * for a few hundred bytes of JSON is a quarter of what a request costs. The time limits count from `begin`.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #options: ExchangeOptions;
  readonly #chunks: Buffer[] = [];
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  #controller: Dispatcher.DispatchController | undefined;
  #givenUp: Error | undefined;
  #stopWhole: () => void = () => undefined;
  #stopSilence: () => void = () => undefined;

  constructor(options: ExchangeOptions) {
    this.#options = options;
  }

  /** Called on the connected socket, before the first byte is written: a request that was given up must not be sent. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#givenUp !== undefined) controller.abort(this.#givenUp);
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    this.#status = status;
    this.#headers = headers;
    this.#stopSilence();
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.#over();
    this.#options.resolve(this.#answer(null));
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#over();
    if (this.#status === 0) this.#options.reject(error);
    else this.#options.resolve(this.#answer(error));
  }

  begin(): void {
    const { clock, withinMs, silentMs = withinMs, signal } = this.#options;
    const giveUpAfter = (ms: number, what: string) =>
      clock.after(ms, () => this.#giveUp(new TookTooLong(ms, what)));
    this.#stopWhole = giveUpAfter(withinMs, WHOLE);
    if (silentMs < withinMs) this.#stopSilence = giveUpAfter(silentMs, 'nothing was answered');
    if (signal?.aborted === true) this.#onAbort();
    else signal?.addEventListener('abort', this.#onAbort);
  }

  readonly #onAbort = (): void => {
    this.#giveUp(new Error('it was stopped'));
  };

  /** If the connection has not been made yet, there is nothing to abort, and the exchange fails at once. */
  #giveUp(why: Error): void {
    this.#givenUp = why;
    if (this.#controller !== undefined) {
      this.#controller.abort(why);
      return;
    }
    this.#over();
    this.#options.reject(why);
  }

  #over(): void {
    this.#stopWhole();
    this.#stopSilence();
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
  }

  #answer(brokeOff: Error | null): HttpAnswer {
    const { mask } = this.#options;
    const { link, location, 'retry-after': retryAfter } = this.#headers;
    return {
      status: this.#status,
      retryAfter,
      link: link === undefined ? undefined : mask(Array.isArray(link) ? link.join(', ') : link),
      location: location === undefined ? undefined : mask(location),
      text: mask(textOf(this.#chunks)),
      brokeOff,
    };
  }
}

const WHOLE = 'the answer was not here in full';

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

export function isKeyRefused(status: number): boolean {
  return status === 401 || status === 403;
}

/** No answer within the time limit; an immediate retry would take as long. */
export class TookTooLong extends Error {
  constructor(withinMs: number, what = WHOLE) {
    super(`${what} within ${withinMs / 1_000} s`);
  }
}

/** Whether a request timed out: waiting for its answer, or for its connection (DNS and TLS included). */
export function isSilence(error: unknown): boolean {
  if (error instanceof TookTooLong) return true;
  return (error as { code?: unknown } | undefined)?.code === 'UND_ERR_CONNECT_TIMEOUT';
}

/** The body as UTF-8, without the byte order mark that some services put in front. */
function textOf(chunks: readonly Buffer[]): string {
  const bytes = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
  const text = bytes?.toString('utf8') ?? '';
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

const LENGTH = 200;

/** What an answer says, for messages: the target of a redirect, otherwise the beginning of the body. Never empty. */
export function excerptOf({ status, location, text }: Received): string {
  if (!isRedirect(status) || location === undefined) return excerpt(text) || 'an empty body';
  // The query of a redirect may contain the key or a session id.
  return `a redirect to ${excerpt(location.replace(/[?#].*/s, ''))}, which is not followed`;
}

/** The statuses that redirect a client to another address (RFC 9110, 15.4). */
export function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

type Received = Pick<HttpAnswer, 'status' | 'text'> & Partial<Pick<HttpAnswer, 'location'>>;

/**
 * The first 200 characters on one line, phone numbers masked (our secrets were masked on arrival). Control characters
 * are removed: text from a service must not control the terminal that shows it.
 */
export function excerpt(text: string): string {
  // Mask before cutting: half a phone number must not be shown either.
  const line = text
    .slice(0, LENGTH + 40)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  const masked = maskNumbers(line);
  return masked.length > LENGTH ? `${masked.slice(0, LENGTH)}...` : masked;
}
