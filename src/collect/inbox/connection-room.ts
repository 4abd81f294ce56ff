import type { Socket } from 'node:net';
import type { Clock } from '../../runtime/clock.ts';

export interface RoomLimits {
  /** Connections at once, of all kinds. Default 1,024. */
  connections: number;
  /** Of these, connections of strangers (see `createConnectionRoom`): the rest is reserved for senders of deliveries. Default 512. */
  strangers: number;
  /** Strangers from one address that has never sent a verified delivery. Default 64. */
  strangersPerAddress: number;
  /** How long a stranger may take to send the head of its request, ms. Default 3,000. */
  strangerMs: number;
}

/** How many addresses of senders are remembered; the least recent is forgotten first. */
const MOST_ADDRESSES = 1_000;

/**
 * Decides which connections may stay, so that nobody can fill the receiver with idle ones. A stranger is a connection
 * that has not requested a secret webhook path yet. It is disconnected after a few seconds, and when there are too
 * many strangers the oldest is disconnected, so a service that delivers always finds room. An address that has sent
 * verified deliveries (a service, many behind one NAT, or the proxy in front) has no limit of its own.
 */
export function createConnectionRoom(
  { strangers: most, strangersPerAddress, strangerMs }: RoomLimits,
  clock: Clock,
  onSentAway: () => void,
) {
  /** Strangers, the oldest first, each with its address and a function that cancels its timeout. */
  const strangers = new Map<Socket, { address: string; cancel: () => void }>();
  const byAddress = new Map<string, Set<Socket>>();
  const proved = new WeakSet<Socket>();
  const addresses = new Set<string>();

  const forget = (socket: Socket) => {
    const stranger = strangers.get(socket);
    if (stranger === undefined) return;
    stranger.cancel();
    strangers.delete(socket);
    const same = byAddress.get(stranger.address);
    same?.delete(socket);
    if (same?.size === 0) byAddress.delete(stranger.address);
  };
  const sendAway = (socket: Socket) => {
    forget(socket);
    onSentAway();
    socket.destroy();
  };
  const leastWelcome = () => {
    for (const [socket, { address }] of strangers) if (!addresses.has(address)) return socket;
    return first(strangers.keys());
  };

  return {
    enter: (socket: Socket): void => {
      const address = networkOf(socket.remoteAddress ?? '');
      const cancel = clock.after(strangerMs, () => {
        sendAway(socket);
      });
      strangers.set(socket, { address, cancel });
      const same = byAddress.get(address) ?? new Set();
      byAddress.set(address, same.add(socket));
      socket.once('close', () => {
        forget(socket);
      });
      if (same.size > strangersPerAddress && !addresses.has(address)) sendAway(first(same));
      if (strangers.size > most) sendAway(leastWelcome());
    },
    /** Call when the connection has requested a valid path: from then on only the limit for whole requests applies. */
    admit: forget,
    /** Call when a delivery over this connection was verified. */
    prove: (socket: Socket): void => {
      proved.add(socket);
      const address = networkOf(socket.remoteAddress ?? '');
      addresses.delete(address);
      addresses.add(address);
      if (addresses.size > MOST_ADDRESSES) addresses.delete(first(addresses));
    },
    hasProved: (socket: Socket): boolean => proved.has(socket),
    /** Disconnects all strangers. */
    close: (): void => {
      for (const socket of strangers.keys()) socket.destroy();
    },
  };
}

export type ConnectionRoom = ReturnType<typeof createConnectionRoom>;

function first<T>(some: Iterable<T>): T {
  for (const one of some) return one;
  throw new Error('there is one at the least');
}

/** An IPv4 address, or the /64 network of an IPv6 address: one sender usually has the whole network. */
function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/, '');
  if (!plain.includes(':')) return plain;
  const [head = '', tail] = plain.split('::');
  const groups = head === '' ? [] : head.split(':');
  const rest = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - groups.length - rest.length);
  return [...groups, ...Array<string>(zeros).fill('0'), ...rest].slice(0, 4).join(':');
}
