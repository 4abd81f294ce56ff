import type { Openings, Shut } from '../../domain/calling/openings.ts';
import { FastClock } from '../../runtime/fast/fast-clock.ts';
import { FastTime } from '../../runtime/fast/fast-time.ts';
import type { NeverCalled, RehearsedHold } from '../../store/sqlite/scratch/rehearsed.ts';
import { openScratchStore } from '../../store/sqlite/scratch/scratch-store.ts';
import { findProfile, DEFAULT_PROFILE } from '../../config/profiles.ts';
import { homeOf } from '../places/home.ts';
import { openHoursOf } from '../plan/open-hours.ts';
import { withPlan, type Plan, type PlanRequest } from '../plan/plan.ts';
import { unfinishedError } from '../plan/unfinished-import.ts';
import { refuseOtherAgent } from '../services/check-agent.ts';
import { REHEARSAL } from '../services/service.ts';
import type { World } from '../world.ts';
import { embeddedService, type EmbeddedOptions } from './embedded.ts';
import { nightsOf, type RehearsedNight } from './nights.ts';
import { bestOf, tryOthers, type Trial } from './other-concurrencies.ts';
import { playNights, type PlayEnd } from './play.ts';
import { prepare, type Prepared } from './prepare.ts';

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

/** One rehearsal through all its nights. */
export interface Performance {
  concurrency: number;
  /** People who waited at the beginning. */
  people: number;
  nights: RehearsedNight[];
  end: PlayEnd;
  /** When the last result was in; null: people wait still. */
  finishedAt: number | null;
  neverCalled: NeverCalled[];
  /** Of those who wait in the end: whom the hours never let be called, and why. */
  shut: Shut[];
  holds: RehearsedHold[];
}

/** Timers are late by up to so much, so that those who are due together share their work. */
const STEP_MS = 1_000;
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

interface How extends Pick<EmbeddedOptions, 'standsFor'> {
  prepared: Prepared;
  startedAt: number;
  seed: string;
  maxCalls: number | null;
  concurrency: number;
  stop: AbortSignal;
}

async function perform(how: How, world: World): Promise<Performance> {
  const { prepared, startedAt, seed, maxCalls, standsFor, concurrency, stop } = how;
  const { id, settings: given } = prepared.campaign;
  const time = new FastTime(new FastClock(startedAt), STEP_MS);
  const { clock } = time;
  const scratch = openScratchStore(prepared.image);
  const store = time.watch(scratch.store);
  const { path, text } = findProfile(DEFAULT_PROFILE, {
    cwd: world.cwd,
    home: homeOf(world).folder,
  });
  const { loadProfile } = await import('../../service/profile/profile.ts');
  const profile = loadProfile(text, path);
  const { agent } = given;
  const service = await embeddedService({ standsFor, agent, profile, seed, clock });
  try {
    const requests = Math.max(given.requests, Math.min(concurrency, 16));
    const settings = { ...given, concurrency, requests };
    const entry = { at: startedAt, who: 'callsheet', what: 'campaign.changed', detail: {} };
    const campaign = await scratch.store.changeCampaign(id, { settings }, entry);
    const people = scratch.begin(id);
    const { owner } = world;
    const end = await playNights({ store, campaign, service, maxCalls, time, owner, stop });
    const hours = await openHoursOf(campaign, scratch.store, clock.now());
    return {
      concurrency,
      people,
      nights: nightsOf(scratch.calls(), settings),
      end,
      finishedAt: end === 'done' ? clock.now() : null,
      neverCalled: scratch.neverCalled(),
      shut: shutOf(hours),
      holds: scratch.holds(),
    };
  } finally {
    await service.close();
    await scratch.store.close();
  }
}

function shutOf({ shut }: Openings): Shut[] {
  return shut.filter(({ people }) => people > 0);
}

function trialOf({ concurrency, nights, finishedAt }: Performance): Trial {
  const calls = nights.reduce((sum, night) => sum + night.calls, 0);
  return { concurrency, nights: nights.length, calls, finishedAt };
}
