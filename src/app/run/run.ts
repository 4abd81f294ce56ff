import { resolve } from 'node:path';

import type { ListenAt } from '../../collect/inbox/receiver-options.ts';
import { assertWritable } from '../../results/target.ts';
import { createDeliveryProtocol } from '../../service/webhooks/delivery-protocol.ts';
import type { Store } from '../../store/port.ts';
import { shellWord } from '../../text/wording.ts';
import type { PlanView } from '../../views/plan.ts';
import { watchWhile, withListsTaken } from '../lists/lists-of-run.ts';
import { tellRefusedRun, withNotices } from '../notices/with-notices.ts';
import { requireOutput, type UsedFile } from '../places/output-file.ts';
import { dryRun } from '../plan/check-plan.ts';
import { commitPlan, requireVersion } from '../plan/commit-plan.ts';
import { withPlan, type Plan, type PlanRequest } from '../plan/plan.ts';
import { firingEnd } from '../plan/schedule-times.ts';
import { outputsOf, resultsFile } from '../results/results-file.ts';
import { createSchedules } from '../serve/schedules.ts';
import { askPatiently, waitsUntil } from '../services/check-service.ts';
import type { Beginning } from '../services/agents.ts';
import { openCollectors } from '../services/known-services.ts';
import type { OpenService } from '../services/service.ts';
import type { Listener } from '../webhooks/webhook-listener.ts';
import { historyEntry, type World } from '../world.ts';
import { foldNotices, type RunBounds } from './run-events.ts';
import {
  runAndReport,
  type RunAndReportOptions,
  type RunReport,
  type WatchedRun,
} from './watched-run.ts';

/** How often it is looked whether its time has come, or its settings have changed. */
const LOOK_MS = 1_000;

/**
 * Runs a campaign at the times of its schedule, each to the end of its night, as `serve` does; without a schedule at once.
 * A limit of calls holds for the first of these nights, and ends with it.
 *
 * @param beginsNow it is called at once until this night ends or its next time comes, and only then at its times
 * @returns the report of the last night; null: it was stopped before the first one, or left at once
 */
async function runAtSchedule(
  options: RunAndReportOptions,
  beginsNow: boolean,
  world: World,
): Promise<RunReport | null> {
  const { store, run, watch, noticeWatch } = options;
  const { dialling } = watch.stop;
  const isStopped = () => dialling.aborted;
  const schedules = createSchedules(
    store,
    (campaign, reason, sentence) => {
      world.tell(`${campaign.name}: ${sentence}`, 'problem');
      void noticeWatch?.attention(campaign, reason, sentence);
    },
    world,
  );
  let campaign = options.campaign;
  let report: RunReport | null = null;
  let over = { version: -1, until: -Infinity };
  let isFirst = beginsNow;
  for (;;) {
    if (campaign.settings.schedule === undefined)
      return runAndReport({ ...options, campaign }, world);
    const now = world.clock.now();
    const due = isFirst
      ? { isOpen: true, until: firingEnd(campaign.settings, now) }
      : await schedules.look(campaign, now);
    isFirst = false;
    // After the night's budget is used up there is no more to do in it, unless the settings change.
    const isOver = over.version === campaign.version && world.clock.now() < over.until;
    if (due.isOpen && !isOver) {
      // At its very end the next night has begun, with a budget of its own.
      const until = Math.min(run.until ?? Infinity, due.until - 1);
      const bounds = { ...run, until, waitUntil: due.until };
      report = await runAndReport({ ...options, campaign, run: bounds }, world);
      if (report === null || run.limit !== null) return report;
      over = { version: report.campaign.version, until: due.until };
    }
    const present = await store.findCampaign(campaign.name);
    if (isStopped() || present?.state !== 'running') return report;
    campaign = present;
    await world.clock.sleep(LOOK_MS, dialling);
    if (isStopped()) return report;
  }
}

export interface RunRequest extends PlanRequest {
  /** New rows of a changed list join the campaign. */
  add: boolean;
  /** The plan was confirmed beforehand, so no question is asked. */
  yes: boolean;
  /** A list that another campaign has called is called again. */
  again: boolean;
  /** A results file that callsheet did not write may be replaced. */
  force: boolean;
  /** The version of the campaign that was looked at; default: whichever it is. */
  ifVersion?: number | undefined;
  /** Calls at most; null: no limit. */
  limit: number | null;
  /** It is called at once, and at the times of its schedule after this night. Default: only at once. */
  beginsNow?: boolean;
  /** Given the campaign's timezone, when the last call may begin (epoch ms); undefined: at any time. */
  until?: ((timezone: string) => Promise<number>) | undefined;
  /** How long (ms) the run waits for leads that are due later; null: not at all. */
  waitMs: number | null;
}

interface RunExtras extends Pick<WatchedRun, 'log' | 'watch'> {
  /** Where webhooks are received during the run; null: nowhere. */
  listenAt: ListenAt | null;
}

/**
 * Plans, asks, imports, calls, collects and writes results.
 *
 * @returns null when the operator left at once
 * @throws AppError of every part; see `withPlan` and `commitPlan`; `CAMPAIGN_CHANGED` (exit 2)
 */
export function runList(
  request: RunRequest,
  extras: RunExtras,
  world: World,
): Promise<RunReport | null> {
  // What a folder brings is asked about like any other list: it is taken first, and calls nobody before the yes.
  return withListsTaken(request, world, () => runPlanned(request, extras, world));
}

function runPlanned(
  request: RunRequest,
  extras: RunExtras,
  world: World,
): Promise<RunReport | null> {
  const { log, watch } = extras;
  let hasBegun = false;
  const running = planned(request, 'change', world, async (plan, file, times) => {
    const { add, yes, again, limit, force } = request;
    await requireVersion(plan, request.ifVersion);
    const assertResults = () => (file === '-' ? undefined : assertWritable(file));
    const { store, campaign, mayDial } = await commitPlan(
      plan,
      { add, yes, again, purpose: 'run', assertResults, limit, until: times.until },
      world,
    );
    if (campaign.pauseReason === 'operator') {
      world.tell(
        `Campaign "${plan.name}" is paused: only collecting. \`callsheet resume ${shellWord(plan.name)}\` lets it call again.`,
      );
    }
    watch.onEvent({ is: 'committed' });
    hasBegun = true;
    const { service, config } = plan.opened;
    const listener = await listenWhile(plan.opened, store, extras, world);
    const collectors = await openCollectors(store, campaign, plan.opened, request, world);
    const run = {
      dialAt: mayDial ? { service, maxCalls: config.maxCalls } : null,
      collectFrom: collectors.services,
      limit,
      ...times,
      patientUntil: waitsUntil(times, campaign.settings, world.clock.now()),
      feed: listener?.feed,
    };
    try {
      // Who is called by a schedule was called outside of it.
      if (mayDial && request.atSchedule !== true && campaign.settings.schedule !== undefined)
        await store.addHistory(campaign.id, historyEntry(world, 'campaign.calledNow'));
      const isScheduled = (request.atSchedule === true || request.beginsNow === true) && mayDial;
      const desk = { store, flags: request, log, stop: watch.stop };
      return await withNotices(desk, world, async (noticeWatch) => {
        const of = { store, campaign, live: config.live, services: request.services };
        const lists = watchWhile(of, noticeWatch, world);
        const options = { store, campaign, run, force, log, watch, noticeWatch };
        const running = isScheduled
          ? runAtSchedule(options, request.beginsNow === true, world)
          : runAndReport(options, world);
        return running.finally(lists.stop);
      });
    } finally {
      await listener?.close();
      await collectors.close();
    }
  });
  return running.catch(async (error: unknown) => {
    if (!hasBegun) await tellRefusedRun(error, request, { log, stop: watch.stop }, world);
    throw error;
  });
}

/** Captured leads come by webhook only; polling never returns them. */
const NOBODY_LISTENS =
  'Results come by polling each call. What the agent notes in a call (captured leads) comes by webhook only, and nothing receives it now (run with --webhooks, or `callsheet serve` beside it).';

/**
 * Receives the webhooks of the campaign's service during the run if `listenAt` is set; else tells what is missed
 * without them.
 */
async function listenWhile(
  opened: OpenService,
  store: Store,
  { listenAt, log, watch }: RunExtras,
  world: World,
): Promise<Listener | undefined> {
  if (listenAt === null) {
    if (opened.embedded === null && createDeliveryProtocol(opened.profile, []) !== null)
      world.tell(NOBODY_LISTENS);
    return undefined;
  }
  // Loaded only here, because the HTTP server takes longer to load than everything else.
  const { tellAddresses, startListener } = await import('../webhooks/webhook-listener.ts');
  const notices = foldNotices(log, watch.onEvent, world.clock);
  const listener = await startListener({ store, listenAt, notices }, world);
  await listener.add(opened);
  tellAddresses(listener, world);
  return listener;
}

/** Finds out what `runList` would do, or why it would refuse; calls nobody, writes nothing. */
export function tryList(request: RunRequest, world: World): Promise<PlanView> {
  return planned(request, 'try', world, (plan, file, { until }) => {
    const { add, yes, again, limit } = request;
    return dryRun(plan, file, { add, yes, again, limit, until }, world);
  });
}

/** Mistakes in times and in the results file are refused before anything is changed. */
function planned<T>(
  request: RunRequest,
  to: 'try' | 'change',
  world: World,
  use: (plan: Plan, file: string, times: Omit<RunBounds, 'limit'>) => Promise<T>,
): Promise<T> {
  const { until, waitMs, force } = request;
  const beganAt = world.clock.now();
  let known: Omit<RunBounds, 'limit'> | undefined;
  // Read before the service is waited for: a wait over midnight must not move them to the next day.
  const timesOf = async ({ resolved }: Beginning) =>
    (known ??= {
      waitUntil: waitMs === null ? null : beganAt + waitMs,
      until: until === undefined ? null : await until(resolved.settings.timezone),
    });
  const ask = async (beginning: Beginning) => {
    const end = waitsUntil(await timesOf(beginning), beginning.resolved.settings, beganAt);
    return askPatiently(beginning, end, world);
  };
  const run = async (given: Plan) => {
    const times = await timesOf(given);
    const isAsked = given.agentSeen !== undefined || to === 'try' || given.opened.config.simulated;
    const plan = isAsked ? given : { ...given, agentSeen: await ask(given) };
    const file = resultsFile(
      { ...plan.resolved, name: plan.name },
      plan.place.folder,
      world.clock.now(),
    );
    if (file !== '-') {
      const used = filesOf(plan, request, world);
      for (const path of outputsOf(file, plan.resolved.settings))
        await requireOutput(path, { store: plan.store, used, force }, world);
    }
    return use(plan, file, times);
  };
  return withPlan(request, world, to, run, to === 'try' ? undefined : ask);
}

/** Files that this run reads, and that its results must not replace. */
function filesOf({ target, opened }: Plan, request: RunRequest, world: World): UsedFile[] {
  const lists = target.lists.filter((path) => path !== '-');
  const given: [string | undefined, string][] = [
    ...lists.map((path): [string, string] => [path, 'the list']),
    [target.file?.path, 'the campaign file'],
    [opened.config.profile.path, 'the profile of the service'],
    [request.services, 'the file that names services'],
    [request.keyFile, 'the file that holds the key'],
  ];
  return given.flatMap(([path, what]) =>
    path === undefined ? [] : [[resolve(world.cwd, path), what] as const],
  );
}
