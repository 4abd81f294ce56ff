// npm run evidence: everything that shows that callsheet keeps its promises, one part after another, and a table of it all.
// Takes some 40 minutes on 2 cores that do nothing else. `.ci/run` plays a share of the first two parts only.
//
//   npm run evidence [-- soak shares]   only these parts
//
// Exit 1 when a part failed: its last lines are printed, and its whole output is kept.
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const LAST_LINES = 20;
/** A part that is asked to end is killed after this. */
const ENDS_WITHIN_MS = 10_000;

/**
 * - `name`, `args`: what `npm run` takes
 * - `minutes`: a part that takes longer hangs and is ended; several times what it takes on 2 cores
 * - `did`: finds what it did in its output, for the table; the last one of each kind
 */
const PARTS = [
  { name: 'planted-faults', minutes: 60, did: [/\d+ of \d+ planted faults caught/] },
  {
    name: 'simulate-faults',
    args: ['--seeds', '5000', '--every-point'],
    minutes: 60,
    did: [/\d+ runs, .* violations/],
  },
  {
    name: 'simulate-postgres',
    args: ['--seeds', '500'],
    minutes: 60,
    did: [/\d+ runs, .* violations/],
  },
  { name: 'postgres', minutes: 40, did: [/(?<=Tests ).* passed/] },
  { name: 'serial', minutes: 40, did: [/(?<=Tests ).* passed/] },
  { name: 'planted-postgres', minutes: 20, did: [/\d+ of \d+ planted faults caught/] },
  { name: 'standby', minutes: 5, did: [/the standby was refused.*/, /skipped: .*/] },
  {
    name: 'servers',
    args: (
      '--people 1200 --kills 60 --stops 15 --restarts 6 --cuts 200 --partitions 8 --forgets 1 ' +
      '--failovers 3 --copies 3'
    ).split(' '),
    minutes: 40,
    did: [/\d+ dials in .* violations/, /skipped: .*/],
  },
  { name: 'dockerfile', minutes: 20, did: [/\d+ steps.*/] },
  { name: 'three-nights', minutes: 20, did: [/\d+ of \d+ people called.*/] },
  { name: 'every-region', minutes: 20, did: [/\d+ numbers of .*/] },
  { name: 'forecast-check', minutes: 20, did: [/\d+ of \d+ ends within.*/] },
  { name: 'soak', minutes: 30, did: [/(?<=min: ).*/] },
  { name: 'night-soak', minutes: 20, did: [/\d+ kills, .*/] },
  { name: 'night-soak', args: ['--server'], minutes: 30, did: [/\d+ kills, .*/] },
  { name: 'shares', minutes: 20, did: [/one serve: .*?(?=;)/, /two run: .*?(?=;)/] },
  {
    name: 'webhook-load',
    minutes: 5,
    did: [/\d+ acknowledged a second/, /p99 .*/, /kill -9 after.*/],
  },
  { name: 'trace-durability', minutes: 10, did: [/\d+ dials on the wire.*?(?=;)/, /skipped: .*/] },
];

const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => PARTS.every((part) => part.name !== name));
if (unknown !== undefined) {
  throw new Error(`"${unknown}" is none of ${PARTS.map(({ name }) => name).join(', ')}`);
}
let running;
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    tell(running, 'SIGTERM');
    process.exit(130);
  });
}

const folder = mkdtempSync(join(tmpdir(), 'callsheet-evidence-'));
// Most parts run the compiled program.
const built = spawnSync('npm', ['run', '--silent', 'build'], { cwd: ROOT, stdio: 'inherit' });
if (built.status !== 0) process.exit(1);

const rows = [];
for (const part of PARTS.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  console.log(`${part.name} begins, ${logOf(part)}`);
  rows.push(await play(part));
}
const widest = Math.max(...rows.map(({ name }) => name.length));
console.log();
for (const { name, seconds, result, did } of rows) {
  console.log(
    `${result.padEnd(7)} ${String(seconds).padStart(5)} s  ${name.padEnd(widest)}  ${did}`,
  );
}
const failed = rows.filter(({ result }) => result === 'FAILED');
console.log(`${rows.length - failed.length} of ${rows.length} parts ok`);
if (failed.length === 0) rmSync(folder, { recursive: true });
process.exitCode = failed.length === 0 ? 0 : 1;

/** @returns the row of the table */
async function play(part) {
  const { name, args = [], minutes, did } = part;
  const startedAt = performance.now();
  const log = openSync(logOf(part), 'w');
  // With a process group of its own, so that what it starts ends with it.
  running = spawn('npm', ['run', '--silent', name, '--', ...args], {
    cwd: ROOT,
    stdio: ['ignore', log, log],
    detached: true,
  });
  let problem = '';
  const limit = setTimeout(() => {
    problem = `ended after ${minutes} minutes, `;
    tell(running, 'SIGTERM');
  }, minutes * 60_000);
  const kill = setTimeout(() => tell(running, 'SIGKILL'), minutes * 60_000 + ENDS_WITHIN_MS);
  const [code] = await once(running, 'close');
  clearTimeout(limit);
  clearTimeout(kill);
  closeSync(log);
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  const said = stripVTControlCharacters(readFileSync(logOf(part), 'utf8')).trimEnd();
  const told = did.flatMap((one) => said.match(new RegExp(one, 'g'))?.at(-1) ?? []).join(' ');
  if (code === 0 && problem === '') {
    const skipped = /^skipped: (.*)/m.exec(told)?.[1];
    if (skipped !== undefined) return { name, seconds, result: 'not run', did: skipped };
    return { name, seconds, result: 'ok', did: told };
  }
  console.log(`${said.split('\n').slice(-LAST_LINES).join('\n')}\n${name} FAILED\n`);
  return { name, seconds, result: 'FAILED', did: `${problem}${told} see ${logOf(part)}` };
}

/** A part may be there twice, with other arguments. */
function logOf(part) {
  return join(folder, `${PARTS.indexOf(part)}-${part.name}.txt`);
}

function tell(child, signal) {
  try {
    process.kill(-child.pid, signal);
  } catch {
    // It has ended.
  }
}
