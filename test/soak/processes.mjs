// Starts callsheet as processes of its own and ends them by their pid, never by name.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const KEY = 'soak';
const BIN = fileURLToPath(new URL('../../dist/bin/callsheet.js', import.meta.url));

const alive = new Set();

/** Ends whatever was started here and still lives, also what is stopped. */
export function killAll() {
  for (const child of alive) child.kill('SIGKILL');
}

/**
 * @param folder where it works; everything it says is appended to `<name>.log` there
 * @param env variables besides those of this process
 * @param program the words after `node`; a clock of its own is loaded before the program
 * @returns the child, what it said so far, a promise for a text in it, and one for its end
 */
export function callsheet(folder, name, args, { env = {}, program = [BIN] } = {}) {
  const child = spawn(process.execPath, [...program, ...args], {
    cwd: folder,
    env: { ...process.env, VOICE_API_KEY: KEY, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  alive.add(child);
  const log = createWriteStream(join(folder, `${name}.log`), { flags: 'a' });
  log.write(`--- pid ${child.pid}: ${args.join(' ')}\n`);
  const said = { out: '', err: '' };
  const watchers = new Set();
  const keep = (stream) => (chunk) => {
    said[stream] += chunk;
    log.write(chunk);
    for (const watcher of watchers) watcher();
  };
  child.stdout.on('data', keep('out'));
  child.stderr.on('data', keep('err'));
  const ended = once(child, 'close').then(([code, signal]) => {
    alive.delete(child);
    log.end(`--- pid ${child.pid} ended: ${signal ?? code}\n`);
    return { code, signal };
  });
  return {
    pid: child.pid,
    said,
    ended,
    kill: (signal) => child.kill(signal),
    /** True once stderr has the text; false when the process ends without it. */
    says: (text) =>
      new Promise((resolve) => {
        const look = () => {
          if (!said.err.includes(text)) return;
          watchers.delete(look);
          resolve(true);
        };
        watchers.add(look);
        look();
        void ended.then(() => resolve(said.err.includes(text)));
      }),
  };
}

/**
 * The embedded service as a process.
 *
 * @param flags of `callsheet simulate`
 * @param how as of `callsheet`, and the `port`; default any free one; and the `key` that it takes
 */
export async function startService(folder, flags, how = {}) {
  const { key = KEY } = how;
  const args = [
    'simulate',
    '--port',
    String(how.port ?? 0),
    '--key',
    key,
    '--state',
    'service.jsonl',
    ...flags,
  ];
  const service = callsheet(folder, 'service', args, how);
  if (!(await service.says('Stop it with Ctrl-C.'))) {
    throw new Error(`the embedded service did not start: ${service.said.err}`);
  }
  const url = service.said.out.trim();
  return {
    url,
    /** What phones rang, as the service itself tells it. */
    ledger: async () => {
      const answer = await fetch(`${url}/ledger`, { headers: { authorization: `Bearer ${key}` } });
      return answer.json();
    },
    kill: (signal) => service.kill(signal),
    stop: async () => {
      service.kill('SIGINT');
      await service.ended;
    },
  };
}

export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
