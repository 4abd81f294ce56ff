// npm run bench: a whole campaign in "hold" mode (a slot is held until the analytics are there) against the
// script a competent user would write instead, three rounds in turn, each client and the service in
// processes of their own. callsheet runs as its user runs it: every step durable before the next.
//
//   node test/bench/run.mjs [--leads 20000] [--rounds 3] [--concurrency 100]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { listOf } from './fictional-list.mjs';

const GOALS = { time: 1.3, memory: 1.0 };
const { values } = parseArgs({
  options: {
    leads: { type: 'string', default: '20000' },
    rounds: { type: 'string', default: '3' },
    concurrency: { type: 'string', default: '100' },
  },
});
const leads = Number(values.leads);
const folder = mkdtempSync(join(tmpdir(), 'callsheet-bench-'));
const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const list = join(folder, 'leads.csv');
writeFileSync(list, listOf(leads));

const service = spawn(process.execPath, [here('service.mjs')], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const url = String((await once(service.stdout, 'data'))[0]).trim();
const clients = {
  script: () => [here('script.mjs'), list, url, join(folder, 'script.csv'), values.concurrency],
  callsheet: (round) => [
    here('../../dist/bin/callsheet.js'),
    'run',
    list,
    ...['--agent', 'ag_bench', '--service-url', url, '--rules', 'always'],
    // As many requests in flight as the script has.
    ...['--concurrency', values.concurrency, '--requests', values.concurrency],
    ...['--set', 'polling.floor=20ms'],
    ...['--db', join(folder, `${round}.db`), '-o', join(folder, 'callsheet.csv')],
  ],
};

const results = { script: [], callsheet: [] };
try {
  for (let round = 1; round <= Number(values.rounds); round++) {
    for (const [name, argsOf] of Object.entries(clients)) {
      const measured = await measure(argsOf(round));
      results[name].push(measured);
      const { seconds, peakMb, cpuS } = measured;
      console.log(
        `round ${round} ${name.padEnd(9)} ${seconds.toFixed(1)} s, ${cpuS.toFixed(1)} s CPU, peak ${peakMb.toFixed(0)} MB`,
      );
    }
  }
  const time = medianOf('callsheet', 'seconds') / medianOf('script', 'seconds');
  const memory = medianOf('callsheet', 'peakMb') / medianOf('script', 'peakMb');
  console.log(`time   callsheet / script: ${time.toFixed(2)} (goal: at most ${GOALS.time})`);
  console.log(`memory callsheet / script: ${memory.toFixed(2)} (goal: at most ${GOALS.memory})`);
} finally {
  service.kill();
  rmSync(folder, { recursive: true });
}

async function measure(args) {
  await ask('/reset');
  const usage = join(folder, 'usage.json');
  const started = performance.now();
  const child = spawn(process.execPath, ['--import', here('usage.mjs'), ...args], {
    cwd: folder,
    env: { ...process.env, VOICE_API_KEY: 'bench', BENCH_USAGE: usage },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk) => (said += chunk));
  const [code] = await once(child, 'exit');
  const seconds = (performance.now() - started) / 1000;
  const ledger = await ask('/ledger');
  if (code !== 0 || ledger.numbers !== leads || ledger.most !== 1) {
    throw new Error(`not a fair round: exit ${code}, ${JSON.stringify(ledger)}\n${said}`);
  }
  if (ledger.peak > Number(values.concurrency)) throw new Error(`${ledger.peak} calls at once`);
  return { seconds, ...JSON.parse(readFileSync(usage, 'utf8')) };
}

async function ask(path) {
  const answer = await fetch(url + path, { headers: { authorization: 'Bearer bench' } });
  return answer.json();
}

function medianOf(name, figure) {
  const sorted = results[name].map((result) => result[figure]).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}
