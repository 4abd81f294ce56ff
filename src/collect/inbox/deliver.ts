import { hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { messageOf } from '../../runtime/errors.ts';
import type { DeliveryProtocol } from '../../service/port.ts';
import type {
  ConnectionRoom,
  ReceiverLimits,
  ReceiverOptions,
  ServiceEndpoint,
} from './receiver-options.ts';

/** Retry-After of the 503 for a delivery that could not be kept. */
const RETRY_AFTER_S = 30;

/** Headers of HTTP and of proxies, which sign nothing. */
const OF_HTTP =
  /^(host|connection|accept.*|content-.*|user-agent|transfer-encoding|cache-control|pragma|via|forwarded|x-forwarded-.*|x-real-ip|cookie|expect|te|traceparent|tracestate)$/;

/** Verifies one delivery, keeps it and answers; the body was read before. */
export function createDelivering(
  options: Pick<
    ReceiverOptions,
    'store' | 'clock' | 'newId' | 'notify' | 'onDelivery' | 'receiver'
  >,
  base: (request: FastifyRequest) => string,
  limits: ReceiverLimits,
  counts: WebhookCounts,
  room: ConnectionRoom,
) {
  const { store, clock, newId, notify, onDelivery, receiver = 'dlv' } = options;
  let waiting = 0;

  return async (
    { service, protocol }: ServiceEndpoint,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    const receivedAt = clock.now();
    const read = request.body as Body | undefined;
    if (read?.kind === 'too_large') {
      counts.add('too_large');
      return refuse(reply.header('connection', 'close'), 413, 'too_large');
    }
    // The signature cannot be checked, as the body was not kept; but a dropped delivery has no effect.
    if (read?.kind === 'unneeded') return drop(reply, counts);
    const body = read?.bytes ?? new Uint8Array();
    const url = base(request) + request.url;
    const signature = protocol.verify(request.headers, body, receivedAt, url);
    const isElsewhere = isFromElsewhere(request, protocol);
    if (signature.kind === 'refused' || isElsewhere) {
      const why = signature.kind === 'refused' ? signature.why : 'address_wrong';
      const headers = Object.keys(request.headers).filter((name) => !OF_HTTP.test(name));
      if (counts.add(why)) notify({ event: 'webhook.refused', service, why, headers });
      return refuse(reply, 401, why);
    }
    room.prove(request.socket);
    if (isUnneeded(body, protocol)) return drop(reply, counts);
    if (waiting >= limits.waiting) return comeAgain(reply, counts);
    waiting += 1;
    let isNew: boolean | undefined;
    try {
      isNew = await store.inboxPut({
        id: newId(receiver),
        service,
        key: protocol.idOf(request.headers, body) ?? `sha256:${hash('sha256', body)}`,
        receivedAt,
        headers: protocol.headersToKeep(request.headers),
        body: protocol.bodyToKeep(body),
        signed: signature.kind === 'signed',
      });
    } catch (error) {
      notify({ event: 'webhook.unkept', service, detail: messageOf(error) });
    } finally {
      waiting -= 1;
    }
    if (isNew === undefined) return comeAgain(reply, counts);
    counts.add(isNew ? 'kept' : 'repeated');
    onDelivery(service);
    return reply.code(200).send({ received: true });
  };
}

/** Answers with 503, after which the service sends the delivery again. */
function comeAgain(reply: FastifyReply, counts: WebhookCounts): FastifyReply {
  counts.add('unavailable');
  return refuse(reply.header('retry-after', String(RETRY_AFTER_S)), 503, 'unavailable');
}

/** `by: callsheet` tells `webhook test` that the refusal came from here and not from a proxy in between. */
export function refuse(reply: FastifyReply, status: number, code: string): FastifyReply {
  return reply.code(status).send({ error: { code, by: 'callsheet' } });
}

/** Answers with 200 as if the delivery had been kept: services stop sending after too many refusals. */
function drop(reply: FastifyReply, counts: WebhookCounts): FastifyReply {
  counts.add('dropped');
  return reply.code(200).send({ received: true });
}

function isUnneeded(body: Uint8Array, { unneeded }: DeliveryProtocol): boolean {
  const scan = unneeded?.scan();
  scan?.add(body);
  return scan?.isUnneeded() === true;
}

/** The body's length as stated in the request's headers; NaN if the body is chunked, so that no length is stated. */
export function lengthOf({ headers }: FastifyRequest): number {
  const isChunked = headers['transfer-encoding'] !== undefined;
  return isChunked ? NaN : Number(headers['content-length'] ?? 0);
}

/** @param ips the only addresses from which deliveries may come; empty: any */
export function isFromElsewhere(
  request: FastifyRequest,
  { ips }: Pick<DeliveryProtocol, 'ips'>,
): boolean {
  return ips.length > 0 && !ips.includes(senderOf(request));
}

/** Behind a proxy on this machine, the last address in X-Forwarded-For; from elsewhere the header may be forged. */
function senderOf(request: FastifyRequest): string {
  const peer = plainAddress(request.socket.remoteAddress ?? '');
  const noted = request.headers['x-forwarded-for'];
  if (!/^(127\.|::1$)/.test(peer) || typeof noted !== 'string') return peer;
  return plainAddress(noted.split(',').at(-1)?.trim() ?? '');
}

/** Writes an IPv4 address that is mapped into IPv6 in its plain form. */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:/, '');
}

type Body =
  | { kind: 'whole'; bytes: Buffer }
  /** Longer than the limit, and of a type that the profile calls unneeded: no byte was kept. */
  | { kind: 'unneeded' }
  /** Longer than any body that is accepted. */
  | { kind: 'too_large' };

interface BodyRules {
  limit: number;
  /** The length that the request states; NaN if it states none. */
  length: number;
  /** Which deliveries may be longer, because they are dropped; null: none. */
  unneeded: DeliveryProtocol['unneeded'];
  /** Called after every chunk with the number of bytes that are kept. */
  onHeld?: ((bytes: number) => void) | undefined;
}

/**
 * Reads a body of up to `limit` bytes. A longer one is scanned for an unneeded type, if the profile names some, and not
 * kept.
 * @throws the error that interrupted the request
 */
export function readBody(stream: Readable, rules: BodyRules): Promise<Body> {
  const { length, limit, unneeded, onHeld } = rules;
  const most = Math.max(limit, unneeded?.largestBytes ?? 0);
  if (length > most) return Promise.resolve({ kind: 'too_large' });

  return new Promise((resolve, reject) => {
    let size = 0;
    let pieces: Buffer[] = [];
    // The scan begins only when the body exceeds the limit, or at once if the request says that it will.
    let scan = length > limit ? unneeded?.scan() : undefined;

    const done = (body: Body) => {
      stream.off('data', onData).off('end', onEnd).off('error', reject);
      resolve(body);
    };
    const onData = (piece: Buffer) => {
      size += piece.length;
      if (size > most) {
        done({ kind: 'too_large' });
        return;
      }
      pieces.push(piece);
      if (size > limit) scan ??= unneeded?.scan();
      if (scan !== undefined) {
        for (const each of pieces) scan.add(each);
        pieces = [];
      }
      onHeld?.(scan?.held ?? size);
    };
    const onEnd = () => {
      // `concat` copies: a chunk may be a view of the buffer that the connection reads into.
      if (scan === undefined) done({ kind: 'whole', bytes: Buffer.concat(pieces, size) });
      else done({ kind: scan.isUnneeded() ? 'unneeded' : 'too_large' });
    };
    stream.on('data', onData).on('end', onEnd).on('error', reject);
  });
}

/** How requests to the webhook address ended. */
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

type WebhookEnd = (typeof WEBHOOK_ENDS)[number];

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
