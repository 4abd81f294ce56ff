import { setImmediate } from 'node:timers/promises';

import type { CampaignSettings } from '../../domain/campaign.ts';
import { forecastOf, playsOf, type Forecast, type Tally } from '../../domain/forecast/forecast.ts';
import {
  placesOf,
  spreadPeople,
  USUAL_CALLS,
  weightOf,
  type SeenCall,
  type SeenOf,
  type WaitingPerson,
} from '../../domain/forecast/game.ts';
import { foreseenPrice, type ForeseenPrice } from '../../domain/nights/budget.ts';
import { seededRandom } from '../../runtime/random.ts';
import { zoneOffsets } from '../../runtime/time-zones.ts';
import type { Store } from '../../store/port.ts';
import { callingTimes } from '../../store/sqlite/claim/calling-times.ts';
import { firingAt } from './planned-hours.ts';
import { suppressionHoldsUntil } from '../suppression/suppression-age.ts';
import type { Plan } from './plan.ts';

/** What a forecast says of a campaign, and what it is made from. Times are epoch ms. */
export interface ForecastReport extends Forecast {
  startAt: number;
  /** People who can be called, those of new lists with them. */
  people: number;
  /** For how many people one was simulated; 1: everybody was. */
  weight: number;
  /** Calls at once. */
  slots: number;
  seen: Seen;
  /** Running campaigns with which the slots of the service are shared: that is not in it. */
  sharesWith: string[];
  /** Calls in progress now: they are not in it. */
  openCalls: number;
}

export interface Seen {
  of: SeenOf;
  calls: number;
  /** How many of them had a cost. */
  priced: number;
  /** By what the others are priced; null: by nothing. */
  pricedBy: ForeseenPrice['by'] | null;
}

/** What is known of a campaign that is forecast, stored or not. */
export interface Known {
  /** Undefined: there is none. */
  store: Store | undefined;
  /** Null: it is not stored yet. */
  campaignId: string | null;
  settings: CampaignSettings;
  service: string;
  /** Calls at once at the service; null: no limit. */
  maxCalls: number | null;
  retryDerived: boolean;
  /** How many people of new lists are at which place. */
  fresh: Iterable<readonly [zoneKey: string, people: number]>;
  /** Of all people so many are left out, as other campaigns have called them. */
  leftOut: number;
  startAt: number;
  /** True: it is being called, so that a time of its schedule may be going on at `startAt`. */
  isRunning: boolean;
  /** No call begins from then on; Infinity: no such moment. */
  endsAt: number;
}

/** Fewer calls than that say too little to be believed alone. */
const ENOUGH_SEEN = 30;
/** Calls of other people and other times say less of those to come: of so many of them none is believed beyond. */
const MOST_BELIEVED: Record<SeenOf, number> = {
  ...{ campaign: 1_000, agent: 100, service: 60, defaults: 25 },
};
const MOST_SEEN = 2_000;

/** What `check` says of the nights to come; null: there is nobody to call. */
export async function forecastPlan(
  plan: Plan,
  { startAt, leftOut }: Pick<Known, 'startAt' | 'leftOut'>,
): Promise<ForecastReport | null> {
  const { store, campaign, opened, resolved, surveys, progress } = plan;
  if (plan.toCall === 0) return null;
  const { settings } = resolved;
  const { name: service, maxCalls, simulated } = opened.config;
  const holdsUntil =
    store === undefined ? Infinity : await suppressionHoldsUntil({ settings, simulated }, store);
  const report = await forecastKnown({
    ...{ store, campaignId: campaign?.id ?? null, settings, service, maxCalls, leftOut, startAt },
    isRunning: campaign?.state === 'running',
    retryDerived: opened.profile.analytics.retryDerived,
    fresh: surveys.flatMap(({ places }) => [...places]),
    // A list that is too old already is refused before the first call: it has to be renewed anyway.
    endsAt: holdsUntil <= startAt ? Infinity : holdsUntil,
  });
  return { ...report, openCalls: progress?.calling ?? 0 };
}

/** Forecasts a campaign from what is known of it, and of calls that were seen. */
export async function forecastKnown(known: Known): Promise<ForecastReport> {
  const { store, campaignId, settings, service, retryDerived, startAt, endsAt } = known;
  const stored = campaignId === null ? [] : ((await store?.placesOf(campaignId)) ?? []);
  const fresh = [...known.fresh];
  const all =
    stored.reduce((sum, { waiting }) => sum + waiting, 0) +
    fresh.reduce((sum, [, people]) => sum + people, 0);
  const weight = weightOf(all);
  const share = all === 0 ? 1 : Math.max(0, all - known.leftOut) / all;
  const waiting =
    campaignId === null ? [] : ((await store?.waitingPeople(campaignId, weight)) ?? []);
  const { of, seen: found } = await seenCallsFor(known);
  const spent = campaignId === null ? [] : ((await store?.nights(campaignId)) ?? []);
  const price = of === 'defaults' ? foreseenPrice(settings.stop, spent) : null;
  const seen = price === null ? found : found.map((call) => priced(call, price));
  const slots = Math.min(settings.concurrency, known.maxCalls ?? Infinity);
  const campaigns = (await store?.listCampaigns()) ?? [];
  const game = {
    ...{ settings, weight, startAt, endsAt, slots, retryDerived, seen },
    people: [...withShare(waiting, share), ...withShare(spreadPeople(fresh, weight), share)],
    placeOf: placesOf(callingTimes()(settings.policy), startAt),
    offsetAt: zoneOffsets(settings.policy?.zoneOverrides ?? []),
    spent: spent.map((night) => [night.night, night] as const),
    firingAt: (at: number) => firingAt(settings, at, known.isRunning ? -Infinity : startAt),
    believed: Math.min(seen.length, MOST_BELIEVED[of]),
    randomOf: (n: number) => seededRandom(`forecast/${n}`),
  };
  const plays: Tally[] = [];
  for (const play of playsOf(game)) {
    plays.push(play);
    // Calls of the same process get a turn: with a budget in money a play may take some 100 ms.
    await setImmediate();
  }
  return {
    ...forecastOf(plays, startAt),
    ...{ startAt, weight, slots, people: Math.round(all * share), openCalls: 0 },
    seen: {
      of,
      calls: of === 'defaults' ? 0 : seen.length,
      priced: found.filter(({ cost }) => cost !== null).length,
      pricedBy: price?.by ?? null,
    },
    sharesWith: campaigns
      .filter((other) => other.id !== campaignId && other.state === 'running')
      .filter((other) => other.service === service && other.kind === 'list')
      .map(({ name }) => name),
  };
}

function priced(call: SeenCall, { of, currency }: ForeseenPrice): SeenCall {
  return { ...call, cost: of(call.talkMs ?? 0), currency };
}

/** Of all people an even share, in their order. */
function withShare(people: readonly WaitingPerson[], share: number): WaitingPerson[] {
  return people.filter((_, n) => Math.floor((n + 1) * share) > Math.floor(n * share));
}

/** The calls that say most of those to come, and are enough of them; else usual ones. */
async function seenCallsFor({
  store,
  campaignId,
  settings: { agent },
  service,
}: Known): Promise<{ of: SeenOf; seen: readonly SeenCall[] }> {
  const kinds = [
    ...(campaignId === null ? [] : [{ of: 'campaign', agent, campaignId } as const]),
    { of: 'agent', agent, campaignId: null } as const,
    { of: 'service', agent: null, campaignId: null } as const,
  ];
  for (const { of, ...whose } of kinds) {
    const seen = (await store?.seenCalls({ ...whose, service, limit: MOST_SEEN })) ?? [];
    if (seen.length >= ENOUGH_SEEN) return { of, seen };
  }
  return { of: 'defaults', seen: USUAL_CALLS };
}
