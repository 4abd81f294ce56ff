import { withPlan, type Plan, type PlanRequest } from '../plan/plan.ts';
import { unfinishedError } from '../plan/unfinished-import.ts';
import { refuseOtherAgent } from '../services/check-agent.ts';
import { REHEARSAL } from '../services/service.ts';
import type { World } from '../world.ts';
import { bestOf, tryOthers, type Trial } from './other-concurrencies.ts';
import { perform, type Performance } from './perform.ts';
import { prepare } from './prepare.ts';

export interface RehearseRequest extends PlanRequest {
  /** Given the campaign's timezone, when it begins (epoch ms); undefined: now. */
  at?: ((timezone: string) => Promise<number>) | undefined;
  /** Who answers, and how long calls last, follows from it. Default: that of the embedded service. */
  seed?: string | undefined;
}

/** What would have happened, and what another concurrency would change. Times are epoch ms. */
export interface RehearsalReport extends Performance {
  campaign: string;
  /** True: a campaign of that name is in the database. */
  stored: boolean;
  service: string;
  timezone: string;
  seed: string;
  startedAt: number;
  /** Calls at once at the service, over all campaigns; null: no limit. */
  maxCalls: number | null;
  /** Rows of new lists that would be rejected. */
  rejectedRows: number;
  /** Calls in progress now, which come to nothing in a rehearsal. */
  openCalls: number;
  trials: Trial[];
  /** The trial with fewer nights; null: none was found. */
  better: Trial | null;
  /** False: there was no time to rehearse all concurrencies that might be better. */
  triedAll: boolean;
}

/** No other concurrency is rehearsed when so much real time has passed. */
const TRY_UNTIL_MS = 50_000;
/** The largest concurrency of a campaign. */
const MOST_CONCURRENCY = 10_000;

/**
 * Calls the list of a campaign through all its nights: the same rules, hours, caps, retries and settings, by the very
 * program, against the embedded service, on a clock that moves as fast as the machine can work, in a database in
 * memory. Nobody is called, and the real database is only read.
 *
 * @throws AppError as `withPlan`
 */
export function rehearse(request: RehearseRequest, world: World): Promise<RehearsalReport> {
  const look = (plan: Plan) => rehearsePlan(plan, request, world);
  // The service is not asked for anything: nobody is called there.
  return withPlan(request, world, 'look', look, async (beginning) => {
    refuseOtherAgent(beginning);
    return undefined;
  });
}

async function rehearsePlan(
  plan: Plan,
  { at, seed = REHEARSAL.seed }: RehearseRequest,
  world: World,
): Promise<RehearsalReport> {
  const { campaign: stored, unfinished, resolved, opened, name } = plan;
  if (unfinished !== undefined && stored !== undefined) throw unfinishedError(unfinished, stored);
  const { timezone, concurrency } = resolved.settings;
  const tryUntil = world.clock.monotonic() + TRY_UNTIL_MS;
  const startedAt = (await at?.(timezone)) ?? world.clock.now();
  const { maxCalls } = opened.config;
  const prepared = await prepare(plan, world);
  const how = { prepared, startedAt, seed, maxCalls, standsFor: opened.service };
  const interrupted = world.underway?.signal ?? new AbortController().signal;
  const first = await perform({ ...how, concurrency, stop: interrupted }, world);
  interrupted.throwIfAborted();

  let triedAll = true;
  const most = Math.min(maxCalls ?? Infinity, first.people, MOST_CONCURRENCY);
  const trials = await tryOthers(trialOf(first), most, async (other) => {
    const tooLate = new AbortController();
    const cancel = world.clock.after(Math.max(0, tryUntil - world.clock.monotonic()), () => {
      tooLate.abort();
    });
    const stop = AbortSignal.any([tooLate.signal, interrupted]);
    const trial = await perform({ ...how, concurrency: other, stop }, world).finally(cancel);
    interrupted.throwIfAborted();
    if (trial.end !== 'stopped') return trialOf(trial);
    triedAll = false;
    return null;
  });
  return {
    ...first,
    campaign: name,
    stored: stored !== undefined,
    service: opened.config.name,
    timezone,
    seed,
    startedAt,
    maxCalls,
    rejectedRows: plan.surveys.reduce((sum, survey) => sum + survey.rejected, 0),
    openCalls: plan.progress?.calling ?? 0,
    trials,
    better: bestOf(trials, trialOf(first)),
    triedAll,
  };
}

function trialOf({ concurrency, nights, finishedAt }: Performance): Trial {
  const calls = nights.reduce((sum, night) => sum + night.calls, 0);
  return { concurrency, nights: nights.length, calls, finishedAt };
}
