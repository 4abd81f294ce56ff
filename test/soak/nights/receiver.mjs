// Who is told in the soak of nights: a webhook receiver that fails at random, and a command that appends to a file.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

/** In the folder of services.yaml, where commands run. */
const FILE = 'told.jsonl';
/** Without a shell of callsheet's; one `cat` writes a whole notice at once. */
export const COMMAND = ['/bin/sh', '-c', `cat >> ${FILE}`];

/** @returns what the command has written, a notice a line */
export function toldByCommand(folder) {
  const path = join(folder, 'campaigns', FILE);
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8').trim().split('\n').map(JSON.parse);
}

/**
 * A receiver on loopback. It fails in one of three ways: it answers 500 and has not read the notice, it keeps the
 * notice and answers 500 all the same, or it hangs up.
 *
 * @param fails asked for each request: the share that fails now, 0 to 1
 * @param random as `Math.random`
 * @returns `got`: every notice whose signature holds, in turn; `forged`: how many had another signature
 */
export async function startReceiver(fails, random) {
  const secret = randomBytes(32);
  const receiver = { got: [], forged: 0, failed: 0 };
  const server = createServer((request, response) => {
    const pieces = [];
    request.on('data', (piece) => pieces.push(piece));
    request.on('end', () => {
      const body = Buffer.concat(pieces).toString();
      const failure = random() < fails() ? Math.floor(3 * random()) : null;
      if (failure !== null) receiver.failed += 1;
      if (failure === null || failure === 1) keep(request.headers, body);
      if (failure === 2) request.destroy();
      else response.writeHead(failure === null ? 204 : 500).end();
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));

  /** The signature of Standard Webhooks 1.0.0, computed here and not by callsheet. */
  function keep(headers, body) {
    const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': given } = headers;
    const sum = createHmac('sha256', secret).update(`${id}.${time}.${body}`).digest('base64');
    const signatures = String(given)
      .split(' ')
      .map((each) => Buffer.from(each));
    const own = Buffer.from(`v1,${sum}`);
    const isOwn = signatures.some(
      (each) => each.length === own.length && timingSafeEqual(each, own),
    );
    if (!isOwn) receiver.forged += 1;
    else receiver.got.push({ ...JSON.parse(body), header: id });
  }

  return Object.assign(receiver, {
    url: `http://127.0.0.1:${server.address().port}/told`,
    secret: `whsec_${secret.toString('base64')}`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  });
}
