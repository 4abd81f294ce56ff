import { DEFAULT_PROFILE, findProfile } from '../../config/profiles.ts';
import { FINAL_RESULTS } from '../../domain/calling/standing.ts';
import type { CampaignSettings } from '../../domain/campaign.ts';
import type { LeadResult } from '../../domain/lead.ts';
import { nightOf } from '../../domain/nights/night.ts';
import { foreseenPrice, type Price } from '../../domain/nights/budget.ts';
import type { Clock } from '../../runtime/clock.ts';
import { FastClock, FastTime } from '../../runtime/fast-time.ts';
import { zoneOffsets } from '../../runtime/time-zones.ts';
import type { VoiceService } from '../../service/port.ts';
import type { Profile } from '../../service/profile/profile.ts';
import type { Campaign, Store } from '../../store/port.ts';
import { openScratchStore, type RehearsedCall } from '../../store/sqlite/scratch/scratch-store.ts';
import { homeOf } from '../places/home.ts';
import { openHoursOf } from '../plan/planned-hours.ts';
import { REHEARSAL } from '../services/service.ts';
import type { Rehearsal } from '../../views/rehearsal.ts';
import type { World } from '../world.ts';
import { playNights, type Prepared } from './play.ts';

interface EmbeddedOptions {
  /** The service for which it stands: what it is called, and whether it is known to answer. */
  standsFor: Pick<VoiceService, 'name' | 'fingerprint'>;
  /** The agent that speaks; the embedded one knows it under this id. */
  agent: string;
  /** How the embedded service speaks: the profile of `simulated`. */
  profile: Profile;
  seed: string;
  /** What a call costs by its talk time, ms. Default: that of the embedded service. */
  price?: Price | undefined;
  clock: Clock;
}

const KEY = 'rehearsal';

/**
 * The embedded service in this process, without HTTP: who answers, how long calls last and what is said comes from the
 * same seed by the same code, and its analytics are read by the same reader of the profile. A call takes as long as it
 * would with real people, on the clock that is given.
 */
export async function embeddedService(options: EmbeddedOptions): Promise<VoiceService> {
  const { standsFor, agent, profile, seed, clock, price = REHEARSAL.price } = options;
  // Loaded only here, because other commands do not need them.
  const { DEMO_AGENT, Simulation } = await import('../../simulator/simulation.ts');
  const { analyticsOf } = await import('../../simulator/calls/conversation.ts');
  const { statusAt } = await import('../../simulator/calls/timeline.ts');
  const { createAnalyticsReader } = await import('../../service/calls/analytics.ts');
  const simulation = new Simulation({
    ...{ ...REHEARSAL, seed, timeScale: 1, clock, price },
    ...{ port: 0, keys: [KEY], capacity: null, rate: null, idempotency: false, faults: {} },
    state: null,
  });
  const account = simulation.accounts.get(KEY);
  if (account === undefined) throw new Error('the embedded service has no account');
  account.addAgent({ ...DEMO_AGENT, id: agent, voice: null, createdAt: clock.now() });
  const reader = createAnalyticsReader(profile.analytics);
  return {
    name: standsFor.name,
    url: 'embedded',
    fingerprint: standsFor.fingerprint,
    callList: null,
    startCall: async ({ phone, agent: agentId, attemptKey }, permit) => {
      if (!permit()) {
        return { kind: 'neverSent', cause: 'permit', status: null, detail: 'nothing was sent' };
      }
      const { call } = simulation.placeCall(account, { phone, agentId, attemptKey });
      return { kind: 'placed', callId: call.id, status: 201, detail: 'HTTP 201' };
    },
    readAnalytics: async (callId) => {
      const call = account.calls.get(callId);
      if (call === undefined) return unreadable(callId, 'the embedded service has no such call');
      const now = clock.now();
      const status = statusAt(call, now);
      if (status !== 'completed') return reader.readNotYet({ call_id: callId, status });
      const answer = analyticsOf(call, account.agentOf(call), simulation.options);
      const reading = reader.read(answer, now);
      return reading.kind === 'unreadable' ? unreadable(callId, reading.why) : reading;
    },
    probe: async () => ({ ok: true }),
    listAgents: async () => ({ agents: [], complete: true }),
    createAgent: () => Promise.reject(new Error('a rehearsal creates no agent')),
    close: () => simulation.close(),
  };
}

function unreadable(callId: string, why: string) {
  return { kind: 'unreadable' as const, detail: `${callId}: ${why}`, raw: '' };
}

/** What would have happened in one night. */
interface RehearsedNight {
  /** The local date in the campaign's zone on which calling began: `2026-01-05`. */
  night: string;
  calls: number;
  /** People who were talked to. */
  reached: number;
  results: Partial<Record<LeadResult, number>>;
  /** When the first and the last call began, epoch ms. */
  firstAt: number;
  lastAt: number;
}

/** The calls of a rehearsal by night; a night without a call is not among them. */
export function nightsOf(
  calls: readonly RehearsedCall[],
  settings: Pick<CampaignSettings, 'timezone' | 'hours' | 'policy'>,
): RehearsedNight[] {
  const offsetAt = zoneOffsets(settings.policy?.zoneOverrides ?? []);
  const nights = new Map<string, RehearsedNight>();
  const reached = new Set<string>();
  for (const { at, person, result } of calls) {
    const date = nightOf(at, settings, offsetAt);
    const night = nights.get(date) ?? {
      ...{ night: date, calls: 0, reached: 0, results: {} },
      ...{ firstAt: at, lastAt: at },
    };
    nights.set(date, night);
    night.calls += 1;
    night.firstAt = Math.min(night.firstAt, at);
    night.lastAt = Math.max(night.lastAt, at);
    if (result === null) continue;
    night.results[result] = (night.results[result] ?? 0) + 1;
    if (!FINAL_RESULTS.includes(result)) continue;
    const key = `${date} ${person}`;
    if (!reached.has(key)) night.reached += 1;
    reached.add(key);
  }
  return [...nights.values()];
}

/** One rehearsal through all its nights. */
export interface Performance extends Pick<
  Rehearsal,
  'concurrency' | 'people' | 'end' | 'neverCalled' | 'shut' | 'holds' | 'pricedBy'
> {
  nights: RehearsedNight[];
  /** When the last result was in; null: people wait still. */
  finishedAt: number | null;
}

/** Timers are late by up to so much, so that those who are due together share their work. */
const STEP_MS = 1_000;
/** How often the progress is shown, in real time. */
const SHOW_EVERY_MS = 500;
/** So many request lanes a campaign has by default at most. */
const MOST_LANES = 16;

/** What is rehearsed, from when (epoch ms), and how; `maxCalls` as in `RehearsalReport`. */
interface How extends Pick<EmbeddedOptions, 'standsFor'> {
  prepared: Prepared;
  startedAt: number;
  seed: string;
  maxCalls: number | null;
  concurrency: number;
  stop: AbortSignal;
}

/** Plays all nights once, in a copy of the scratch database. */
export async function perform(how: How, world: World): Promise<Performance> {
  const { prepared, startedAt, seed, maxCalls, standsFor, concurrency, stop } = how;
  const { id, settings: given } = prepared.campaign;
  const time = new FastTime(new FastClock(startedAt), STEP_MS);
  const { clock } = time;
  const scratch = openScratchStore({ image: prepared.image });
  const store = time.watch(scratch.store);
  const { path, text } = findProfile(DEFAULT_PROFILE, {
    cwd: world.cwd,
    home: homeOf(world).folder,
  });
  const { loadProfile } = await import('../../service/profile/profile.ts');
  const profile = loadProfile(text, path);
  const { agent } = given;
  const price = foreseenPrice(given.stop, await scratch.store.nights(id));
  const options = { standsFor, agent, profile, seed, clock, price: price?.of };
  const service = await embeddedService(options);
  const shown = showProgress(scratch.store, prepared.campaign, concurrency, world);
  try {
    // Enough lanes for the calls of another concurrency, as `requests` has by default.
    const more = concurrency > given.concurrency ? Math.min(concurrency, MOST_LANES) : 0;
    const requests = Math.max(given.requests, more);
    const settings = { ...given, concurrency, requests };
    const entry = { at: startedAt, who: 'callsheet', what: 'campaign.changed', detail: {} };
    const campaign = await scratch.store.changeCampaign(id, { settings }, entry);
    const people = scratch.begin(id);
    const { owner } = world;
    const end = await playNights({ store, campaign, service, maxCalls, time, owner, stop });
    const { shut } = await openHoursOf(campaign, scratch.store, clock.now());
    const calls = scratch.calls();
    const lastAt = calls.reduce(
      (last, { at, settledAt }) => Math.max(last, settledAt ?? at),
      startedAt,
    );
    return {
      concurrency,
      people,
      nights: nightsOf(calls, settings),
      end,
      finishedAt: end === 'done' ? lastAt : null,
      neverCalled: scratch.neverCalled(),
      shut,
      holds: scratch.holds(),
      pricedBy: price?.by ?? null,
    };
  } finally {
    shown.stop();
    await service.close();
    await scratch.store.close();
  }
}

/** Shows in real time how many people are through. */
function showProgress(
  store: Pick<Store, 'progress'>,
  { id }: Pick<Campaign, 'id'>,
  concurrency: number,
  world: World,
): { stop: () => void } {
  const bar = world.progress(`Rehearsing at concurrency ${concurrency}`);
  const look = () => {
    void store.progress(id, world.clock.now()).then(bar.onProgress);
    return world.clock.after(SHOW_EVERY_MS, () => {
      cancel = look();
    });
  };
  let cancel = look();
  return {
    stop: () => {
      cancel();
      bar.stop();
    },
  };
}
