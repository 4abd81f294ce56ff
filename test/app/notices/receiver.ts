import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Received {
  headers: IncomingHttpHeaders;
  body: string;
  notice: { id: string; event: string; reason: string; text: string };
}

export interface NoticeReceiver {
  url: string;
  received: Received[];
  /** What happens while it has a request, before it answers. */
  whenAsked: (work: () => Promise<void>) => void;
  /** Of how many requests it had the beginning and had not sent the answer. */
  mostAtOnce: () => number;
  /** How it answers from now on; default 204. `hangUp`: it takes the notice in and closes without an answer. */
  behave: (status: number, headers?: Record<string, string>, hangUp?: boolean) => void;
}

/** A webhook's receiver on loopback, as a chat or a monitor has it. */
export async function noticeReceiver(): Promise<NoticeReceiver> {
  const received: Received[] = [];
  let whenAsked = () => Promise.resolve();
  let open = 0;
  let most = 0;
  let answer: { status: number; headers: Record<string, string>; hangUp: boolean };
  const behave: NoticeReceiver['behave'] = (status, headers = {}, hangUp = false) => {
    answer = { status, headers, hangUp };
  };
  behave(204);
  const server = createServer((request, response) => {
    open += 1;
    most = Math.max(most, open);
    response.on('close', () => {
      open -= 1;
    });
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      received.push({
        headers: request.headers,
        body,
        notice: JSON.parse(body) as Received['notice'],
      });
      void whenAsked().then(() => {
        // Later, so that a sender who does not wait for answers has several requests open.
        inTurns(20, () => {
          if (answer.hangUp) request.socket.destroy();
          else response.writeHead(answer.status, answer.headers).end('{}');
        });
      });
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
  const url = `http://127.0.0.1:${port}/hooks/T0PSECRET`;
  return {
    url,
    received,
    whenAsked: (work) => {
      whenAsked = work;
    },
    mostAtOnce: () => most,
    behave,
  };
}

function inTurns(turns: number, work: () => void): void {
  if (turns === 0) work();
  else
    setImmediate(() => {
      inTurns(turns - 1, work);
    });
}
