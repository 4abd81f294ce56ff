// npm run planted-faults: plants the mistakes of faults.mjs one at a time into copies of the source and runs the
// tests that must catch them. Exit 1 when one is not caught, when its text is not found exactly once, or when
// the tests fail without it.
//
//   node test/planted/run.mjs [--jobs 2] [--only part-of-a-title ...]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { FAULTS } from './faults.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const COPIED = ['src', 'test', 'campaigns', 'data/samples', 'package.json', 'tsconfig.json'];
/** So many test files are tried out together without a fault. */
const FILES_TOGETHER = 5;
/** A fault that makes a test run for ever is not caught. */
const LONGEST_MS = 120_000;

const { values } = parseArgs({
  options: {
    jobs: { type: 'string', default: String(availableParallelism()) },
    only: { type: 'string', multiple: true, default: [''] },
  },
});
const faults = FAULTS.filter(({ title }) => values.only.some((part) => title.includes(part)));
const startedAt = performance.now();
const running = new Set();
const folder = mkdtempSync(join(tmpdir(), 'callsheet-planted-'));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130));
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const queue = [...withoutFaults(), ...faults];
const problems = [];
await Promise.all(Array.from({ length: Number(values.jobs) }, (_, job) => work(makeCopy(job))));

const seconds = Math.round((performance.now() - startedAt) / 1000);
const missed = problems.filter(({ isFault }) => isFault).length;
console.log(`${faults.length - missed} of ${faults.length} planted faults caught in ${seconds} s`);
for (const { title, problem } of problems) console.log(`PROBLEM ${title}: ${problem}`);
process.exitCode = problems.length === 0 && faults.length > 0 ? 0 : 1;

/** The same tests must pass without a fault: one that always fails catches nothing. */
function withoutFaults() {
  const named = faults.filter((fault) => fault.named !== undefined);
  const rest = faults.filter((fault) => fault.named === undefined);
  const filesOf = (some) => [...new Set(some.flatMap(({ tests }) => tests))];
  const title = 'no fault planted';
  const names = named.map((fault) => fault.named).join('|');
  const tasks = named.length === 0 ? [] : [{ title, tests: filesOf(named), named: names }];
  const files = filesOf(rest);
  for (let i = 0; i < files.length; i += FILES_TOGETHER) {
    tasks.push({ title, tests: files.slice(i, i + FILES_TOGETHER) });
  }
  return tasks;
}

function makeCopy(job) {
  const copy = join(folder, String(job));
  for (const name of COPIED) cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

async function work(copy) {
  for (let task = queue.shift(); task !== undefined; task = queue.shift()) {
    const before = performance.now();
    const { told, problem } = await tryOut(copy, task);
    const took = ((performance.now() - before) / 1000).toFixed(1);
    const isFault = task.file !== undefined;
    if (problem !== undefined) problems.push({ title: task.title, problem, isFault });
    console.log(
      `${problem === undefined ? 'ok ' : 'NOT'} ${task.title}: ${problem ?? told} (${took} s)`,
    );
  }
}

async function tryOut(copy, { file, text, replacement, tests, named }) {
  if (file === undefined) {
    const { failed, problem } = await runTests(copy, tests, named);
    if (problem !== undefined) return { problem };
    return failed === undefined
      ? { told: `${tests.length} files pass` }
      : { problem: `fails: ${failed}` };
  }
  const path = join(copy, file);
  const source = readFileSync(path, 'utf8');
  const found = source.split(text).length - 1;
  if (found !== 1)
    return { problem: `its text is ${found} times in ${file}, and must be there once` };
  // As a function: a replacement may hold $.
  writeFileSync(
    path,
    source.replace(text, () => replacement),
  );
  try {
    const { failed, problem } = await runTests(copy, tests, named);
    if (problem !== undefined) return { problem };
    if (failed === undefined) return { problem: `${tests.join(' and ')} passed` };
    return { told: `caught by "${failed}"` };
  } finally {
    writeFileSync(path, source);
  }
}

/** @returns `failed`: the title of the first test that failed; or `problem`: why that is not known */
async function runTests(copy, tests, named) {
  const report = join(copy, 'report.json');
  rmSync(report, { force: true });
  const options = ['--config', 'test/planted/vitest.config.mjs', '--bail', '1'];
  const reporter = ['--reporter', 'json', '--outputFile', report];
  const filter = named === undefined ? [] : ['-t', named];
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const child = spawn(
    process.execPath,
    [vitest, 'run', ...options, ...reporter, ...filter, ...tests],
    {
      cwd: copy,
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  running.add(child);
  let said = '';
  child.stderr.on('data', (chunk) => (said += chunk));
  const timer = setTimeout(() => child.kill('SIGKILL'), LONGEST_MS);
  const [, signal] = await once(child, 'close');
  clearTimeout(timer);
  running.delete(child);
  if (signal !== null) return { problem: `the tests did not end within ${LONGEST_MS / 1000} s` };
  return readReport(report, said);
}

function readReport(report, said) {
  let results;
  try {
    results = JSON.parse(readFileSync(report, 'utf8')).testResults;
  } catch {
    return { problem: `the tests could not be run: ${said.slice(-300)}` };
  }
  const failed = results
    .flatMap(({ assertionResults }) => assertionResults)
    .find(({ status }) => status === 'failed');
  if (failed !== undefined) return { failed: failed.fullName };
  const broken = results.find(({ status }) => status === 'failed');
  if (broken !== undefined) return { problem: `${broken.name} did not load: ${broken.message}` };
  return results.length === 0 ? { problem: 'no test was found' } : {};
}
