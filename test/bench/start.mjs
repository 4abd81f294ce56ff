// npm run bench:start: how long commands take as their user sees it: the help, the status of a campaign of a million
// people, and from the command `run` to the first dial at a service in a process of its own; in turn with Node alone.
// Exit 1 when a goal is missed.
//
//   node test/bench/start.mjs [--leads 1000000] [--times 9]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CAMPAIGN, copyOf, keptDatabase } from './console/database.mjs';
import { startService } from './console/service.mjs';
import { listOf } from './fictional-list.mjs';
import { CALLSHEET, check, heading, load, median } from './measure.mjs';

/** Milliseconds. */
const GOALS = { help: 150, status: 300, dial: 400 };
const { values } = parseArgs({
  options: {
    leads: { type: 'string', default: '1000000' },
    times: { type: 'string', default: '9' },
  },
});
const folder = mkdtempSync(join(tmpdir(), 'callsheet-start-'));
const service = await startService(folder);
try {
  const kept = await keptDatabase({ leads: Number(values.leads), calls: 60_000, again: false });
  const db = copyOf(kept, join(folder, 'million.db'));
  const list = join(folder, 'list.csv');
  writeFileSync(list, listOf(50));
  // A service is proven by a call, and a database is made once.
  await dial(list);
  const took = { node: [], help: [], status: [], dial: [] };
  for (let time = 0; time < Number(values.times); time++) {
    took.node.push(await timeOf(['-e', '0']));
    took.help.push(await timeOf([CALLSHEET, '--help']));
    took.status.push(await timeOf([CALLSHEET, 'status', CAMPAIGN, '--db', db]));
    took.dial.push(await dial(list));
  }
  heading('start', `, ${values.times} times in turn; load ${load()}`);
  const baseline = `Node alone ${median(took.node).toFixed(0)} ms`;
  const options = { unit: 'ms', baseline };
  check('--help', median(took.help), GOALS.help, options);
  check(
    `status of ${Number(values.leads).toLocaleString('en')} people`,
    median(took.status),
    GOALS.status,
    options,
  );
  check('from the command to the first dial', median(took.dial), GOALS.dial, options);
} finally {
  service.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function timeOf(argv) {
  const from = performance.now();
  const [code] = await once(
    spawn(process.execPath, argv, { cwd: folder, stdio: 'ignore' }),
    'exit',
  );
  if (code !== 0) throw new Error(`${argv.join(' ')} ended with ${code}`);
  return performance.now() - from;
}

/** A run of a small list in a database that has others. */
async function dial(list) {
  await service.reset(50);
  const name = `first-${performance.now().toFixed(0)}`;
  const flags = ['--service', 'bench', '--services', service.file, '--rules', 'always', '--yes'];
  const quick = ['--concurrency', '50', '--set', 'polling.floor=20ms'];
  const files = ['--db', join(folder, 'dials.db'), '-o', join(folder, 'results.csv')];
  const from = Date.now();
  const child = spawn(
    process.execPath,
    [CALLSHEET, 'run', list, '--name', name, '--agent', 'ag_bench', ...flags, ...quick, ...files],
    { cwd: folder, env: { ...process.env, VOICE_API_KEY: 'bench' }, stdio: 'ignore' },
  );
  const [code] = await once(child, 'exit');
  const { firstAt, numbers } = await service.ledger();
  if (code !== 0 || numbers !== 50) throw new Error(`run ended with ${code}, ${numbers} numbers`);
  return firstAt - from;
}
