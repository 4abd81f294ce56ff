import type { FastifyRequest } from 'fastify';
import type { DeliveryProtocol } from '../../service/port.ts';

/** What the head of a request tells, before its body is read. */

/** How long the body is; NaN where it comes in pieces and does not say. */
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

/** Behind a proxy on this machine, the last address that it noted; whoever is further away may write any. */
function senderOf(request: FastifyRequest): string {
  const peer = plainAddress(request.socket.remoteAddress ?? '');
  const noted = request.headers['x-forwarded-for'];
  if (!/^(127\.|::1$)/.test(peer) || typeof noted !== 'string') return peer;
  return plainAddress(noted.split(',').at(-1)?.trim() ?? '');
}

/** An IPv4 address that came over IPv6 is still the same. */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:/, '');
}
