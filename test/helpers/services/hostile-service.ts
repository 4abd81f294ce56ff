import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** What a hostile service does with one answer. */
export type Malice =
  /** Nothing: it answers. */
  | 'answers'
  /** A byte now and then, for ever: no piece is late. */
  | 'drips'
  /** The same, in the head. */
  | 'drips its head'
  /** Never a byte. */
  | 'hangs'
  /** `100 Continue`, which nobody asked for, and then the answer. */
  | 'continues'
  /** All but the last byte. */
  | 'cuts short';

export interface HostileAnswer {
  malice?: Malice;
  status?: number;
  body: unknown;
}

export interface HostileAsked {
  operation: 'agents' | 'dial' | 'analytics';
  callId: string | undefined;
  phone: string | undefined;
  /** Of this operation, from 0. */
  nth: number;
  /** The whole of the request, the key included. */
  head: string;
}

export interface HostileService {
  url: string;
  asked: HostileAsked[];
  /** Numbers in the order in which they were dialled. */
  dialled: () => string[];
  /** How it answers may be changed while it runs. */
  behave(next: (asked: HostileAsked) => HostileAnswer): void;
}

const DRIP_MS = 25;

/** A service that speaks the documented interface byte by byte, as badly as it is told to. */
export async function hostileService(
  answer: (asked: HostileAsked) => HostileAnswer,
): Promise<HostileService> {
  let current = answer;
  const asked: HostileAsked[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      const end = text.indexOf('\r\n\r\n') + 4;
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
      if (end < 4 || text.length < end + length) return;
      const request = readRequest(text.slice(0, end), text.slice(end, end + length), asked);
      text = text.slice(end + length);
      asked.push(request);
      send(socket, current(request));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(
    () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        for (const socket of sockets) socket.destroy();
      }),
  );
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    dialled: () => asked.flatMap(({ phone }) => (phone === undefined ? [] : [phone])),
    behave: (next) => (current = next),
  };
}

/** A plain answer to everything, for what is not the subject. */
export function plain({ operation, nth, callId }: HostileAsked): HostileAnswer {
  if (operation === 'agents') return { body: { data: [{ id: 'ag_1', name: 'Renewals' }] } };
  if (operation === 'dial') return { body: { call_id: `call-${nth}` } };
  const transcript = `agent: Hello.\nuser: This is ${callId ?? ''}.`;
  return { body: { status: 'completed', duration: 3, sentiment: 'neutral', transcript } };
}

function readRequest(head: string, body: string, before: readonly HostileAsked[]): HostileAsked {
  const path = head.split(' ')[1] ?? '';
  const callId = /\/calls\/([^/]+)\/analytics$/.exec(path)?.[1];
  const isDial = path.endsWith('/calls/outbound');
  const operation = callId !== undefined ? 'analytics' : isDial ? 'dial' : 'agents';
  const { phone_number: phone } = (isDial ? JSON.parse(body) : {}) as { phone_number?: string };
  const nth = before.filter((each) => each.operation === operation).length;
  return { operation, callId, phone, nth, head };
}

function send(socket: Socket, { malice = 'answers', status = 200, body }: HostileAnswer): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const line = `HTTP/1.1 ${status} X\r\n`;
  const whole = `${line}content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
  switch (malice) {
    case 'answers':
      socket.write(whole);
      return;
    case 'continues':
      socket.write(`HTTP/1.1 100 Continue\r\n\r\n${whole}`);
      return;
    case 'cuts short':
      socket.end(whole.slice(0, -1));
      return;
    case 'hangs':
      return;
    case 'drips':
      drip(socket, `${line}content-length: 999999\r\n\r\n${text.slice(0, -1)}`, ' ');
      return;
    case 'drips its head':
      drip(socket, line, 'x: y\r\n');
  }
}

function drip(socket: Socket, start: string, piece: string): void {
  socket.write(start);
  const dripping = setInterval(() => socket.write(piece), DRIP_MS);
  socket.on('close', () => {
    clearInterval(dripping);
  });
}
