// npm run bench: everything that has a goal of speed, in 12 minutes on 2 quiet cores, each beside its baseline in the same
// run; prints every figure beside its goal, and writes test/bench/results.md. Exit 1 when a goal is missed.
//
//   node test/bench/all.mjs [--sizes usual|full|quick] [--only NAME]
//
// full: the sizes of the goals, in some hours; quick: a first idea. Neither these nor --only change the page; they write one
// into the temporary folder.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { load } from './measure.mjs';
import { writePage } from './results/page.mjs';

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: 'usual' },
    only: { type: 'string', default: '' },
  },
});
const here = fileURLToPath(new URL('.', import.meta.url));
const SIZES = {
  usual: {
    slots: { calls: 4_000 },
    run: { leads: '20000,5000,1000' },
    import: { rows: 200_000 },
    export: { rows: 100_000 },
    claim: { leads: 200_000, attempts: 1_000_000, claims: 1_000 },
    start: { leads: 200_000, times: 7 },
    console: { served: 200_000, seconds: 12 },
  },
  full: { run: { leads: '20000,5000,1000' }, console: { seconds: 100 } },
  quick: {
    slots: { calls: 400 },
    run: { leads: '1000,400,200', rounds: 1 },
    import: { rows: 10_000, rounds: 1 },
    export: { rows: 5_000, rounds: 1 },
    claim: { leads: 10_000, attempts: 50_000, claims: 50 },
    start: { leads: 5_000, times: 1 },
    console: { served: 8_000, seconds: 2 },
  },
};
/**
 * By name: the flags of the processes that run at the same time. In virtual time they do not disturb each other, and mostly
 * wait.
 */
const STEPS = {
  slots: ['polls', 'long', 'refusing', 'webhooks', 'list', 'full'].map((part) => ['--part', part]),
  run: [[]],
  import: [['--part', 'alone']],
  export: [['--formats', 'csv']],
  claim: [[]],
  start: [[]],
  console: [['--part', 'served', '--part', 'tabs']],
};

const began = performance.now();
const folder = mkdtempSync(join(tmpdir(), 'callsheet-all-'));
const about = { date: new Date().toISOString().slice(0, 10), load: load() };
const records = [];
try {
  for (const [name, works] of Object.entries(STEPS)) {
    if (!name.includes(values.only)) continue;
    const from = performance.now();
    console.log(`\n${name}`);
    const found = await Promise.all(works.map((flags, n) => run(name, flags, n)));
    records.push(...found.flat());
    console.log(`  (${((performance.now() - from) / 1_000).toFixed(0)} s)`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
about.minutes = (performance.now() - began) / 60_000;
about.sizes = Object.entries(SIZES[values.sizes])
  .map(([name, sizes]) => `\`bench:${name} -- ${flagsOf(sizes).join(' ')}\``)
  .join(', ');
await write();
const missed = records.filter(({ holds }) => holds === false);
console.log(`\n${missed.length} goals are missed, after ${about.minutes.toFixed(1)} minutes`);
for (const { work, what, found, goal } of missed)
  console.log(`  ${work}: ${what}: ${found}, goal ${goal}`);
if (missed.length > 0) process.exitCode = 1;

/** Prints what a benchmark says when it is over; a goal that it misses is no error. @returns its records */
async function run(name, flags, n) {
  const figures = join(folder, `${name}-${n}`);
  const argv = [join(here, `${name}.mjs`), ...flags, ...flagsOf(SIZES[values.sizes][name] ?? {})];
  const child = spawn(process.execPath, argv, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, BENCH_FIGURES: figures },
  });
  let said = '';
  child.stdout.on('data', (chunk) => (said += chunk));
  const [code] = await once(child, 'close');
  process.stdout.write(said.replaceAll(/^(?=.)/gm, '  '));
  const lines = existsSync(figures) ? readFileSync(figures, 'utf8').trim().split('\n') : [];
  const found = lines.map((line) => JSON.parse(line));
  // The others go on.
  if (code !== 0 && found.every(({ holds }) => holds !== false))
    found.push({ work: name, what: 'ended with', found: String(code), goal: '0', holds: false });
  return found;
}

function flagsOf(sizes) {
  return Object.entries(sizes).flatMap(([name, size]) => [`--${name}`, String(size)]);
}

async function write() {
  if (values.only !== '') return;
  const isUsual = values.sizes === 'usual';
  const place = isUsual ? here : mkdtempSync(join(tmpdir(), 'callsheet-results-'));
  mkdirSync(join(place, 'results'), { recursive: true });
  await writePage(place, records, about);
  console.log(`\nwritten: ${join(place, 'results.md')}`);
  if (!isUsual) return;
  const readme = join(here, '../README.md');
  const link = /\[\d{4}-\d\d-\d\d\](?=\(bench\/results\.md\))/;
  writeFileSync(readme, readFileSync(readme, 'utf8').replace(link, `[${about.date}]`));
}
