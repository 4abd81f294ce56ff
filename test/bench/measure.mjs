// How all benchmarks measure: programs of Node in processes of their own, medians, and figures beside their goals.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const CALLSHEET = fileURLToPath(new URL('../../dist/bin/callsheet.js', import.meta.url));
const USAGE = new URL('usage.mjs', import.meta.url).href;
const folder = mkdtempSync(join(tmpdir(), 'callsheet-usage-'));
process.on('exit', () => {
  rmSync(folder, { recursive: true, force: true });
});
let begun = 0;
let work = '';

/** Starts a program; `ended` has its seconds, `cpuS` and `peakMb`, and rejects if it ended with another code than 0. */
export function begin(argv, { env, ...options } = {}) {
  begun += 1;
  const usage = join(folder, `${begun}.json`);
  const from = performance.now();
  const child = spawn(process.execPath, ['--import', USAGE, ...argv], {
    ...options,
    env: { ...process.env, ...env, BENCH_USAGE: usage },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk) => (said = (said + chunk).slice(-2_000)));
  const ended = once(child, 'close').then(([code]) => {
    const seconds = (performance.now() - from) / 1_000;
    if (code !== 0) throw new Error(`${argv.join(' ')} ended with ${code}\n${said}`);
    return { seconds, ...JSON.parse(readFileSync(usage, 'utf8')) };
  });
  return { child, ended };
}

export function measure(argv, options) {
  return begin(argv, options).ended;
}

export function callsheet(argv, options) {
  return measure([CALLSHEET, ...argv], options);
}

/**
 * Measures each of several works, one after the other and then all again, so that a machine that becomes slower is so
 * for all of them. @returns by name, the median of each figure
 */
export async function inTurn(rounds, works) {
  const all = new Map(Object.keys(works).map((name) => [name, []]));
  for (let round = 1; round <= rounds; round++) {
    for (const [name, work] of Object.entries(works)) {
      const measured = await work(round);
      all.get(name).push(measured);
      console.log(`  round ${round}, ${name}: ${shownUsage(measured)}`);
    }
  }
  const mediansOf = (some) =>
    Object.fromEntries(
      Object.keys(some[0]).map((figure) => [figure, median(some.map((one) => one[figure]))]),
    );
  return Object.fromEntries([...all].map(([name, some]) => [name, mediansOf(some)]));
}

export function shownUsage({ seconds, cpuS, peakMb }) {
  return `${seconds.toFixed(2)} s, ${cpuS.toFixed(2)} s of processor time, peak ${peakMb.toFixed(0)} MB`;
}

/** Says which work the next figures are of. */
export function heading(text, more = '') {
  work = text;
  console.log(text + more);
}

/** Prints a figure beside its goal, the most that it may be; exit 1 if it is missed. */
export function check(what, found, goal, options = {}) {
  const { unit = '', least = false, baseline } = options;
  const holds = least ? found >= goal : found <= goal;
  if (!holds) process.exitCode = 1;
  const bound = `${least ? 'at least' : 'at most'} ${of(Number(goal.toFixed(2)), unit)}`;
  const beside = baseline === undefined ? '' : ` (${baseline})`;
  console.log(
    `  ${what}: ${of(shown(found), unit)}, goal ${bound}: ${holds ? 'holds' : 'MISSED'}${beside}`,
  );
  record({ work, what, found: of(shown(found), unit), goal: bound, holds, baseline });
}

/** Keeps something for the page of `npm run bench`, which names a file for it. */
export function record(something) {
  const file = process.env.BENCH_FIGURES;
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(something)}\n`);
}

function shown(value) {
  return Number.isInteger(value) ? String(value) : value.toFixed(Math.abs(value) < 100 ? 2 : 1);
}

function of(value, unit) {
  return unit === '' ? String(value) : `${value} ${unit}`;
}

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

export function quantile(values, part) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN;
}

export function load() {
  return loadavg()[0].toFixed(1);
}
