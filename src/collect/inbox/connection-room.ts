import type { Socket } from 'node:net';
import type { Clock } from '../../runtime/clock.ts';

export interface RoomLimits {
  /** Connections at once, of all kinds. Default 1,024. */
  connections: number;
  /** Of these, connections of strangers (see `ConnectionRoom`): the rest is reserved for senders of deliveries. Default 512. */
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
 * that has not requested one of our secret paths yet. It is disconnected after a few seconds, and when there are too
 * many strangers the oldest goes, so a service that delivers always finds room. An address that has sent verified
 * deliveries (a service, many behind one NAT, or the proxy in front) has no limit of its own.
 */
export class ConnectionRoom {
  readonly #limits: RoomLimits;
  readonly #clock: Clock;
  readonly #onSentAway: () => void;
  /** The oldest first, each with its address and what cancels its timeout. */
  readonly #strangers = new Map<Socket, { address: string; cancel: () => void }>();
  readonly #byAddress = new Map<string, Set<Socket>>();
  readonly #proved = new WeakSet<Socket>();
  readonly #addresses = new Set<string>();

  constructor(limits: RoomLimits, clock: Clock, onSentAway: () => void) {
    this.#limits = limits;
    this.#clock = clock;
    this.#onSentAway = onSentAway;
  }

  enter(socket: Socket): void {
    const { strangers, strangersPerAddress, strangerMs } = this.#limits;
    const address = networkOf(socket.remoteAddress ?? '');
    const cancel = this.#clock.after(strangerMs, () => {
      this.#sendAway(socket);
    });
    this.#strangers.set(socket, { address, cancel });
    const same = this.#byAddress.get(address) ?? new Set();
    this.#byAddress.set(address, same.add(socket));
    socket.once('close', () => {
      this.#forget(socket);
    });
    if (same.size > strangersPerAddress && !this.#addresses.has(address))
      this.#sendAway(first(same));
    if (this.#strangers.size > strangers) this.#sendAway(this.#leastWelcome());
  }

  /** It has requested one of our paths: from now on only the limit for whole requests applies. */
  admit(socket: Socket): void {
    this.#forget(socket);
  }

  /** A delivery that came over it was verified. */
  prove(socket: Socket): void {
    this.#proved.add(socket);
    const address = networkOf(socket.remoteAddress ?? '');
    this.#addresses.delete(address);
    this.#addresses.add(address);
    if (this.#addresses.size > MOST_ADDRESSES) this.#addresses.delete(first(this.#addresses));
  }

  hasProved(socket: Socket): boolean {
    return this.#proved.has(socket);
  }

  /** Disconnects all strangers. */
  close(): void {
    for (const socket of this.#strangers.keys()) socket.destroy();
  }

  #leastWelcome(): Socket {
    for (const [socket, { address }] of this.#strangers) {
      if (!this.#addresses.has(address)) return socket;
    }
    return first(this.#strangers.keys());
  }

  #sendAway(socket: Socket): void {
    this.#forget(socket);
    this.#onSentAway();
    socket.destroy();
  }

  #forget(socket: Socket): void {
    const stranger = this.#strangers.get(socket);
    if (stranger === undefined) return;
    stranger.cancel();
    this.#strangers.delete(socket);
    const same = this.#byAddress.get(stranger.address);
    same?.delete(socket);
    if (same?.size === 0) this.#byAddress.delete(stranger.address);
  }
}

function first<T>(some: Iterable<T>): T {
  for (const one of some) return one;
  throw new Error('there is one at the least');
}

/** An IPv4 address, or the /64 network of an IPv6 address: one sender usually has all of it. */
function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/, '');
  if (!plain.includes(':')) return plain;
  const [head = '', tail] = plain.split('::');
  const groups = head === '' ? [] : head.split(':');
  const rest = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - groups.length - rest.length);
  return [...groups, ...Array<string>(zeros).fill('0'), ...rest].slice(0, 4).join(':');
}
