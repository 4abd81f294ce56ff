import type { IncomingHttpHeaders } from 'node:http';
import { Pool } from 'undici';
import type { Dispatcher } from 'undici';
import { AppError, EXIT } from '../runtime/errors.ts';
import type { Address } from './address.ts';
import type { Profile } from './profile.ts';
import type { Send } from './send-permit.ts';
import { sendPermit } from './send-permit.ts';

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

export interface HttpAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

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
  readonly #jsonHeaders: string[];
  /** Waits until the next request may be sent; null where the profile sets no rate. */
  readonly #turn: (() => Promise<void>) | null;
  /** Without keep-alive: a reused connection that died can lose a request that was sent. */
  readonly #dials: Pool;
  readonly #permitted: Dispatcher;
  readonly #reads: Pool;

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
    this.#jsonHeaders = [...this.#headers, 'content-type', 'application/json'];
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
    const longestAnswerMs = timeouts.headersMs + timeouts.bodyMs;
    this.#permitted = this.#dials.compose(sendPermit(monotonic, longestAnswerMs));
    this.#reads = new Pool(this.origin, {
      ...common,
      pipelining: 1,
      maxResponseSize: LARGEST_READ,
    });
  }

  /** One read, on connections that are kept. @throws undici's or the system's error when no whole answer came */
  async read(method: string, path: string, body: string | null = null): Promise<HttpAnswer> {
    if (this.#turn !== null) await this.#turn();
    const headers = body === null ? this.#headers : this.#jsonHeaders;
    const options = { origin: this.origin, path, method, headers, body };
    return whole(await this.#reads.request(options));
  }

  /** One write that is no dial. @throws as `read` */
  async write(method: string, path: string, body: string): Promise<HttpAnswer> {
    if (this.#turn !== null) await this.#turn();
    const options = { origin: this.origin, path, method, body, headers: this.#jsonHeaders };
    return whole(await this.#dials.request(options));
  }

  /** Sends a dial, once; `send` tells afterwards whether a byte left. @throws as `read`, before the status is known */
  async dial(request: DialRequest, send: Send): Promise<Dispatcher.ResponseData<Send>> {
    if (this.#turn !== null) await this.#turn();
    return this.#permitted.request({
      origin: this.origin,
      path: request.path,
      method: request.method,
      body: request.body,
      headers: this.#headers.concat('content-type', request.contentType, request.headers),
      opaque: send,
    });
  }

  /** Dials in flight come to their end, reads are given up. */
  async close(): Promise<void> {
    await Promise.all([this.#dials.close(), this.#reads.destroy()]);
  }
}

async function whole({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<HttpAnswer> {
  return { status: statusCode, headers, text: await body.text() };
}
