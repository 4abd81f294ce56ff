// node test/bench/idle-streams.mjs: ten thousand pages lie open on one campaign. How much memory each takes of the
// console, whether it still answers others, when a change has reached them all, whether everything is released when they
// leave, and whether a connection that never ends its headers is closed. It ends by itself; exit 1 when a goal is missed.
//
//   node test/bench/idle-streams.mjs [--streams 10000] [--quick]
//
// It needs `ulimit -n` of some hundreds more than there are streams; with less it opens as many as it can.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    streams: { type: 'string', default: '10000' },
    // Without the minute that a connection without end is waited for.
    quick: { type: 'boolean', default: false },
  },
});
const PROGRAM = resolve(import.meta.dirname, '../../dist/bin/callsheet.js');
const folder = mkdtempSync(join(tmpdir(), 'callsheet-streams-'));
const files = Number(/Max open files\s+(\d+)/.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]);
const streams = Math.min(Number(values.streams), files - 300);
let missed = 0;

const callsheet = (...args) =>
  execFileSync(process.execPath, [PROGRAM, ...args], { cwd: folder, encoding: 'utf8' });
const server = await startConsole();
const watchdog = setTimeout(() => {
  console.error('It took longer than five minutes.');
  server.process.kill('SIGKILL');
  process.exit(1);
}, 300_000);
try {
  const slow = values.quick ? undefined : slowHeaders();
  await ask('/api/v1/campaigns/bench');
  const before = { memory: memory(), files: openFiles() };
  const sockets = [];
  const began = performance.now();
  for (let from = 0; from < streams; from += 100) {
    const some = Array.from({ length: Math.min(100, streams - from) }, open);
    sockets.push(...(await Promise.all(some)));
  }
  console.log(`${streams} streams open after ${seconds(began)} s`);
  await sleep(3_000);
  check('memory a stream, kB', (memory() - before.memory) / streams / 1e3, 20);

  const times = [];
  for (let time = 0; time < 50; time++) {
    const asked = performance.now();
    await ask('/api/v1/campaigns/bench');
    times.push(performance.now() - asked);
  }
  check('another request, ms, 95 of 100', times.toSorted((a, b) => a - b)[47], 100);

  const changed = performance.now();
  for (const socket of sockets) socket.text = '';
  await ask('/api/v1/campaigns/bench/settings', 'PATCH', { set: { concurrency: '7' } });
  while (sockets.some(({ text }) => !text.includes('"concurrency":7'))) await sleep(50);
  check('a change at all of them, s', Number(seconds(changed)), 10);

  for (const socket of sockets) socket.destroy();
  const left = performance.now();
  while (openFiles() > before.files + 5 && performance.now() - left < 60_000) await sleep(50);
  check('connections that are left when they have gone', openFiles() - before.files, 5);
  check('until then, s', Number(seconds(left)), 10);
  if (slow !== undefined) check('headers without end are cut off after, s', await slow, 100);
} finally {
  clearTimeout(watchdog);
  server.process.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = missed > 0 ? 1 : 0;

async function startConsole() {
  writeFileSync(join(folder, 'bench.csv'), 'name,phone\nAnn,+12125550101\n');
  callsheet('import', 'bench', 'bench.csv', '--service', 'simulated');
  const token = callsheet('tokens', 'add', 'bench', '--role', 'operator').trim();
  const started = spawn(process.execPath, [PROGRAM, 'console', '--port', '0', '--json'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  for await (const piece of started.stdout) {
    text += piece;
    if (text.includes('}')) break;
  }
  return { process: started, url: JSON.parse(text).url, token };
}

async function ask(path, method = 'GET', body) {
  const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' };
  const given = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await fetch(server.url + path, { method, headers, ...given });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** Resolves with its first event. */
function open() {
  const { hostname, host, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.text = '';
  socket.write(
    `GET /api/v1/events?campaign=bench HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${server.token}\r\n\r\n`,
  );
  return new Promise((done, fail) => {
    socket.on('error', fail);
    socket.on('data', (piece) => {
      socket.text = (socket.text + piece.toString()).slice(-8_000);
      if (socket.text.includes('event: counters')) done(socket);
    });
  });
}

/** Seconds until a connection is closed that sends a header a second. */
async function slowHeaders() {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  const began = performance.now();
  let isOpen = true;
  socket.on('error', () => undefined);
  socket.on('close', () => (isOpen = false));
  socket.resume();
  socket.write('GET / HTTP/1.1\r\n');
  for (let n = 0; isOpen && n < 120; n++) {
    socket.write(`x-${n}: 1\r\n`);
    await sleep(1_000);
  }
  socket.destroy();
  return (performance.now() - began) / 1_000;
}

/** Bytes of the console's process. */
function memory() {
  const status = readFileSync(`/proc/${server.process.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1_024;
}

function openFiles() {
  return readdirSync(`/proc/${server.process.pid}/fd`).length;
}

function seconds(since) {
  return ((performance.now() - since) / 1_000).toFixed(1);
}

function check(what, value, goal) {
  const isMissed = !(value <= goal);
  if (isMissed) missed += 1;
  console.log(`${what}: ${value.toFixed(1)} (at most ${goal})${isMissed ? '  MISSED' : ''}`);
}
