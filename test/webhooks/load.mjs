// Webhooks under load, on this machine: `npm run webhook-load -- --seconds 10`. Starts `callsheet serve` as a
// process, sends signed deliveries over TCP, and prints how many a second were acknowledged (each one on disk),
// how long an acknowledgement took at 200 a second, and what kill -9 under full load lost of what was acknowledged.
import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import Database from 'better-sqlite3';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    lanes: { type: 'string', default: '64' },
  },
});
const SECONDS = Number(values.seconds);
const LANES = Number(values.lanes);
const KEY = Buffer.from('0123456789abcdef0123456789abcdef');
const SECRET = `whsec_${KEY.toString('base64')}`;
const bin = fileURLToPath(new URL('../../dist/bin/callsheet.js', import.meta.url));
const agent = new Agent({ keepAlive: true, maxSockets: LANES });
const folder = mkdtempSync(join(tmpdir(), 'callsheet-webhooks-'));
const db = join(folder, 'callsheet.db');
let ids = 0;

try {
  let server = await start();
  const most = await flood(server.url, SECONDS);
  const rate = Math.round(most.acknowledged.length / SECONDS);
  console.log(`${rate} acknowledged a second over ${SECONDS} s, ${most.refused} refused`);
  const calm = await atRate(server.url, 200, SECONDS);
  console.log(`at 200 a second: p50 ${quantile(calm, 0.5)} ms, p99 ${quantile(calm, 0.99)} ms`);
  await stop(server.child, 'SIGTERM');

  server = await start();
  const killed = flood(server.url, SECONDS);
  await sleep((SECONDS / 2) * 1_000);
  await stop(server.child, 'SIGKILL');
  const { acknowledged } = await killed;
  const kept = new Set(
    new Database(db, { readonly: true }).prepare('SELECT key FROM inbox').pluck().all(),
  );
  const lost = [...most.acknowledged, ...acknowledged].filter((id) => !kept.has(id));
  console.log(`kill -9 after ${acknowledged.length} acknowledged: ${lost.length} lost`);
  process.exitCode = lost.length === 0 && rate >= 2_000 && quantile(calm, 0.99) < 50 ? 0 : 1;
} finally {
  agent.destroy();
  rmSync(folder, { recursive: true, force: true });
}

async function start() {
  const args = ['serve', '--db', db, '--port', '0', '--service-url', 'http://127.0.0.1:9'];
  const env = { ...process.env, VOICE_API_KEY: 'k', VOICE_WEBHOOK_SECRET: SECRET };
  const child = spawn(process.execPath, [bin, ...args], {
    env,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  const url = await new Promise((resolve, reject) => {
    child.stderr.on('data', (chunk) => {
      said += chunk;
      const found = /go to (\S+) \(/.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.on('exit', () => reject(new Error(`serve did not start: ${said}`)));
  });
  return { child, url };
}

async function stop(child, signal) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, 'exit');
}

/** As many as LANES connections take. */
async function flood(url, seconds) {
  const until = performance.now() + seconds * 1_000;
  const acknowledged = [];
  let refused = 0;
  let broken = false;
  const lane = async () => {
    while (performance.now() < until && !broken) {
      const { id, status } = await deliver(url);
      if (status === 200) acknowledged.push(id);
      else if (status === null) broken = true;
      else refused += 1;
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return { acknowledged, refused };
}

/** Evenly spread, whether or not the one before was answered. @returns ms, sorted */
async function atRate(url, perSecond, seconds) {
  const sent = [];
  const start = performance.now();
  for (let n = 0; n < perSecond * seconds; n++) {
    const due = start + (n * 1_000) / perSecond;
    if (due > performance.now()) await sleep(due - performance.now());
    const at = performance.now();
    sent.push(deliver(url).then(() => performance.now() - at));
  }
  return (await Promise.all(sent)).sort((a, b) => a - b);
}

function deliver(url) {
  const id = `evt_${(ids += 1)}`;
  const body = JSON.stringify({
    type: 'call.finished',
    id,
    timestamp: new Date().toISOString(),
    data: { call_id: `call_${id}`, agent_id: 'ag_1', transcript: 'agent: Hello. '.repeat(40) },
  });
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const signature = createHmac('sha256', KEY).update(`${id}.${timestamp}.${body}`).digest('base64');
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
  return new Promise((resolve) => {
    const sending = request(url, { method: 'POST', agent, headers }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve({ id, status: answer.statusCode }));
      answer.on('error', () => resolve({ id, status: null }));
    });
    sending.on('error', () => resolve({ id, status: null }));
    sending.end(body);
  });
}

function quantile(sorted, q) {
  return Math.round((sorted[Math.floor(sorted.length * q)] ?? 0) * 10) / 10;
}

function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
