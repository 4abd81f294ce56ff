import { DEFAULT_PROFILE, findProfile } from '../../config/profiles.ts';
import type { Shut } from '../../domain/calling/openings.ts';
import { foreseenPrice, type ForeseenPrice } from '../../domain/nights/price.ts';
import { FastClock } from '../../runtime/fast/fast-clock.ts';
import { FastTime } from '../../runtime/fast/fast-time.ts';
import type { Campaign, Store } from '../../store/port.ts';
import type { NeverCalled, RehearsedHold } from '../../store/sqlite/scratch/rehearsed.ts';
import { openScratchStore } from '../../store/sqlite/scratch/scratch-store.ts';
import { homeOf } from '../places/home.ts';
import { openHoursOf } from '../plan/open-hours.ts';
import type { World } from '../world.ts';
import { embeddedService, type EmbeddedOptions } from './embedded.ts';
import { nightsOf, type RehearsedNight } from './nights.ts';
import { playNights, type PlayEnd } from './play.ts';
import type { Prepared } from './prepare.ts';

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
  /** By what calls cost; null: no budget of money is set. */
  pricedBy: ForeseenPrice['by'] | null;
}

/** Timers are late by up to so much, so that those who are due together share their work. */
const STEP_MS = 1_000;
/** How often the progress is shown, in real time. */
const SHOW_EVERY_MS = 500;
/** So many request lanes a campaign has by default at most. */
const MOST_LANES = 16;

/** What is rehearsed, from when (epoch ms), and how; `maxCalls` as in `RehearsalReport`. */
export interface How extends Pick<EmbeddedOptions, 'standsFor'> {
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
  const scratch = openScratchStore(prepared.image);
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
