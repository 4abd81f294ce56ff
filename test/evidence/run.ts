import './world/machine.ts';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { writeResults } from '../../src/results/write.ts';
import { someSettings } from '../helpers/factory.ts';
import { allowedIn } from './calling/allowed.ts';
import { settle, withCalling } from './calling/calling-night.ts';
import { check, type Evidence, type ExportedLead } from './invariants.ts';
import { runOn } from './world/machine.ts';
import { campaignOf, runOnce, showJournals } from './one-run.ts';
import { operate } from './operator.ts';
import { callElsewhere, sweepElsewhere } from './denials/elsewhere.ts';
import { longestCallMsOf, type Plan } from './plan.ts';
import { statementOf } from './world/statement-of.ts';
import { CAMPAIGN, type Templates } from './world/template.ts';
import { World } from './world.ts';

export interface Report {
  violations: string[];
  /** Points at which a crash could have happened. */
  points: number;
  /** Phones that rang, processes that were started, crashes. */
  rings: number;
  processes: number;
}

/** Settings of a hasty service, so that a night takes half a minute. */
const HASTY = {
  polling: { floorMs: 500, ceilingMs: 4_000, deadlineMs: 12_000 },
  reconcileForMs: 4_000,
};
/** Doubts that are asked away take their time: until they end the service must have forgotten a key. */
const PATIENT = { ...HASTY, reconcileForMs: 100_000 };
/** A wall clock that is set back by an hour has everybody wait for that hour: looking all the time would take long. */
const SELDOM = { floorMs: 10_000, ceilingMs: 30_000, deadlineMs: 60_000 };
const LONG_WAIT_MS = 3_600_000;
/** While there is trouble somebody starts the program again at most so many times ... */
const MOST_STARTS = 6;
/** ... and once there is none, so many times it may take until everybody's call is final ... */
const MOST_CALM_STARTS = 4;
/** ... so far apart. */
const CALM_GAP_MS = 130_000;
/** The same where calls wait for hours and for one another. */
const MOST_LONG_STARTS = 60;
const MOST_LONG_CALM_STARTS = 500;
const LONGEST_PAUSE_MS = 600_000;
const LONGEST_SLEEP_MS = 6 * 3_600_000;
/** Seven calls of which each has to wait for hours that open once a week. */
const LONGEST_CALM_MS = 70 * 86_400_000;

type Told = Pick<Evidence, 'rows' | 'attempts' | 'allowed'>;

/** Leads that wait in a cancelled campaign are over as they are. */
const UNFINISHED = `leads WHERE campaign_id = '${CAMPAIGN}' AND (state = 'calling'
  OR state = 'waiting' AND EXISTS (SELECT 1 FROM campaigns WHERE id = leads.campaign_id AND state <> 'cancelled'))`;
const UNFINISHED_LISTS = `lists WHERE campaign_id = '${CAMPAIGN}' AND finished_at IS NULL`;

const BEGIN = `UPDATE campaigns SET state = 'running', settings = ? WHERE id = '${CAMPAIGN}'`;
const STARTED = `INSERT INTO history (campaign_id, at, who, what, detail)
  SELECT id, ?, 'operator', 'campaign.started', '{}' FROM campaigns WHERE id = '${CAMPAIGN}'`;
const PROVE = 'INSERT INTO proven_services VALUES (?, 0)';

/** Runs one plan from begin to end and checks what must hold. */
export async function runPlan(plan: Plan, templates: Templates, folder: string): Promise<Report> {
  const template = await templates.ofSize(plan.leads);
  mkdirSync(folder);
  const path = templates.begin(template, plan.copies, folder);
  const { connections, server } = templates;
  const world = new World(plan, { path, connections, server, folder, phones: template.phones });
  runOn(world);
  let told: Told = { rows: [], attempts: [], allowed: [] };
  try {
    told = await world.clock.pass(live(world));
  } catch (error) {
    world.watch.violations.push(
      `the run broke off: ${String(error instanceof Error ? error.stack : error)}`,
    );
  } finally {
    runOn(undefined);
    world.endAll();
    if (world.path !== path || plan.copies) connections.closeIdle(world.path);
    rmSync(folder, { recursive: true, force: true });
  }
  const violations = [
    ...world.watch.violations,
    ...check({ plan, template, ...told, ledger: world.service.ledger, kept: world.kept }),
    ...(world.judge?.violations(told) ?? []),
  ];
  return {
    violations,
    points: world.crashes.points,
    rings: world.service.ledger.calls.length,
    processes: world.processes,
  };
}

async function live(world: World): Promise<Told> {
  const { plan, clock } = world;
  begin(world);
  for (const { at, does } of plan.operator)
    after(world, at, () => (does === 'elsewhere' ? callElsewhere(world) : operate(world, does)));
  for (const { at, to } of plan.calling?.changes ?? []) after(world, at, () => operate(world, to));
  for (const list of plan.calling?.lists ?? []) after(world, list.at, () => operate(world, list));
  for (const { at, byMs } of plan.clockJumps) {
    after(world, at, () => {
      clock.setWall(clock.now() + byMs);
    });
  }
  for (const { at, forMs } of plan.freezes) {
    after(world, at, () => {
      world.crashes.freezeSomebody(forMs);
    });
  }
  if (plan.restore !== null) {
    after(world, plan.restore.copyAt, () => {
      world.older.take();
    });
    after(world, plan.restore.at, () => {
      world.older.putBack();
      world.crashes.downMs = 2_000;
    });
  }
  if (plan.restore !== null && world.server !== undefined) void showNowAndThen(world);
  if (plan.calling !== null) void resumeNowAndThen(world);
  if (plan.restore !== null && plan.operator.some(({ does }) => does === 'elsewhere'))
    void sweepNowAndThen(world);
  // Whoever waits for the end of a pause waits for the operator.
  after(world, plan.calmAt, () => {
    world.isCalm = true;
    return operate(world, 'resume');
  });
  await Promise.all(Array.from({ length: plan.runners }, () => keepRunning(world)));
  world.isCalm = true;
  return calmDown(world);
}

/** The other campaign goes on, too: what it may have called is known in the end. */
async function sweepNowAndThen(world: World): Promise<void> {
  for (let times = 0; times < MOST_LONG_STARTS; times++) {
    await world.clock.sleep(LONGEST_PAUSE_MS);
    await sweepElsewhere(world);
  }
}

/** Nobody leaves machines waiting for one another's journals for long. */
async function showNowAndThen(world: World): Promise<void> {
  for (let pause = 1_000; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    await world.clock.sleep(pause);
    await showJournals(world);
  }
}

/** In a long night nobody leaves a campaign paused for hours, in which the runners would ask all the time. */
async function resumeNowAndThen(world: World): Promise<void> {
  for (;;) {
    await world.clock.sleep(LONGEST_PAUSE_MS);
    if (world.isCalm) return;
    if (isPaused(world)) await operate(world, 'resume');
  }
}

/** What is not the program's own doing happens at its time, or not at all. */
function after(world: World, at: number, what: () => unknown): void {
  void world.clock.sleep(at).then(() => {
    if (!world.isCalm) what();
  });
}

function begin(world: World): void {
  const { concurrency, requests, pace, proven, idempotentForMs, clockJumps, calling } = world.plan;
  const waitsLong = clockJumps.some(({ byMs }) => byMs <= -LONG_WAIT_MS);
  const times = idempotentForMs === null ? HASTY : PATIENT;
  const polling = waitsLong ? SELDOM : times.polling;
  const usual = someSettings({
    ...times,
    longestCallMs: longestCallMsOf(world.plan),
    polling,
    concurrency,
    requests,
    pace,
  });
  const settings = calling === null ? usual : withCalling(usual, calling.first);
  if (calling !== null) world.clock.setWall(calling.startAt);
  world.look((db) => {
    statementOf(db, BEGIN).run(JSON.stringify(settings));
    statementOf(db, STARTED).run(world.wall());
    if (proven) statementOf(db, PROVE).run('main-1');
    if (calling !== null) settle(db, calling, world.phones);
    world.judge?.onCommit(db);
  });
  world.isCalm = false;
}

/** Somebody starts the program whenever it has ended, until the troubles or the leads are over. */
async function keepRunning(world: World): Promise<void> {
  const most = world.plan.calling === null ? MOST_STARTS : MOST_LONG_STARTS;
  for (let starts = 0; starts < most && !world.isCalm; starts++) {
    const process = world.spawn();
    const nextAt = await Promise.race([process.died, runOnce(world, process)]);
    if (!process.hasCrashed && isOver(world)) return;
    const pause = process.hasCrashed
      ? world.crashes.downMs
      : 2_000 + Math.floor(world.random() * 4_000) + untilThen(world, nextAt ?? null);
    await world.clock.sleep(pause);
  }
}

/** A runner that waits for hours, or for the next call to somebody, is started again then, or at the latest tonight. */
function untilThen(world: World, nextAt: number | null): number {
  const { calling } = world.plan;
  if (calling === null) return 0;
  const waitMs = nextAt === null ? 1_000 * calling.stretch : nextAt - world.clock.now();
  return Math.max(0, Math.min(waitMs, LONGEST_SLEEP_MS));
}

/** Nothing is left to do or to go wrong. */
function isOver(world: World): boolean {
  const { plan } = world;
  if (plan.restore !== null && world.now() < plan.restore.at) return false;
  const isDenied = plan.operator.some(({ does }) => does === 'deny');
  if (isDenied && !world.isCalm && plan.operator.some(({ at }) => world.now() < at)) return false;
  return count(world, UNFINISHED) === 0;
}

/** The troubles are over: everything must come to its end in bounded time. */
async function calmDown(world: World): Promise<Told> {
  // A wall clock that was set back makes everything later by as much.
  const setBackMs = world.plan.clockJumps.reduce((sum, { byMs }) => sum + Math.max(0, -byMs), 0);
  const most = world.plan.calling === null ? MOST_CALM_STARTS : MOST_LONG_CALM_STARTS;
  let nextAt: number | null = null;
  let idle = 0;
  const calmSince = world.now();
  for (let starts = 0; starts < most && idle < MOST_CALM_STARTS; starts++) {
    // Deliveries still come.
    const mayBeOver = world.sender === undefined || starts > 0;
    if (mayBeOver && isOver(world)) break;
    const waitMs = nextAt === null ? CALM_GAP_MS + setBackMs : nextAt - world.clock.now();
    if (world.now() + waitMs > calmSince + LONGEST_CALM_MS) break;
    if (starts > 0) await world.clock.sleep(Math.max(1, waitMs));
    if (isPaused(world)) await operate(world, 'resume');
    await importAgain(world);
    nextAt = await runOnce(world, world.spawn());
    idle = nextAt === null ? idle + 1 : 0;
  }
  const [rows, attempts] = [await exportOf(world, 'lead'), await exportOf(world, 'attempt')];
  return { rows, attempts, allowed: world.look(allowedIn) };
}

/** Lists whose import was cut off: nobody is called meanwhile. */
async function importAgain(world: World): Promise<void> {
  for (const list of world.plan.calling?.lists ?? []) {
    if (count(world, UNFINISHED_LISTS) === 0) return;
    await operate(world, list);
  }
}

function isPaused(world: World): boolean {
  return count(world, "campaigns WHERE state = 'paused'") === 1;
}

function count(world: World, what: string): number {
  const sql = `SELECT count(*) AS found FROM ${what}`;
  return world.look((db) => statementOf(db, sql).get() as { found: number }).found;
}

async function exportOf(world: World, per: 'lead' | 'attempt'): Promise<ExportedLead[]> {
  const to = `${world.path}.jsonl`;
  const store = world.openAt(world.path, 'read');
  try {
    const campaign = await campaignOf(store);
    await world.clock.standStill(() => writeResults({ store, campaign, to, per, format: 'jsonl' }));
  } finally {
    await store.close();
  }
  return readFileSync(to, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as ExportedLead);
}
