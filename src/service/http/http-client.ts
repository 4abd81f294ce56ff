// Not from the package's index: with fetch, WebSocket and caches it takes a tenth of a second to load.
import Pool from 'undici/lib/dispatcher/pool.js';
import type { Dispatcher } from 'undici';
import type { Clock } from '../../runtime/clock.ts';
import { AppError, EXIT } from '../../runtime/errors.ts';
import type { Address } from './address.ts';
import type { EncodedBody } from './body.ts';
import { type ExchangeOptions, type HttpAnswer, PlainExchange } from './exchange.ts';
import { connector } from './interim-answers.ts';
import type { Profile } from '../profile/profile.ts';
import type { Mask } from './secrets.ts';
import { DialExchange, type Send } from './send-permit.ts';

/** How long each part of a request may take, in ms. */
export interface Timeouts {
  /** Until the connection stands, TLS included. Default 5,000. */
  connectMs: number;
  /**
   * Until the last byte of the answer, however steadily it drips: of a read from its call, of a dial from its first
   * byte. Default 30,000; 60,000 at most, since an intent without an answer is given up after two minutes.
   */
  answerMs: number;
  /**
   * Until the head of the answer to a read, from its call, connecting included: who looks on is not left waiting for a
   * service that hangs. Dials have no such limit, as giving one up leaves its call in doubt. Default 10,000.
   */
  silentMs: number;
}

export const DEFAULT_TIMEOUTS: Timeouts = { connectMs: 5_000, answerMs: 30_000, silentMs: 10_000 };

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

export interface WireOptions {
  address: Address;
  key: string;
  auth: Profile['auth'];
  timeouts: Timeouts;
  clock: Pick<Clock, 'after'>;
  /** Waits until the next request may be sent; null where the profile sets no rate. */
  turn: (() => Promise<void>) | null;
  /** Takes our secrets out of what comes. */
  mask: Mask;
}

/**
 * The connections to one service. No redirect is followed and nothing is repeated here. A Pool belongs to
 * one origin, so the key can go nowhere else; an Agent would keep a pool for each, and without keep-alive
 * throws it away and makes it anew all the time, which doubles what a dial costs.
 */
export class HttpClient {
  readonly origin: string;
  readonly #options: WireOptions;
  readonly #headers: string[];
  /** Without keep-alive: a reused connection that died can lose a request that was sent. */
  readonly #dials: Pool;
  readonly #reads: Pool;

  constructor(options: WireOptions) {
    const { address, key, auth, timeouts } = options;
    if (!/^[!-~]+$/.test(key)) {
      throw new AppError(
        'SERVICE_KEY_UNUSABLE',
        'The API key is empty or has blanks, line breaks or characters that a header cannot carry.',
        { hint: 'Set it again, without quotes and line breaks.', exitCode: EXIT.usage },
      );
    }
    this.origin = address.origin;
    this.#options = options;
    const sent = auth.basic ? Buffer.from(key).toString('base64') : key;
    const authorization = [auth.header, auth.prefix + sent];
    this.#headers = [...authorization, 'accept', 'application/json', 'user-agent', 'callsheet'];
    // One limit holds for the whole of an exchange (`Exchange`): pieces that keep coming start undici's anew.
    const common = { allowH2: false, headersTimeout: 0, bodyTimeout: 0 };
    const connect = { allowH2: false, timeout: timeouts.connectMs };
    this.#dials = new Pool(this.origin, {
      ...common,
      // Probes of an idle line are for connections that live longer than one answer.
      connect: connector({ ...connect, keepAlive: false }),
      pipelining: 0,
      maxResponseSize: LARGEST_DIAL_ANSWER,
    });
    this.#reads = new Pool(this.origin, {
      ...common,
      connect: connector(connect),
      pipelining: 1,
      maxResponseSize: LARGEST_READ,
    });
  }

  /**
   * One read, on connections that are kept.
   *
   * @param signal aborts when the answer is no longer waited for
   * @throws undici's or the system's error when no whole answer came, `TookTooLong` when it was not there in time
   */
  async read(
    method: string,
    path: string,
    body: EncodedBody | null = null,
    signal?: AbortSignal,
  ): Promise<HttpAnswer> {
    await this.#options.turn?.();
    const headers = body === null ? this.#headers : this.#headersOf(body);
    const options = { origin: this.origin, path, method, headers, body: body?.text ?? null };
    const { silentMs } = this.#options.timeouts;
    return this.#exchange(this.#reads, options, { signal, silentMs });
  }

  /** One write that is no dial; it may take its time, as giving it up leaves open what it did. @throws as `read` */
  async write(method: string, path: string, body: EncodedBody): Promise<HttpAnswer> {
    await this.#options.turn?.();
    const headers = this.#headersOf(body);
    const options = { origin: this.origin, path, method, body: body.text, headers };
    return this.#exchange(this.#dials, options);
  }

  /**
   * Sends a dial, once; `send` tells afterwards whether a byte left.
   *
   * @returns also an answer whose body broke off: its status tells something
   * @throws as `read`, before the status is known
   */
  async dial(request: DialRequest, send: Send): Promise<HttpAnswer> {
    const { turn, clock, timeouts, mask } = this.#options;
    await turn?.();
    const options = {
      origin: this.origin,
      path: request.path,
      method: request.method,
      body: request.body,
      headers: this.#headers.concat('content-type', request.contentType, request.headers),
    };
    return new Promise((resolve, reject) => {
      const limits = { clock, withinMs: timeouts.answerMs, mask, send };
      this.#dials.dispatch(options, new DialExchange(resolve, reject, limits));
    });
  }

  async #exchange(
    pool: Pool,
    options: Dispatcher.DispatchOptions,
    of: Pick<ExchangeOptions, 'signal' | 'silentMs'> = {},
  ): Promise<HttpAnswer> {
    const { clock, timeouts, mask } = this.#options;
    const answer = await new Promise<HttpAnswer>((resolve, reject) => {
      const limits = { clock, withinMs: timeouts.answerMs, mask, ...of };
      pool.dispatch(options, new PlainExchange(resolve, reject, limits));
    });
    if (answer.brokeOff !== null) throw answer.brokeOff;
    return answer;
  }

  #headersOf({ contentType }: EncodedBody): string[] {
    return [...this.#headers, 'content-type', contentType];
  }

  /** Dials in flight come to their end, reads are given up. */
  async close(): Promise<void> {
    await Promise.all([this.#dials.close(), this.#reads.destroy()]);
  }
}
