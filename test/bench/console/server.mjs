// The real console in a process of its own, and requests to it.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CALLSHEET } from '../measure.mjs';

const KEY = { VOICE_API_KEY: 'bench' };

/**
 * Starts it on any free port; `token` may do everything that an operator may.
 * @param isServing as `serve --console`, which calls what was started; `isTimed`: how long its event loop is held is measured
 */
export async function startConsole({ db, folder, services, isServing = false, isTimed = false }) {
  const token = tokenFor(db, folder);
  const began = performance.now();
  const command = isServing
    ? ['serve', '--console', '--console-port', '0']
    : ['console', '--no-open'];
  const flags = ['--port', '0', '--json', '--db', db];
  if (services !== undefined) flags.push('--services', services);
  const loop = join(folder, 'loop.json');
  const preload = isTimed ? ['--import', new URL('loop.mjs', import.meta.url).href] : [];
  const child = spawn(process.execPath, [...preload, CALLSHEET, ...command, ...flags], {
    cwd: folder,
    env: { ...process.env, ...KEY, BENCH_LOOP: loop },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk) => (said += chunk));
  const ended = once(child, 'exit');
  const first = JSON.parse(await firstJson(child.stdout, ended, () => said));
  const { url } = isServing ? first.console : first;
  const listensAfterMs = performance.now() - began;
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const headers = { authorization: `Bearer ${token}` };
  const ask = (path, options) => askAt(url + path, { agent, headers, ...options });
  return {
    url,
    token,
    child,
    listensAfterMs,
    ask,
    json: async (path, options) => {
      const { status, body } = await ask(path, options);
      if (status >= 300) throw new Error(`${path}: ${status} ${body}\n${said}`);
      return JSON.parse(body);
    },
    memory: () => memoryOf(child.pid),
    /** How long its event loop was held since this was asked the last time, ms. */
    held: async () => {
      rmSync(loop, { force: true });
      child.kill('SIGUSR2');
      while (!existsSync(loop)) await sleep(20);
      await sleep(20);
      return JSON.parse(readFileSync(loop, 'utf8'));
    },
    stop: async () => {
      agent.destroy();
      child.kill('SIGINT');
      await ended;
    },
  };
}

function tokenFor(db, folder) {
  const name = `bench-${performance.now().toFixed(0)}-${process.pid}`;
  const flags = ['tokens', 'add', name, '--role', 'operator', '--db', db];
  const { stdout, stderr } = spawnSync(process.execPath, [CALLSHEET, ...flags], { cwd: folder });
  const token = String(stdout).trim();
  if (token === '') throw new Error(String(stderr));
  return token;
}

async function firstJson(stream, ended, said) {
  let text = '';
  const over = ended.then(() => 'over');
  for (;;) {
    const chunk = await Promise.race([once(stream, 'data'), over]);
    if (chunk === 'over') throw new Error(`the console did not start: ${said()}`);
    text += chunk;
    if (text.trimEnd().endsWith('}')) return text;
  }
}

/** Resolves with the whole answer, and how long it took to its last byte. */
function askAt(url, { method = 'GET', body, headers, agent, file }) {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const type = file === undefined ? 'application/json' : 'application/octet-stream';
    const given = body === undefined && file === undefined ? {} : { 'content-type': type };
    const asked = request(url, { method, agent, headers: { ...headers, ...given } }, (answer) => {
      const chunks = [];
      answer.on('data', (chunk) => chunks.push(chunk));
      answer.on('end', () => {
        const ms = performance.now() - began;
        resolve({ status: answer.statusCode, body: Buffer.concat(chunks).toString(), ms });
      });
    });
    asked.on('error', reject);
    asked.end(file ?? (body === undefined ? undefined : JSON.stringify(body)));
  });
}

/** Resident now and at most so far, MB; only Linux tells. */
function memoryOf(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const mb = (name) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1.024e-3;
  return { now: mb('VmRSS'), peak: mb('VmHWM') };
}

/** Processor time of a process so far, seconds; only Linux tells. */
export function cpuOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
