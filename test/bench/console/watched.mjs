// What five open pages take from a run at 500 calls in progress: the same run with nobody watching and with five pages,
// in turn, judged by the median of the ratios of pairs. Once the console calls, once `run` does, beside the console.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listOf } from '../fictional-list.mjs';
import { openPages } from './pages.mjs';
import { startRun } from './run-by-console.mjs';
import { CALLSHEET, check, heading, median } from '../measure.mjs';
import { cpuOf, startConsole } from './server.mjs';

const LEADS = 20_000;
const PAGES = 5;
/** At this length the runner is as busy as it can be with 500 calls in progress. */
const CALL_MS = 500;

export async function measureWatched({ folder, pairs, service, goals }) {
  for (const [what, measure] of Object.entries({ console: byConsole, run: byRun })) {
    heading(`called by ${what}`);
    const results = { alone: [], watched: [] };
    for (let pair = 1; pair <= pairs; pair++) {
      // The second of two runs must not always be the same.
      const ways = pair % 2 === 1 ? ['alone', 'watched'] : ['watched', 'alone'];
      for (const way of ways) {
        const name = `${what}-${way}-${pair}`;
        const result = await measure({ folder, service, name, pages: way === 'alone' ? 0 : PAGES });
        await requireFair(service);
        results[way].push(result);
        const { seconds, cpuS } = result;
        console.log(`  ${name}: ${seconds.toFixed(2)} s, ${cpuS.toFixed(2)} s CPU`);
      }
    }
    const slower = (figure) =>
      (median(results.watched.map((one, i) => one[figure] / results.alone[i][figure])) - 1) * 100;
    check('five pages open: slower by', slower('seconds'), goals.slower, {
      unit: '%',
    });
    console.log(`    (processor time of who calls: ${slower('cpuS').toFixed(2)} % more)`);
  }
}

async function byConsole({ folder, service, name, pages }) {
  const db = join(folder, `${name}.db`);
  const server = await startConsole({ db, folder, services: service.file });
  try {
    const run = await startRun(server, service, { name, callMs: CALL_MS, leads: LEADS });
    await run.made();
    const [began, cpu] = [performance.now(), cpuOf(server.child.pid)];
    const open = openPages(
      server,
      Array.from({ length: pages }, () => name),
    );
    await run.ended();
    const seconds = (performance.now() - began) / 1_000;
    open.close();
    return { seconds, cpuS: cpuOf(server.child.pid) - cpu };
  } finally {
    await server.stop();
  }
}

async function byRun({ folder, service, name, pages }) {
  const db = join(folder, `${name}.db`);
  const list = join(folder, `${name}.csv`);
  writeFileSync(list, listOf(LEADS));
  await service.reset(CALL_MS);
  const server = await startConsole({ db, folder, services: service.file });
  const args = ['run', list, '--name', name, '--agent', 'ag_bench', '--service', 'bench'];
  const flags = ['--rules', 'always', '--concurrency', '500', '--requests', '256', '--yes'];
  const files = ['--services', service.file, '--db', db, '-o', join(folder, `${name}-results.csv`)];
  const child = spawn(
    process.execPath,
    [CALLSHEET, ...args, ...flags, ...files, '--set', 'polling.floor=20ms'],
    { cwd: folder, env: { ...process.env, VOICE_API_KEY: 'bench' }, stdio: 'ignore' },
  );
  const began = performance.now();
  let cpuS = 0;
  const sampling = setInterval(() => {
    if (child.exitCode === null) cpuS = cpuOf(child.pid);
  }, 250);
  const exit = once(child, 'exit');
  const open = openPages(
    server,
    Array.from({ length: pages }, () => name),
  );
  try {
    const [code] = await exit;
    if (code !== 0) throw new Error(`run ended with ${code}`);
    return { seconds: (performance.now() - began) / 1_000, cpuS };
  } finally {
    clearInterval(sampling);
    open.close();
    await server.stop();
  }
}

async function requireFair(service) {
  const { numbers, most, peak } = await service.ledger();
  if (numbers !== LEADS || most !== 1 || peak < 450)
    throw new Error(`not a fair run: ${numbers} numbers, ${most} calls each, ${peak} at once`);
}
