// npm run planted-faults: plants the mistakes of faults.mjs one at a time into copies of the source and runs the
// tests that must catch them. Exit 1 when one is not caught, when its text is not found exactly once, or when
// the tests fail without it.
//
//   node test/planted/run.mjs [--jobs 3] [--only part-of-a-title ...] [--share 3/5]
import { fork } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readShare } from '../helpers/share.mjs';
import { FAULTS } from './faults.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const COPIED = [
  ...['src', 'test', 'campaigns', 'data/samples'],
  'package.json',
  'tsconfig.json',
  'README.md',
];
/** A fault that makes a test run for ever is not caught. */
const LONGEST_MS = 120_000;

const { values } = parseArgs({
  options: {
    // One more than cores: many tests wait for the disk.
    jobs: { type: 'string', default: String(availableParallelism() + 1) },
    only: { type: 'string', multiple: true, default: [''] },
    share: { type: 'string' },
  },
});
const share = readShare(values.share);
const faults = FAULTS.filter(
  ({ title }, i) => share.has(i) && values.only.some((part) => title.includes(part)),
);
const startedAt = performance.now();
const testers = new Set();
// The real path, as vitest names modules by it.
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'callsheet-planted-')));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130));
process.on('exit', () => {
  for (const tester of testers) end(tester);
  rmSync(folder, { recursive: true, force: true });
});

// Last without a fault: that also shows that every fault was taken out again.
const queue = [...faults, ...withoutFaults()];
const problems = [];
await Promise.all(Array.from({ length: Number(values.jobs) }, (_, job) => work(makeCopy(job))));

const seconds = Math.round((performance.now() - startedAt) / 1000);
const missed = problems.filter(({ isFault }) => isFault).length;
console.log(`${faults.length - missed} of ${faults.length} planted faults caught in ${seconds} s`);
for (const { title, problem, isFault } of problems) {
  const again = isFault ? `; again: npm run planted-faults -- --only ${JSON.stringify(title)}` : '';
  console.log(`FAILED ${title}: ${problem}${again}`);
}
process.exit(problems.length === 0 && faults.length > 0 ? 0 : 1);

/**
 * The same tests must pass without a fault: one that always fails catches nothing. Files of many faults come first, as they
 * are the longest.
 */
function withoutFaults() {
  const namesOf = new Map();
  for (const { tests, named } of faults) {
    for (const file of tests) namesOf.set(file, [...(namesOf.get(file) ?? []), named]);
  }
  return [...namesOf]
    .sort(([, one], [, other]) => other.length - one.length)
    .map(([file, names]) => ({
      title: `no fault planted, ${file}`,
      tests: [file],
      named: names.includes(undefined) ? undefined : names.join('|'),
    }));
}

function makeCopy(job) {
  const copy = join(folder, String(job));
  for (const name of COPIED) cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  return { path: copy, tester: undefined };
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
  if (copy.tester === undefined) return;
  end(copy.tester);
  await copy.tester.gone;
}

async function tryOut(copy, { file, text, replacement, tests, named }) {
  if (file === undefined) {
    const { failed, problem } = await runTests(copy, { tests, named });
    if (problem !== undefined) return { problem };
    return failed === undefined ? { told: 'passes' } : { problem: `fails: ${failed}` };
  }
  const path = join(copy.path, file);
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
    const { failed, problem } = await runTests(copy, { tests, named, changed: path });
    if (problem !== undefined) return { problem };
    if (failed === undefined) return { problem: `${tests.join(' and ')} passed` };
    return { told: `caught by "${failed}"` };
  } finally {
    writeFileSync(path, source);
  }
}

/** What the tester of this copy answers. One that takes too long is ended, and the next task gets a new one. */
async function runTests(copy, asked) {
  copy.tester ??= await startTester(copy.path);
  const { tester } = copy;
  let timer;
  const late = new Promise((resolve) => {
    const problem = `the tests did not end within ${LONGEST_MS / 1000} s`;
    timer = setTimeout(() => resolve([{ problem }]), LONGEST_MS);
  });
  tester.send(asked);
  const [answer] = await Promise.race([once(tester, 'message'), tester.gone, late]);
  clearTimeout(timer);
  if (answer.problem !== undefined) {
    end(tester);
    copy.tester = undefined;
  }
  return answer;
}

/** With a process group of its own, so that the tests it runs end with it. */
async function startTester(cwd) {
  const stdio = ['ignore', 'ignore', 'pipe', 'ipc'];
  const env = { ...process.env, PROPERTY_RUNS: 'all' };
  const tester = fork('test/planted/runner/tester.mjs', { cwd, env, stdio, detached: true });
  testers.add(tester);
  let said = '';
  tester.stderr.on('data', (chunk) => (said += chunk));
  tester.gone = once(tester, 'close').then(() => [
    { problem: `vitest ended: ${said.slice(-300)}` },
  ]);
  const [first] = await Promise.race([once(tester, 'message'), tester.gone]);
  if (first !== 'ready') throw new Error(first.problem);
  return tester;
}

function end(tester) {
  if (!testers.delete(tester)) return;
  try {
    process.kill(-tester.pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
