import type { FastifyRequest } from 'fastify';
import type { DeliveryProtocol } from '../../service/port.ts';

/** The body's length by the request's head; NaN if it is chunked and states none. */
export function lengthOf({ headers }: FastifyRequest): number {
  const isChunked = headers['transfer-encoding'] !== undefined;
  return isChunked ? NaN : Number(headers['content-length'] ?? 0);
}

/** @param ips that deliveries come from; empty: any */
export function isFromElsewhere(
  request: FastifyRequest,
  { ips }: Pick<DeliveryProtocol, 'ips'>,
): boolean {
  return ips.length > 0 && !ips.includes(senderOf(request));
}

/** Behind a proxy on this machine, the last address in X-Forwarded-For; from farther away the header may be forged. */
function senderOf(request: FastifyRequest): string {
  const peer = plainAddress(request.socket.remoteAddress ?? '');
  const noted = request.headers['x-forwarded-for'];
  if (!/^(127\.|::1$)/.test(peer) || typeof noted !== 'string') return peer;
  return plainAddress(noted.split(',').at(-1)?.trim() ?? '');
}

/** IPv4 addresses mapped into IPv6 in their plain form. */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:/, '');
}
