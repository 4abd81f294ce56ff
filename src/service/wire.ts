// Not from the package's index: with fetch, WebSocket and caches it takes a tenth of a second to load.
import Pool from 'undici/lib/dispatcher/pool.js';
import type { Dispatcher } from 'undici';
import { AppError, EXIT } from '../runtime/errors.ts';
import type { Address } from './address.ts';
import type { EncodedBody } from './body.ts';
import { type HttpAnswer, PlainExchange } from './exchange.ts';
import type { Profile } from './profile.ts';
import { DialExchange, type Send } from './send-permit.ts';

/** How long each part of a request may take, in ms. */
export interface Timeouts {
  /** Until the connection stands, TLS included. Default 5,000. */
  connectMs: number;
  /** From the request to the last header of its answer. Default 30,000. */
  headersMs: number;
  /** Between two pieces of the body. Default 30,000. */
  bodyMs: number;
}

export const DEFAULT_TIMEOUTS: Timeouts = { connectMs: 5_000, headersMs: 30_000, bodyMs: 30_000 };

/** Answers beyond these are cut off: what a service sends must not fill the memory. */
const LARGEST_DIAL_ANSWER = 1_048_576;
const LARGEST_READ = 4_194_304;

export interface DialRequest {
  method: string;
  path: string;
  body: string;
  contentType: string;
  /** Names and values in turn, besides the key's. */
  headers: string[];
}

/**
 * The connections to one service. No redirect is followed and nothing is repeated here. A Pool belongs to
 * one origin, so the key can go nowhere else; an Agent would keep a pool for each, and without keep-alive
 * throws it away and makes it anew all the time, which doubles what a dial costs.
 */
export class Wire {
  readonly origin: string;
  readonly #headers: string[];
  /** Waits until the next request may be sent; null where the profile sets no rate. */
  readonly #turn: (() => Promise<void>) | null;
  /** Without keep-alive: a reused connection that died can lose a request that was sent. */
  readonly #dials: Pool;
  readonly #reads: Pool;
  readonly #monotonic: () => number;
  readonly #longestAnswerMs: number;

  constructor(
    address: Address,
    key: string,
    auth: Profile['auth'],
    timeouts: Timeouts,
    monotonic: () => number,
    turn: (() => Promise<void>) | null,
  ) {
    if (!/^[!-~]+$/.test(key)) {
      throw new AppError(
        'SERVICE_KEY_UNUSABLE',
        'The API key is empty or has blanks, line breaks or characters that a header cannot carry.',
        { hint: 'Set it again, without quotes and line breaks.', exitCode: EXIT.usage },
      );
    }
    this.origin = address.origin;
    this.#turn = turn;
    const sent = auth.basic ? Buffer.from(key).toString('base64') : key;
    const authorization = [auth.header, auth.prefix + sent];
    this.#headers = [...authorization, 'accept', 'application/json', 'user-agent', 'callsheet'];
    const common = {
      allowH2: false,
      connect: { timeout: timeouts.connectMs },
      headersTimeout: timeouts.headersMs,
      bodyTimeout: timeouts.bodyMs,
    };
    this.#dials = new Pool(this.origin, {
      ...common,
      // Probes of an idle line are for connections that live longer than one answer.
      connect: { ...common.connect, keepAlive: false },
      pipelining: 0,
      maxResponseSize: LARGEST_DIAL_ANSWER,
    });
    this.#monotonic = monotonic;
    this.#longestAnswerMs = timeouts.headersMs + timeouts.bodyMs;
    this.#reads = new Pool(this.origin, {
      ...common,
      pipelining: 1,
      maxResponseSize: LARGEST_READ,
    });
  }

  /** One read, on connections that are kept. @throws undici's or the system's error when no whole answer came */
  async read(method: string, path: string, body: EncodedBody | null = null): Promise<HttpAnswer> {
    if (this.#turn !== null) await this.#turn();
    const headers = body === null ? this.#headers : this.#headersOf(body);
    const options = { origin: this.origin, path, method, headers, body: body?.text ?? null };
    return whole(await exchange(this.#reads, options));
  }

  /** One write that is no dial. @throws as `read` */
  async write(method: string, path: string, body: EncodedBody): Promise<HttpAnswer> {
    if (this.#turn !== null) await this.#turn();
    const headers = this.#headersOf(body);
    const options = { origin: this.origin, path, method, body: body.text, headers };
    return whole(await exchange(this.#dials, options));
  }

  /**
   * Sends a dial, once; `send` tells afterwards whether a byte left.
   *
   * @returns also an answer whose body broke off: its status tells something
   * @throws as `read`, before the status is known
   */
  async dial(request: DialRequest, send: Send): Promise<HttpAnswer> {
    if (this.#turn !== null) await this.#turn();
    const options = {
      origin: this.origin,
      path: request.path,
      method: request.method,
      body: request.body,
      headers: this.#headers.concat('content-type', request.contentType, request.headers),
    };
    const monotonic = this.#monotonic;
    const longestAnswerMs = this.#longestAnswerMs;
    return new Promise((resolve, reject) => {
      const context = { send, monotonic, longestAnswerMs };
      this.#dials.dispatch(options, new DialExchange(resolve, reject, context));
    });
  }

  #headersOf({ contentType }: EncodedBody): string[] {
    return [...this.#headers, 'content-type', contentType];
  }

  /** Dials in flight come to their end, reads are given up. */
  async close(): Promise<void> {
    await Promise.all([this.#dials.close(), this.#reads.destroy()]);
  }
}

function exchange(pool: Pool, options: Dispatcher.DispatchOptions): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    pool.dispatch(options, new PlainExchange(resolve, reject));
  });
}

function whole(answer: HttpAnswer): HttpAnswer {
  if (answer.brokeOff !== null) throw answer.brokeOff;
  return answer;
}
