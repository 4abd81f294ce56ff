import { startCampaign } from '../../app/campaigns/start-pause-resume.ts';
import { isServed } from '../../app/places/databases.ts';
import { collectCalls, type CollectRequest } from '../../app/run/call-one-number.ts';
import type { RunReport } from '../../app/run/watched-run.ts';
import type { RunEvent, RunWatch, StopSignals } from '../../app/run/run-events.ts';
import { runList, type RunRequest } from '../../app/run/run.ts';
import { tellNotice } from '../../app/sentences/notices.ts';
import type { World } from '../../app/world.ts';
import { DAY_MS } from '../../domain/time-units.ts';
import type { CallEnd } from '../../views/jobs.ts';
import type { Desk } from '../desk.ts';

interface CallOrder extends Omit<RunRequest, 'add' | 'force' | 'until' | 'waitMs'> {
  /** Called at once, whatever its schedule. */
  now: boolean;
}

/** A console that stays open goes on by itself when hours open again. */
const WAIT_MS = 30 * DAY_MS;
const COUNT_EVERY_MS = 1_000;

/**
 * Calls a campaign from this process: at once or, with a schedule, at its times. Beside `serve`, only lets `serve` call it,
 * if it sees it and shall not call at once.
 *
 * @returns null when the console was left at once
 */
export async function callCampaign(
  { now, limit, ...request }: CallOrder,
  desk: Desk,
  world: World,
  stop: StopSignals,
): Promise<CallEnd | null> {
  if (!now && desk.dials === 'serve' && (await isServed(request, world))) {
    const { state } = await startCampaign({ ...request, limit, served: true }, world);
    return { state, why: null, code: null, results: null };
  }
  const bounds = {
    add: false,
    force: false,
    atSchedule: !now,
    // A limit ends with this night.
    beginsNow: now && limit === null,
    limit,
    waitMs: limit === null ? WAIT_MS : null,
  };
  const watch = watchOf(request.list, stop, world);
  const extras = { log: desk.log, watch, listenAt: null };
  return endOf(await runList({ ...request, ...bounds }, extras, world));
}

/** Fetches what is outstanding; nobody is called. */
export async function collectCampaign(
  request: CollectRequest,
  desk: Desk,
  world: World,
  stop: StopSignals,
): Promise<CallEnd | null> {
  let end: CallEnd | null = null;
  const watch = {
    log: desk.log,
    watch: () => watchOf(request.campaign ?? '', stop, world),
    onReport: ({ kind, report }: { kind: string; report: unknown }) => {
      if (kind === 'list') end = endOf(report as RunReport | null);
    },
  };
  await collectCalls(request, watch, world);
  return end;
}

function endOf(report: RunReport | null): CallEnd | null {
  if (report === null) return null;
  const { campaign, exit, results } = report;
  return { state: campaign.state, why: exit.why, code: exit.code, results: results.path };
}

/** Notices of a run become sentences of its job. */
function watchOf(campaign: string, stop: StopSignals, world: World): RunWatch {
  const onEvent = (event: RunEvent) => {
    if (event.is === 'notice')
      tellNotice(event, campaign, (sentence, kind) => world.tell(sentence, kind));
  };
  return { stop, everyMs: COUNT_EVERY_MS, onEvent };
}
