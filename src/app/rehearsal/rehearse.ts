import { zonedTime } from '../../text/times.ts';
import type { Rehearsal, RehearsalReport } from '../../views/rehearsal.ts';
import { adviceLines, endLine, neverLines } from '../sentences/forecast-lines.ts';
import { withPlan, type Plan, type PlanRequest } from '../plan/plan.ts';
import { unfinishedError } from '../plan/unfinished-import.ts';
import { refuseOtherAgent } from '../services/agents.ts';
import { REHEARSAL } from '../services/service.ts';
import type { World } from '../world.ts';
import { perform, type Performance } from './perform.ts';
import { prepare } from './play.ts';

/** What one concurrency comes to. */
export type Trial = Pick<Performance, 'concurrency' | 'finishedAt'> &
  Pick<Rehearsal['trials'][number], 'nights' | 'calls'>;

/** How near the smallest sufficient concurrency is looked for: to a tenth of it. */
const NEAR = 0.1;

/**
 * Looks for a concurrency with which a list takes fewer nights, and for the smallest such one: doubles as long as the
 * nights become fewer, then halves the way back.
 *
 * @param rehearse rehearses with a concurrency; null: there is no time left for it
 * @param most no larger one is tried
 * @returns all that were rehearsed, `first` among them, by concurrency
 */
export async function tryOthers(
  first: Trial,
  most: number,
  rehearse: (concurrency: number) => Promise<Trial | null>,
): Promise<Trial[]> {
  const trials = [first];
  let best = first;
  /** The largest that is known to take more nights than the best. */
  let tooFew = first.concurrency;
  while (best.nights > 1) {
    const concurrency = Math.min(best.concurrency * 2, most);
    if (concurrency <= best.concurrency) break;
    const trial = await rehearse(concurrency);
    if (trial === null) break;
    trials.push(trial);
    if (trial.nights >= best.nights) break;
    tooFew = best.concurrency;
    best = trial;
  }
  while (best !== first && best.concurrency - tooFew > Math.max(1, best.concurrency * NEAR)) {
    const trial = await rehearse(Math.ceil((best.concurrency + tooFew) / 2));
    if (trial === null) break;
    trials.push(trial);
    if (trial.nights > best.nights) tooFew = trial.concurrency;
    else best = trial;
  }
  return trials.toSorted((a, b) => a.concurrency - b.concurrency);
}

/** The trial with the fewest nights and, of several, the smallest concurrency; null: none is better than `first`. */
export function bestOf(trials: readonly Trial[], first: Trial): Trial | null {
  const [best] = trials.toSorted((a, b) => a.nights - b.nights || a.concurrency - b.concurrency);
  return best !== undefined && best.nights < first.nights ? best : null;
}

interface RehearseRequest extends PlanRequest {
  /** Given the campaign's timezone, when it begins (epoch ms); undefined: now. */
  at?: ((timezone: string) => Promise<number>) | undefined;
  /** Who answers, and how long calls last, follows from it. Default: that of the embedded service. */
  seed?: string | undefined;
}

/** No other concurrency is rehearsed when so much real time has passed. */
const TRY_UNTIL_MS = 50_000;
/** The largest concurrency of a campaign. */
const MOST_CONCURRENCY = 10_000;

/**
 * Plays all nights of a campaign: the program itself calls the embedded service, with the campaign's rules, hours, caps,
 * retries and settings, in a database in memory, on a clock that moves as fast as the machine can work. Nobody is called,
 * and the real database is only read.
 */
export async function rehearse(request: RehearseRequest, world: World): Promise<RehearsalReport> {
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
    const cancel = world.clock.after(Math.max(0, tryUntil - world.clock.monotonic()), () =>
      tooLate.abort(),
    );
    const stop = AbortSignal.any([tooLate.signal, interrupted]);
    const trial = await perform({ ...how, concurrency: other, stop }, world).finally(cancel);
    interrupted.throwIfAborted();
    if (trial.end !== 'stopped') return trialOf(trial);
    triedAll = false;
    return null;
  });
  const iso = zonedTime(timezone);
  const finished = <T extends { finishedAt: number | null }>(one: T) => ({
    ...one,
    finishedAt: one.finishedAt === null ? null : iso(one.finishedAt),
  });
  const better = bestOf(trials, trialOf(first));
  const report: Rehearsal = {
    ...finished(first),
    nights: first.nights.map(({ firstAt, lastAt, ...night }) => {
      return { ...night, firstCallAt: iso(firstAt), lastCallAt: iso(lastAt) };
    }),
    campaign: name,
    stored: stored !== undefined,
    service: opened.config.name,
    timezone,
    seed,
    startedAt: iso(startedAt),
    maxCalls,
    rejectedRows: plan.surveys.reduce((sum, survey) => sum + survey.rejected, 0),
    openCalls: plan.progress?.calling ?? 0,
    trials: trials.map(finished),
    better: better && finished(better),
    triedAll,
  };
  return {
    ...report,
    ending: endLine(report),
    never: neverLines(report),
    advice: adviceLines(report),
  };
}

function trialOf({ concurrency, nights, finishedAt }: Performance): Trial {
  const calls = nights.reduce((sum, night) => sum + night.calls, 0);
  return { concurrency, nights: nights.length, calls, finishedAt };
}
