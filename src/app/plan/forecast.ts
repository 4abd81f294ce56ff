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
import { callingTimes } from '../../store/sql/claim/calling-times.ts';
import { calledSince, callableTimes, firingAt } from './schedule-times.ts';
import { suppressionHoldsUntil } from '../suppression/suppression-age.ts';
import type { ForecastView } from '../../views/plan.ts';
import type { Plan } from './plan.ts';

/** A forecast of a campaign, and the facts behind it. Times are epoch ms. */
export interface ForecastReport extends Forecast {
  startAt: number;
  /** People who can be called, those of new lists with them. */
  people: number;
  /** How many people each simulated person stands for; 1: everybody was simulated. */
  weight: number;
  /** Calls at once. */
  slots: number;
  seen: Seen;
  /** Running campaigns that share the slots of the service; the forecast leaves this out. */
  sharesWith: string[];
  /** Calls in progress now; the forecast leaves them out. */
  openCalls: number;
}

/** The calls that it goes by. `pricedBy`: the price of those that had none; null: there is none. */
export type Seen = ForecastView['seen'];

/** A campaign to be forecast, stored or not. */
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
  /** People of new lists by place. */
  fresh: Iterable<readonly [zoneKey: string, people: number]>;
  /** How many of all people are left out, as other campaigns have called them. */
  leftOut: number;
  startAt: number;
  /** Since when times of the schedule count, see `firingAt`. */
  since: number;
  /** No call begins from then on; Infinity: no such moment. */
  endsAt: number;
}

/** Fewer calls than this are not used alone. */
const ENOUGH_SEEN = 30;
/** At most this many calls are believed: calls of other people and other times say less about calls to come. */
const MOST_BELIEVED: Record<SeenOf, number> = {
  ...{ campaign: 1_000, agent: 100, service: 60, defaults: 25 },
};
const MOST_SEEN = 2_000;

/** The nights to come, for `check`; null: there is nobody to call. */
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
    since: calledSince(campaign, plan.history, startAt),
    retryDerived: opened.profile.analytics.retryDerived,
    fresh: surveys.flatMap(({ places }) => [...places]),
    // A suppression list that is already too old is refused before the first call, and has to be renewed anyway.
    endsAt: holdsUntil <= startAt ? Infinity : holdsUntil,
  });
  return { ...report, openCalls: progress?.calling ?? 0 };
}

/** Forecasts a campaign from its own facts and from calls that were seen. */
export async function forecastKnown(known: Known): Promise<ForecastReport> {
  const { store, campaignId, settings, service, retryDerived, startAt, endsAt } = known;
  const { hoursAt } = callableTimes(settings, known.since, startAt);
  const mayBeCalled = ({ zoneKey }: { zoneKey: string }) => {
    const hours = hoursAt(zoneKey, startAt);
    return hours.open || hours.opensAt !== null;
  };
  const places = campaignId === null ? [] : ((await store?.placesOf(campaignId, startAt)) ?? []);
  const stored = places.filter(mayBeCalled);
  const fresh = [...known.fresh].filter(([zoneKey]) => mayBeCalled({ zoneKey }));
  const all =
    stored.reduce((sum, { waiting }) => sum + waiting, 0) +
    fresh.reduce((sum, [, people]) => sum + people, 0);
  const weight = weightOf(all);
  const share = all === 0 ? 1 : Math.max(0, all - known.leftOut) / all;
  const found = campaignId === null ? [] : ((await store?.waitingPeople(campaignId, weight)) ?? []);
  const waiting = found.filter(mayBeCalled);
  const { of, seen: seenCalls } = await seenCallsFor(known);
  const spent = campaignId === null ? [] : ((await store?.nights(campaignId)) ?? []);
  const price = of === 'defaults' ? foreseenPrice(settings.stop, spent) : null;
  const seen = price === null ? seenCalls : seenCalls.map((call) => priced(call, price));
  const slots = Math.min(settings.concurrency, known.maxCalls ?? Infinity);
  const campaigns = (await store?.listCampaigns()) ?? [];
  const game = {
    ...{ settings, weight, startAt, endsAt, slots, retryDerived, seen },
    people: [...withShare(waiting, share), ...withShare(spreadPeople(fresh, weight), share)],
    placeOf: placesOf(callingTimes()(settings.policy), startAt),
    offsetAt: zoneOffsets(settings.policy?.zoneOverrides ?? []),
    spent: spent.map((night) => [night.night, night] as const),
    firingAt: (at: number) => firingAt(settings, at, known.since),
    believed: Math.min(seen.length, MOST_BELIEVED[of]),
    randomOf: (n: number) => seededRandom(`forecast/${n}`),
  };
  const plays: Tally[] = [];
  for (const play of playsOf(game)) {
    plays.push(play);
    // Other work of this process gets a turn: with a budget in money a play may take some 100 ms.
    await setImmediate();
  }
  return {
    ...forecastOf(plays, startAt),
    ...{ startAt, weight, slots, people: Math.round(all * share), openCalls: 0 },
    seen: {
      of,
      calls: of === 'defaults' ? 0 : seen.length,
      priced: seenCalls.filter(({ cost }) => cost !== null).length,
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

/** An even share of all people, in their order. */
function withShare(people: readonly WaitingPerson[], share: number): WaitingPerson[] {
  return people.filter((_, n) => Math.floor((n + 1) * share) > Math.floor(n * share));
}

/** The calls that say most about calls to come, if there are enough; else usual ones. */
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
