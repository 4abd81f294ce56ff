import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import type { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { isE164 } from '../../src/domain/phone.ts';
import type { E164 } from '../../src/domain/phone.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { createVoiceService } from '../../src/service/voice-service.ts';
import type { VoiceServiceOptions } from '../../src/service/voice-service.ts';
import type { Dial, VoiceService } from '../../src/service/port.ts';
import { loadProfile } from '../../src/service/profile/profile.ts';

export const PROFILE_TEXT = readFileSync('campaigns/profiles/voice-agent.yaml', 'utf8');
export const PROFILE = loadProfile(PROFILE_TEXT, 'voice-agent.yaml');

export const KEY = 'sk-test-4f9a2b';

export const DIAL: Dial = { attemptKey: 'a1b2c3', phone: phone('+12125550123'), agent: 'ag_9' };

export function phone(text: string): E164 {
  if (!isE164(text)) throw new Error(`${text} is not E.164`);
  return text;
}

export const yes = () => true;

/** A client with the default profile and no pause between repeated looks. */
export function connect(url: string, options: Partial<VoiceServiceOptions> = {}): VoiceService {
  return createVoiceService({
    name: 'main',
    url,
    key: KEY,
    profile: PROFILE,
    clock: { ...systemClock, sleep: () => Promise.resolve() },
    random: () => 0.5,
    ...options,
  });
}

/** A TCP server that answers whole HTTP requests as told and counts what came over the wire. */
export class RawServer {
  connections = 0;
  bytes = 0;
  /** Whole requests, head and body. */
  requests: string[] = [];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(
    answer: (socket: Socket, request: string) => void,
    onConnection?: (socket: Socket) => void,
  ) {
    this.#server = createTcpServer((socket) => {
      this.connections += 1;
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      if (onConnection !== undefined) {
        onConnection(socket);
        return;
      }
      let text = '';
      socket.on('data', (chunk: Buffer) => {
        this.bytes += chunk.length;
        text += chunk.toString('latin1');
        const end = text.indexOf('\r\n\r\n') + 4;
        const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
        if (end < 4 || text.length < end + length) return;
        this.requests.push(text.slice(0, end + length));
        text = text.slice(end + length);
        answer(socket, this.requests.at(-1) ?? '');
      });
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  static async start(answer: (socket: Socket, request: string) => void): Promise<RawServer> {
    const server = new RawServer(answer);
    await listening(server.#server);
    return server;
  }

  /** One that reads nothing: `onConnection` is all that it does. */
  static async deaf(onConnection: (socket: Socket) => void): Promise<RawServer> {
    const server = new RawServer(() => undefined, onConnection);
    await listening(server.#server);
    return server;
  }

  get url(): string {
    return urlOf(this.#server);
  }

  /** Ends it, and with it every doubt whether more will come. */
  async stop(): Promise<void> {
    await new Promise((resolve) => {
      this.#server.close(resolve);
      for (const socket of this.#sockets) socket.destroy();
    });
  }
}

export interface FakeService {
  url: string;
  requests: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[];
  stop: () => Promise<void>;
}

/** An HTTP server whose answers are given per request; text is sent as it is, anything else as JSON. */
export async function fakeService(
  answer: (
    request: FakeService['requests'][number],
    count: number,
  ) => { status?: number; headers?: Record<string, string>; body: unknown },
): Promise<FakeService> {
  const requests: FakeService['requests'] = [];
  const server: HttpServer = createHttpServer(
    (request: IncomingMessage, response: ServerResponse) => {
      let body = '';
      request.setEncoding('utf8');
      request.on('data', (chunk: string) => (body += chunk));
      request.on('end', () => {
        const { method = '', url = '', headers } = request;
        const seen = { method, url, headers, body };
        requests.push(seen);
        const { status = 200, headers: extra, body: value } = answer(seen, requests.length);
        response.writeHead(status, { 'content-type': 'application/json', ...extra });
        response.end(typeof value === 'string' ? value : JSON.stringify(value));
      });
    },
  );
  await listening(server);
  return {
    url: urlOf(server),
    requests,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

/** The address of a port on which nothing listens. */
export async function deadUrl(): Promise<string> {
  const server = await RawServer.start(() => undefined);
  const { url } = server;
  await server.stop();
  return url;
}

/** A response with its length. */
export function http(status: string, body: string, headers = ''): string {
  return `HTTP/1.1 ${status}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${headers}\r\n${body}`;
}

function listening(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve();
    });
  });
}

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
