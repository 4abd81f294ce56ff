import type { Socket } from 'node:net';
import type { buildConnector as Build, Dispatcher } from 'undici';
import buildConnector from 'undici/lib/core/connect.js';
import Pool from 'undici/lib/dispatcher/pool.js';

import type { Clock } from '../../runtime/clock.ts';
import { usageError } from '../../runtime/errors.ts';
import type { Profile } from '../profile/profile.ts';
import type { Address } from './address.ts';
import type { EncodedBody } from './body.ts';
import { Exchange, type ExchangeOptions, type HttpAnswer } from './exchange.ts';
import type { Mask } from './secrets.ts';
import { DialExchange, type RateLimiter, type Send } from './send-permit.ts';

// Imported by path: the package's index also loads fetch, WebSocket and caches, a tenth of a second at each start.

/** How long each part of a request may take, in ms. */
export const DEFAULT_TIMEOUTS = {
  /** Until the connection is established, TLS included. */
  connectMs: 5_000,
  /**
   * Until the last byte of the answer, even if bytes keep coming. Counts from the start of a read, or from the first
   * byte of a dial. 60,000 at most, since an intent without an answer becomes unknown after two minutes.
   */
  answerMs: 30_000,
  /**
   * Until the status line of the answer to a read, counted from the start of the read, connecting included: a service
   * that hangs is noticed early. Dials have no such limit, since a dial that is given up leaves its call in doubt.
   */
  silentMs: 10_000,
};
export type Timeouts = typeof DEFAULT_TIMEOUTS;

/** Bytes. Longer answers are cut off, so that no service can fill the memory. */
const LARGEST_DIAL_ANSWER = 1_048_576;
const LARGEST_READ = 4_194_304;

interface WireOptions {
  address: Address;
  key: string;
  auth: Profile['auth'];
  /** The profile's own constant headers. */
  headers: Profile['headers'];
  timeouts: Timeouts;
  clock: Pick<Clock, 'after'>;
  limiter: Pick<RateLimiter, 'take' | 'refused'>;
  /** Masks our secrets in every answer. */
  mask: Mask;
}

/**
 * The connections to one service. Follows no redirect and retries nothing. undici's `Pool` belongs to one origin, so
 * the key cannot reach another host. An `Agent` would make a new pool for every dial, because dials have no keep-alive,
 * and that doubles the cost of a dial.
 */
export class HttpClient {
  readonly origin: string;
  readonly #options: WireOptions;
  readonly #headers: string[];
  /** Without keep-alive: on a reused connection that has died, a request that was sent can be lost. */
  readonly #dials: Pool;
  readonly #reads: Pool;

  constructor(options: WireOptions) {
    const { address, key, auth, headers, timeouts } = options;
    if (!/^[!-~]+$/.test(key)) {
      throw usageError(
        'SERVICE_KEY_UNUSABLE',
        'The API key is empty or has blanks, line breaks or characters that a header cannot carry.',
        'Set it again, without quotes and line breaks.',
      );
    }
    this.origin = address.origin;
    this.#options = options;
    const sent = auth.basic ? Buffer.from(key).toString('base64') : key;
    const authorization = [auth.header, auth.prefix + sent];
    const usual = ['accept', 'application/json', 'user-agent', 'callsheet'];
    this.#headers = [...authorization, ...usual, ...Object.entries(headers).flat()];
    // `Exchange` limits the time of a whole exchange; undici's own limits start anew with every chunk.
    const common = { allowH2: false, headersTimeout: 0, bodyTimeout: 0 };
    const connect = { allowH2: false, timeout: timeouts.connectMs };
    this.#dials = new Pool(this.origin, {
      ...common,
      // TCP keep-alive probes are of use only on connections that outlive one answer.
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
   * Sends one read, on connections that are kept alive.
   * @param signal aborts when the answer is no longer needed
   * @throws undici's or the system's error when no whole answer came, `TookTooLong` when a time limit passed
   */
  async read(
    method: string,
    path: string,
    body: EncodedBody | null = null,
    signal?: AbortSignal,
  ): Promise<HttpAnswer> {
    const { silentMs } = this.#options.timeouts;
    const limits = { signal, silentMs };
    return this.#exchange(this.#reads, this.#requestOf(method, path, body), limits);
  }

  /** Sends one write other than a dial, with the full time limit: a write that is given up may have taken effect. */
  async write(method: string, path: string, body: EncodedBody): Promise<HttpAnswer> {
    return this.#exchange(this.#dials, this.#requestOf(method, path, body));
  }

  /**
   * Sends a dial, once; afterwards `send` says whether a byte was sent.
   * @param request.headers additional headers: name, value, name, value ...
   * @returns an answer even if its body is incomplete: the status is evidence
   * @throws as `read`, if no status came
   */
  async dial(
    request: { method: string; path: string; body: EncodedBody; headers: string[] },
    send: Send,
  ): Promise<HttpAnswer> {
    const { limiter, clock, timeouts, mask } = this.#options;
    await limiter.take('dial');
    const { method, path, body, headers } = request;
    const answer = await new Promise<HttpAnswer>((resolve, reject) => {
      const limits = { clock, withinMs: timeouts.answerMs, mask };
      const exchange = new DialExchange({ resolve, reject, ...limits, send });
      this.#dials.dispatch(this.#requestOf(method, path, body, headers), exchange);
    });
    if (answer.status === 429) limiter.refused('dial');
    return answer;
  }

  async #exchange(
    pool: Pool,
    options: Dispatcher.DispatchOptions,
    of: Pick<ExchangeOptions, 'signal' | 'silentMs'> = {},
  ): Promise<HttpAnswer> {
    const { limiter, clock, timeouts, mask } = this.#options;
    await limiter.take();
    const answer = await new Promise<HttpAnswer>((resolve, reject) => {
      const limits = { clock, withinMs: timeouts.answerMs, mask, ...of };
      const exchange = new Exchange({ resolve, reject, ...limits });
      exchange.begin();
      pool.dispatch(options, exchange);
    });
    if (answer.status === 429) limiter.refused('read');
    if (answer.brokeOff !== null) throw answer.brokeOff;
    return answer;
  }

  #requestOf(method: string, path: string, body: EncodedBody | null, more: string[] = []) {
    const headers =
      body === null ? this.#headers : this.#headers.concat('content-type', body.contentType, more);
    return { origin: this.origin, path, method, headers, body: body?.text ?? null };
  }

  /** Waits for dials in flight; reads are aborted. */
  async close(): Promise<void> {
    await Promise.all([this.#dials.close(), this.#reads.destroy()]);
  }
}

/**
 * Makes connections that skip interim answers (1xx), as a client must at any time (RFC 9110, 15.2). undici closes the
 * connection on a `100 Continue` that it did not ask for, which some proxies send: every dial through such a proxy
 * would be in doubt. The other 1xx answers would restart undici's time limits again and again.
 */
function connector(options: Build.BuildOptions): Build.connector {
  const connect = buildConnector(options);
  return (where, done) =>
    connect(where, (...connected) => {
      if (connected[0] === null) skipInterim(connected[1]);
      done(...connected);
    });
}

/** Inspects the head of each answer before undici reads it; there is one answer at a time on a connection. */
function skipInterim(socket: Socket): void {
  const read = socket.read.bind(socket) as () => Buffer | null;
  const write: Socket['write'] = socket.write.bind(socket);
  let held: Buffer | undefined;
  let isAtHead = true;
  socket.write = ((...given: Parameters<Socket['write']>) => {
    isAtHead = true;
    return write(...given);
  }) as Socket['write'];
  socket.read = () => {
    for (;;) {
      const chunk = read();
      if (chunk === null || !isAtHead) return chunk;
      const rest = withoutInterim(held === undefined ? chunk : Buffer.concat([held, chunk]));
      isAtHead = rest.isPartial;
      held = rest.isPartial ? rest.bytes : undefined;
      if (!rest.isPartial) return rest.bytes;
    }
  };
}

/** @returns the bytes after all complete 1xx answers; `isPartial`: they may be the beginning of another 1xx */
function withoutInterim(bytes: Buffer): { bytes: Buffer; isPartial: boolean } {
  let rest = bytes;
  while (isInterim(rest.toString('latin1', 0, INTERIM.length + 2))) {
    const end = rest.indexOf('\r\n\r\n');
    // A head longer than any real one is passed on to undici, which refuses it.
    if (end < 0) return { bytes: rest, isPartial: rest.length < LARGEST_HEAD };
    rest = rest.subarray(end + 4);
  }
  return { bytes: rest, isPartial: false };
}

/** Whether the bytes are, or may become, the beginning of an interim answer; 101 is final, not interim. */
function isInterim(start: string): boolean {
  const line = start.replace('/1.0', '/1.1');
  return line.length < INTERIM.length
    ? INTERIM.startsWith(line)
    : line.startsWith(INTERIM) && !line.endsWith(' 101');
}

const INTERIM = 'HTTP/1.1 1';
const LARGEST_HEAD = 16_384;
