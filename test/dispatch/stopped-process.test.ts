import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { systemClock } from '../../src/runtime/clock.ts';
import { desk, rowsOf } from '../helpers/callsheet.ts';
import { spawnCallsheet } from '../helpers/compiled-program.ts';
import { talked } from '../helpers/services/voice-server.ts';

const PHONE = '+12125550123';
/** The process lives this much faster: its permit of five seconds is a quarter of one here. */
const FACTOR = 20;
const STOPPED_FOR_MS = 300;

/**
 * Loaded into the process before the program: both its clocks run faster, and as long as the file `hold`
 * is there, no connection for a journalled dial comes about.
 */
const PRELOAD = `
import dns from 'node:dns';
import { existsSync, readFileSync } from 'node:fs';

const [wall, monotonic] = [Date.now.bind(Date), performance.now.bind(performance)];
const startedAt = wall();
Date.now = () => Math.round(startedAt + (wall() - startedAt) * ${FACTOR});
performance.now = () => monotonic() * ${FACTOR};

const isDial = () => {
  try {
    return readFileSync('c.db.dials', 'utf8').includes('${PHONE}');
  } catch {
    return false;
  }
};
const lookup = dns.lookup;
dns.lookup = (...args) => {
  const isHeld = () => existsSync('hold') && isDial();
  if (isHeld()) process.stderr.write('a dial is connecting\\n');
  const go = () => (isHeld() ? setTimeout(go, 5) : lookup(...args));
  go();
};
`;

it('a process that is stopped between claim and send for longer than its permit sends no byte, and its lead waits again', async () => {
  const service = await countingService();
  const at = desk({ VOICE_API_URL: service.url, VOICE_API_KEY: 'k' });
  at.env['NODE_OPTIONS'] = `--import file://${at.write('preload.mjs', PRELOAD)}`;
  at.write('leads.csv', `phone\n${PHONE}\n`);
  at.write('hold', '');
  const run = spawnCallsheet(at, [
    ...['run', 'leads.csv', '--agent', 'ag_1', '-o', 'out.csv', '--db', 'c.db'],
    ...['--set', 'polling.floor=1s'],
  ]);

  await run.written('a dial is connecting');
  run.kill('SIGSTOP');
  await vi.waitFor(() => {
    expect(
      execFileSync('ps', ['-o', 'state=', '-p', String(run.pid)], { encoding: 'utf8' }),
    ).toMatch(/T/);
  });
  rmSync(at.path('hold'));
  await systemClock.sleep(STOPPED_FOR_MS);
  expect(service.dialled).toEqual([]);
  run.kill('SIGCONT');

  const { code, err } = await run.ended;
  expect(err).toContain('Every lead is final.');
  expect(code).toBe(0);
  // The connection that came too late carried nothing; the lead was claimed anew and called once.
  expect(service.connections.filter(({ bytesRead }) => bytesRead === 0)).not.toEqual([]);
  expect(service.dialled).toEqual([PHONE]);
  const [row] = rowsOf(at.read('out.csv'));
  expect(row).toMatchObject({ call_result: 'answered', call_attempts: '1' });
});

/** A voice service of its own, known by name, that remembers what each connection carried. */
async function countingService(): Promise<{
  url: string;
  connections: Socket[];
  dialled: string[];
}> {
  const connections: Socket[] = [];
  const dialled: string[] = [];
  const server: Server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      response.setHeader('content-type', 'application/json');
      if (request.url === '/v1/calls/outbound') {
        dialled.push((JSON.parse(text) as { phone_number: string }).phone_number);
        response.end('{"call_id":"c1"}');
      } else if (request.url === '/v1/agents') {
        response.end('{"data":[{"id":"ag_1","name":"Renewals"}]}');
      } else {
        response.end(JSON.stringify(talked(PHONE)));
      }
    });
  });
  server.on('connection', (socket) => connections.push(socket));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    connections,
    dialled,
  };
}
