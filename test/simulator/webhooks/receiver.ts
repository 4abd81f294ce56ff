import { createServer } from 'node:http';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A delivery as it came. */
export interface Received {
  headers: Record<string, string>;
  body: string;
  json: { type: string; id: string; timestamp: string; data: Record<string, unknown> };
}

export interface Receiver {
  url: string;
  got: Received[];
  /** What the next deliveries are answered; 204 from then on. `hold`: not at all. */
  answers: (number | 'hold' | { status: number; retryAfter: string })[];
  /** Answers what was held, 204. */
  release(): void;
}

/** Something that takes webhooks and remembers them; it is closed when the test ends. */
export async function aReceiver(): Promise<Receiver> {
  const held: ServerResponse[] = [];
  const receiver: Receiver = {
    url: '',
    got: [],
    answers: [],
    release: () => {
      for (const response of held.splice(0)) response.writeHead(204).end();
    },
  };
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const body = Buffer.concat(pieces).toString();
      const isJson = request.headers['content-type'] === 'application/json';
      const json = (isJson ? JSON.parse(body) : {}) as Received['json'];
      receiver.got.push({ headers: plain(request.headers), body, json });
      const answer = receiver.answers.shift() ?? 204;
      if (answer === 'hold') held.push(response);
      else if (typeof answer === 'number') response.writeHead(answer).end();
      else response.writeHead(answer.status, { 'retry-after': answer.retryAfter }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  );
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return receiver;
}

function plain(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
