import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Received {
  headers: IncomingHttpHeaders;
  body: string;
  notice: { id: string; event: string; reason: string; text: string; folded?: unknown[] };
}

export interface NoticeReceiver {
  url: string;
  received: Received[];
  /** How it answers from now on; default 204. `hangUp`: it takes the notice in and closes without an answer. */
  behave: (status: number, headers?: Record<string, string>, hangUp?: boolean) => void;
}

/** A webhook's receiver on loopback, as a chat or a monitor has it. */
export async function noticeReceiver(): Promise<NoticeReceiver> {
  const received: Received[] = [];
  let answer: { status: number; headers: Record<string, string>; hangUp: boolean };
  const behave: NoticeReceiver['behave'] = (status, headers = {}, hangUp = false) => {
    answer = { status, headers, hangUp };
  };
  behave(204);
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      received.push({
        headers: request.headers,
        body,
        notice: JSON.parse(body) as Received['notice'],
      });
      if (answer.hangUp) request.socket.destroy();
      else response.writeHead(answer.status, answer.headers).end('{}');
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hooks/T0PSECRET`, received, behave };
}
