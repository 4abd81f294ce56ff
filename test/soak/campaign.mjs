// One campaign of the soak: a fresh list, database and service, and one or two runners that are killed again
// and again, until everybody was called or the time is over; then the last restart must bring it to its end.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { violationsOf } from './check.mjs';
import { phoneOf } from './phones.mjs';
import { callsheet, startService } from './processes.mjs';

const NAME = 'soak';
const LEADS = 800;
/** One row in so many cannot be called: the rejects are under test, too. */
const ONE_BAD_IN = 25;
const LANES = 6;
const CONCURRENCY = 24;
/** Calls last 4 s at most at the service, and doubts are given up soon: campaigns end. */
const SETTINGS = { 'polling.floor': '100ms', longestCall: '6s', 'unknown.reconcileFor': '1s' };
/** A minute passes in 0.6 s; half of the dials are answered late, and a few requests fail. */
const SERVICE = [
  ...['--time-scale', '100', '--faults', 'delay=0.5,429=0.01,read-500=0.01,read-drop=0.01'],
];
const COMPLETES_IN_MS = 240_000;
/** The share of campaigns with two runners. */
const TWO = 0.85;
/** Shares of the processes that are killed before their first claim, and that are stopped for a while first. */
const EARLY = 0.05;
const STOPPED = 0.08;
/** Exits that a run may have by itself: all final, leads wait, a person is needed (calls in doubt). */
const GOOD_EXITS = new Set([0, 3, 5]);
/**
 * What the next run gets over: the other runner is stopped within a commit or makes the campaign in the same
 * moment, or the service failed while the plan was made.
 */
export const GETS_OVER = [
  'locked for more than',
  'There is a campaign ',
  'The service cannot be reached',
  'The service does not work now',
];

/**
 * @param did counts, to which everything that is done is added at once
 * @param until epoch ms; nobody is killed after that
 * @returns a sentence for each promise that did not hold
 */
export async function runCampaign(folder, did, until) {
  mkdirSync(folder, { recursive: true });
  const rows = writeList(folder);
  const service = await startService(folder, SERVICE);
  const run = { folder, did, pids: [], violations: [], argv: argvOf(service.url) };
  try {
    const runners = Math.random() < TWO ? ['first', 'second'] : ['only'];
    await Promise.all(runners.map((name) => killAgainAndAgain(run, name, until)));
    if (await completes(run)) {
      const found = await gather(run, await service.ledger());
      const limits = { lanes: LANES, concurrency: CONCURRENCY };
      const checked = violationsOf({ rows, pids: run.pids, ...found }, limits);
      run.violations.push(...checked.violations);
      did.calls += checked.counts.calls;
      did.doubts += checked.counts.doubts;
      did.most = Math.max(did.most, checked.counts.most);
    } else if (run.violations.length === 0) {
      const seconds = COMPLETES_IN_MS / 1000;
      run.violations.push(`the run was not complete ${seconds} s after its last restart`);
    }
  } finally {
    await service.stop();
  }
  return run.violations;
}

/** Starts a runner, kills it 0.2 to 2 s after its first claim, starts it again: until one ends by itself. */
async function killAgainAndAgain({ folder, argv, did, pids, violations }, name, until) {
  while (Date.now() < until && violations.length === 0) {
    const runner = callsheet(folder, name, argv);
    const isEarly = Math.random() < EARLY;
    if (isEarly) await Promise.race([sleep(1_000 * Math.random()), runner.ended]);
    else if (await runner.says('"event":"call.')) await letLive(runner, did);
    runner.kill('SIGKILL');
    const { code, signal } = await runner.ended;
    did.cycles += 1;
    if (signal === 'SIGKILL') {
      pids.push(runner.pid);
      if (isEarly) did.early += 1;
      else did.kills += 1;
    } else if (getsOver(runner)) {
      did.failed += 1;
    } else if (!GOOD_EXITS.has(code)) {
      violations.push(`${name} (pid ${runner.pid}) ended with exit ${code}, see ${name}.log`);
    } else if (!/\d+ leads? waits?/.test(runner.said.err.split('\n').at(-2) ?? '')) {
      return;
    }
  }
}

function getsOver({ said }) {
  return GETS_OVER.some((text) => said.err.includes(text));
}

/** 0.2 to 2 s, and now and then a stop in between, which may outlast the permit to send. */
async function letLive(runner, did) {
  await Promise.race([sleep(200 + 1_800 * Math.random()), runner.ended]);
  if (Math.random() >= STOPPED || !runner.kill('SIGSTOP')) return;
  did.stops += 1;
  await sleep(500 + 6_500 * Math.random());
  runner.kill('SIGCONT');
  await Promise.race([sleep(200 + 800 * Math.random()), runner.ended]);
}

/** The last restart: nobody is killed any more. @returns false when leads are left over */
async function completes({ folder, argv, violations }) {
  const deadline = Date.now() + COMPLETES_IN_MS;
  while (Date.now() < deadline && violations.length === 0) {
    const runner = callsheet(folder, 'last', argv);
    await Promise.race([runner.ended, sleep(deadline - Date.now(), undefined, { ref: false })]);
    if (runner.kill('SIGKILL')) return false;
    const { code } = await runner.ended;
    if (!GOOD_EXITS.has(code) && !getsOver(runner)) {
      violations.push(`the last run ended with exit ${code}, see last.log`);
    }
    const { waiting, calling } = JSON.parse(await read(folder, 'status', NAME, '--json'));
    if (waiting + calling === 0) return true;
    await sleep(500);
  }
  return false;
}

async function gather({ folder }, ledger) {
  const { openDoubts } = JSON.parse(await read(folder, 'status', NAME, '--json'));
  const exported = await read(folder, 'export', NAME, '-o', '-', '--format', 'jsonl');
  const results = exported.trim().split('\n').map(JSON.parse);
  return { ledger, results, openDoubts, rejectsFolder: join(folder, 'rejects') };
}

async function read(folder, ...args) {
  const command = callsheet(folder, 'looks', [...args, '--db', 'soak.db']);
  const { code } = await command.ended;
  if (code !== 0) throw new Error(`callsheet ${args.join(' ')}: exit ${code}\n${command.said.err}`);
  return command.said.out;
}

function argvOf(url) {
  return [
    ...['run', 'leads.csv', '--name', NAME, '--agent', 'ag_demo', '--service-url', url],
    ...['--rules', 'always', '--db', 'soak.db', '--log-level', 'info'],
    ...['--concurrency', String(CONCURRENCY), '--requests', String(LANES)],
    ...Object.entries(SETTINGS).flatMap(([key, value]) => ['--set', `${key}=${value}`]),
  ];
}

/** Writes the list. @returns its rows, `phone` null where the row cannot be called */
function writeList(folder) {
  const rows = Array.from({ length: LEADS }, (_, i) => {
    const isBad = i % ONE_BAD_IN === ONE_BAD_IN - 1;
    return { ref: `ref-${i}`, phone: isBad ? null : phoneOf(i) };
  });
  const lines = rows.map(({ ref, phone }) => `${ref},${phone ?? 'not known'}`);
  writeFileSync(join(folder, 'leads.csv'), `ref,phone\n${lines.join('\n')}\n`);
  return rows;
}
