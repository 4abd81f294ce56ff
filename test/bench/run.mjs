// npm run bench:run: a whole campaign in "hold" mode (a slot is held until the analytics are there) against the
// script a competent user would write instead, three rounds in turn, each client and the service in
// processes of their own. callsheet runs as its user runs it: every step durable before the next.
//
//   node test/bench/run.mjs [--leads 20000,5000] [--rounds 3] [--concurrency 100]
//
// Goals are for the first size; of the others the cost of a lead is told.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { listOf } from './fictional-list.mjs';
import { CALLSHEET, check, heading, inTurn, measure, record } from './measure.mjs';

/** Compared with the script. */
const GOALS = { time: 1, cpu: 1.2, memory: 0.8 };
const { values } = parseArgs({
  options: {
    leads: { type: 'string', default: '20000' },
    rounds: { type: 'string', default: '3' },
    concurrency: { type: 'string', default: '100' },
  },
});
const sizes = values.leads.split(',').map(Number);
const folder = mkdtempSync(join(tmpdir(), 'callsheet-bench-'));
const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const service = spawn(process.execPath, [here('service.mjs')], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const url = String((await once(service.stdout, 'data'))[0]).trim();

try {
  const whole = await compared(sizes[0]);
  checkAll(whole);
  for (const leads of sizes.slice(1)) await compared(leads);
} finally {
  service.kill();
  rmSync(folder, { recursive: true });
}

async function compared(leads) {
  heading(
    `whole run of ${leads.toLocaleString('en')} leads, calls of 50 ms, ${values.concurrency} at once`,
  );
  const list = join(folder, `${leads}.csv`);
  writeFileSync(list, listOf(leads));
  const found = await inTurn(Number(values.rounds), {
    callsheet: (round) => fair(leads, [CALLSHEET, ...runOf(list, `${leads}-${round}.db`)]),
    script: () =>
      fair(leads, [here('script.mjs'), list, url, join(folder, 'script.csv'), values.concurrency]),
  });
  const cpuMsOf = ({ cpuS }) => (cpuS / leads) * 1_000;
  const cost = { callsheet: cpuMsOf(found.callsheet), script: cpuMsOf(found.script) };
  record({ leads, cost });
  const shown = Object.entries(cost).map(([name, ms]) => `${name} ${ms.toFixed(2)} ms`);
  console.log(`  processor time of a lead: ${shown.join(', ')}`);
  return found;
}

function checkAll({ callsheet, script }) {
  const compare = (what, figure, goal, unit) => {
    const [of, beside] = [callsheet, script].map((one) =>
      one[figure].toFixed(unit === 'MB' ? 0 : 1),
    );
    check(`${what} / that of the script`, callsheet[figure] / script[figure], goal, {
      baseline: `${of} ${unit}, the script ${beside} ${unit}`,
    });
  };
  compare('time', 'seconds', GOALS.time, 's');
  compare('processor time', 'cpuS', GOALS.cpu, 's');
  compare('peak memory', 'peakMb', GOALS.memory, 'MB');
}

function runOf(list, database) {
  return [
    ...['run', list, '--agent', 'ag_bench', '--service-url', url, '--rules', 'always'],
    // As many requests in flight as the script has.
    ...['--concurrency', values.concurrency, '--requests', values.concurrency],
    ...['--set', 'polling.floor=20ms'],
    ...['--db', join(folder, database), '-o', join(folder, 'callsheet.csv')],
  ];
}

/** Everybody must have been called once, by no more calls at once than are allowed. */
async function fair(leads, argv) {
  await ask('/reset');
  const measured = await measure(argv, { cwd: folder, env: { VOICE_API_KEY: 'bench' } });
  const { numbers, most, peak } = await ask('/ledger');
  if (numbers !== leads || most !== 1 || peak > Number(values.concurrency))
    throw new Error(`not a fair round: ${numbers} numbers, ${most} calls each, ${peak} at once`);
  return measured;
}

async function ask(path) {
  const answer = await fetch(url + path, { headers: { authorization: 'Bearer bench' } });
  return answer.json();
}
