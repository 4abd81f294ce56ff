import './machine.ts';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import type { Campaign, CampaignChange, Store } from '../../src/store/port.ts';
import { writeResults } from '../../src/results/write.ts';
import { runCampaign } from '../../src/runner.ts';
import { AppError } from '../../src/runtime/errors.ts';
import { someSettings } from '../helpers/factory.ts';
import { check, type ExportedLead } from './invariants.ts';
import { takenAtItsWord } from './kept.ts';
import { runOn } from './machine.ts';
import type { Plan } from './plan.ts';
import { Gone, type Process } from './process.ts';
import { copyTemplate, type Templates } from './template.ts';
import { World } from './world.ts';

export interface Report {
  violations: string[];
  /** Points at which a crash could have happened. */
  points: number;
  /** Phones that rang, processes that were started, crashes. */
  rings: number;
  processes: number;
}

/** The campaign that all templates hold. */
const NAME = 'spring';
/** Settings of a hasty service, so that a night takes a minute. */
const HASTY = {
  polling: { floorMs: 500, ceilingMs: 5_000, deadlineMs: 20_000 },
  longestCallMs: 12_000,
  reconcileForMs: 6_000,
};
/** While there is trouble somebody starts the program again at most so many times ... */
const MOST_STARTS = 6;
/** ... and once there is none, so many times it may take until everybody's call is final ... */
const MOST_CALM_STARTS = 4;
/** ... so far apart. */
const CALM_GAP_MS = 130_000;

const CHANGES: Record<Plan['operator'][number]['does'], CampaignChange> = {
  pause: { pause: { reason: 'operator', detail: 'lunch' } },
  resume: { state: 'running' },
  cancel: { state: 'cancelled' },
};

/** Runs one plan from begin to end and checks what must hold. */
export async function runPlan(plan: Plan, templates: Templates, folder: string): Promise<Report> {
  const template = await templates.ofSize(plan.leads);
  mkdirSync(folder);
  const world = new World(plan, folder);
  copyTemplate(template, world.path);
  runOn(world);
  let rows: ExportedLead[] = [];
  try {
    rows = await world.clock.pass(live(world));
  } catch (error) {
    world.watch.violations.push(
      `the run broke off: ${String(error instanceof Error ? error.stack : error)}`,
    );
  } finally {
    runOn(undefined);
    world.endAll();
    rmSync(folder, { recursive: true, force: true });
  }
  const violations = [
    ...world.watch.violations,
    ...check({ plan, template, rows, ledger: world.service.ledger, kept: world.kept }),
  ];
  return {
    violations,
    points: world.points,
    rings: world.service.ledger.calls.length,
    processes: world.processes,
  };
}

async function live(world: World): Promise<ExportedLead[]> {
  const { plan, clock } = world;
  begin(world);
  for (const { at, does } of plan.operator) after(world, at, () => operate(world, does));
  for (const { at, byMs } of plan.clockJumps) {
    after(world, at, () => {
      clock.setWall(clock.now() + byMs);
    });
  }
  for (const { at, forMs } of plan.freezes) {
    after(world, at, () => {
      world.freeze(forMs);
    });
  }
  if (plan.restore !== null) {
    after(world, plan.restore.copyAt, () => {
      world.keepCopy();
    });
    after(world, plan.restore.at, () => {
      world.restore();
    });
  }
  // Whoever waits for the end of a pause waits for the operator.
  after(world, plan.calmAt, () => {
    world.isCalm = true;
    return operate(world, 'resume');
  });
  await Promise.all(Array.from({ length: plan.runners }, () => keepRunning(world)));
  world.isCalm = true;
  return calmDown(world);
}

/** What is not the program's own doing happens at its time, or not at all. */
function after(world: World, at: number, what: () => unknown): void {
  void world.clock.sleep(at).then(() => {
    if (!world.isCalm) what();
  });
}

function begin(world: World): void {
  const { concurrency, requests, pace, proven } = world.plan;
  const settings = someSettings({ ...HASTY, concurrency, requests, pace });
  world.look((db) => {
    db.prepare("UPDATE campaigns SET state = 'running', settings = ?").run(
      JSON.stringify(settings),
    );
    if (proven) db.prepare('INSERT INTO proven_services VALUES (?, 0)').run('main-1');
  });
  world.isCalm = false;
}

/** Somebody starts the program whenever it has ended, until the troubles or the leads are over. */
async function keepRunning(world: World): Promise<void> {
  for (let starts = 0; starts < MOST_STARTS && !world.isCalm; starts++) {
    const process = world.spawn();
    await Promise.race([process.died, runOnce(world, process)]);
    if (!process.hasCrashed && isOver(world)) return;
    const pause = process.hasCrashed ? world.downMs : 3_000 + Math.floor(world.random() * 9_000);
    await world.clock.sleep(pause);
  }
}

/** Nothing is left to do or to go wrong. */
function isOver(world: World): boolean {
  const { results, watch, plan } = world;
  if (plan.restore !== null && world.now() < plan.restore.at) return false;
  return results?.areFinal === true && results.changes === watch.changes;
}

/** The troubles are over: everything must come to its end in bounded time. */
async function calmDown(world: World): Promise<ExportedLead[]> {
  // A wall clock that was set back makes everything later by as much.
  const setBackMs = world.plan.clockJumps.reduce((sum, { byMs }) => sum + Math.max(0, -byMs), 0);
  for (let starts = 0; starts < MOST_CALM_STARTS; starts++) {
    if (isOver(world)) break;
    if (starts > 0) await world.clock.sleep(CALM_GAP_MS + setBackMs);
    if (isPaused(world)) await operate(world, 'resume');
    await runOnce(world, world.spawn());
  }
  return world.results?.rows ?? [];
}

function isPaused(world: World): boolean {
  const select = "SELECT count(*) FROM campaigns WHERE state = 'paused'";
  return world.look((db) => db.prepare(select).pluck().get() === 1);
}

/** One `run` of the program. */
async function runOnce(world: World, process: Process): Promise<void> {
  let store: Store | undefined;
  try {
    store = world.open(process, 'dial');
    const campaign = await campaignOf(store);
    const service = world.service.seenBy(process);
    const { signal } = new AbortController();
    await runCampaign({
      store: takenAtItsWord(store, () => world.kept),
      campaign,
      dialAt: { service, maxCalls: null },
      collectFrom: [service],
      clock: process.clock,
      owner: process.owner,
      isGone: ({ pid }) => world.isGone(pid),
      limit: null,
      until: null,
      waitUntil: null,
      notify: () => undefined,
      stopDialling: signal,
      stop: signal,
    });
    await writeDown(world, store);
  } catch (error) {
    if (!process.hasEnded()) expected(world, process, error);
  }
  if (process.hasEnded()) return;
  await store?.close().catch((error: unknown) => {
    expected(world, process, error);
  });
  world.leave(process);
}

async function campaignOf(store: Store): Promise<Campaign> {
  const campaign = await store.findCampaign(NAME);
  if (campaign === undefined) throw new Error('the campaign is gone');
  return campaign;
}

/** What the program may end with when the disk fails; anything else is a defect. */
function expected(world: World, process: Process, error: unknown): void {
  if (error instanceof Gone) return;
  if (process.knowsTrouble && error instanceof AppError) return;
  world.watch.violations.push(
    `the program failed: ${String(error instanceof Error ? error.stack : error)}`,
  );
}

/** The operator's commands come from a process of its own beside the runners. */
async function operate(world: World, does: Plan['operator'][number]['does']): Promise<void> {
  const process = world.operator();
  try {
    process.store ??= world.open(process, 'write');
    const { id, state } = await campaignOf(process.store);
    if (does === 'resume' && state !== 'paused') return;
    const detail = { at: world.clock.now(), who: 'operator', what: `campaign.${does}`, detail: {} };
    await process.store.changeCampaign(id, CHANGES[does], detail);
  } catch (error) {
    if (!process.hasEnded()) expected(world, process, error);
    // The next command opens the database anew: a connection that a failing disk has broken stays broken.
    await process.store?.close().catch(() => undefined);
    process.store = undefined;
  }
}

/** What a run writes at its end. */
async function writeDown(world: World, store: Store): Promise<void> {
  const { changes } = world.watch;
  const rows = await exportOf(world, store, await campaignOf(store));
  world.results = { rows, changes, areFinal: rows.every((row) => row.call_state === 'done') };
}

async function exportOf(world: World, store: Store, campaign: Campaign): Promise<ExportedLead[]> {
  const to = `${world.path}.jsonl`;
  await world.clock.standStill(() => writeResults({ store, campaign, to, format: 'jsonl' }));
  return readFileSync(to, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as ExportedLead);
}
