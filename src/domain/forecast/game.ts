import type { HoursAt } from '../calling/calling-hours.ts';
import type { NamedLimits } from '../calling/limits.ts';
import type { Interval, OffsetAt } from '../calling/local-days.ts';
import type { PastAttempt, RetryPlace } from '../calling/retry-hold.ts';
import type { CampaignSettings } from '../campaign.ts';
import type { LeadResult, ResultSource } from '../lead.ts';
import { allowanceOf, type Limit } from '../nights/budget.ts';
import { nextNight, nightAt, stopsAt, type Night } from '../nights/night.ts';
import { NOTHING_SPENT, sumOf, withSettled, type Spent } from '../nights/spent.ts';

/** A person who waits to be called. Times are epoch ms. */
export interface WaitingPerson {
  /** See `zoneKey` of domain/calling. */
  zoneKey: string;
  /** Not due before; 0: at any time. */
  notBefore: number;
  /** When the person asked to be called again; null: they did not. */
  callbackAt: number | null;
  /** Earlier attempts of this campaign after which the phone rang or may have rung. */
  past: readonly PastAttempt[];
}

/** Up to this many people are simulated one by one; above it, one stands for several. */
const MOST_SINGLE = 10_000;

/** How many people one simulated person stands for. */
export function weightOf(people: number): number {
  return Math.max(1, Math.ceil(people / MOST_SINGLE));
}

/**
 * People of a list whose places alone are known, as if they came in random order: those of each place are spread
 * evenly.
 * @param weight how many people one stands for
 */
export function spreadPeople(
  places: Iterable<readonly [zoneKey: string, people: number]>,
  weight: number,
): WaitingPerson[] {
  let owed = 0;
  return [...places]
    .flatMap(([zoneKey, people]) => {
      owed += people / weight;
      const count = Math.round(owed);
      owed -= count;
      return Array.from({ length: count }, (_, n) => ({ zoneKey, at: (n + 0.5) / count }));
    })
    .toSorted((a, b) => a.at - b.at)
    .map(({ zoneKey }) => ({ zoneKey, notBefore: 0, callbackAt: null, past: [] }));
}

export interface Place extends Pick<RetryPlace, 'zones' | 'offsetAt'> {
  caps: readonly NamedLimits[];
  /** The first moment from `from` on at which hours are open, epoch ms; Infinity: never. */
  nextOpen: (from: number) => number;
}

interface Planner {
  hoursAt: (zoneKey: string, at: number) => HoursAt;
  capsAt: (zoneKey: string) => { limits: NamedLimits[] } | null;
  clocksAt: (zoneKey: string) => Pick<RetryPlace, 'zones' | 'offsetAt'>;
}

/** Asks about each place once, for all plays. @param startAt no earlier moment is asked for, epoch ms */
export function placesOf(planner: Planner, startAt: number): (zoneKey: string) => Place {
  const known = new Map<string, Place>();
  return (zoneKey) => {
    const found = known.get(zoneKey);
    if (found !== undefined) return found;
    const place = {
      ...planner.clocksAt(zoneKey),
      caps: planner.capsAt(zoneKey)?.limits ?? [],
      nextOpen: openingsFrom((at) => planner.hoursAt(zoneKey, at), startAt),
    };
    known.set(zoneKey, place);
    return place;
  };
}

function openingsFrom(hoursAt: (at: number) => HoursAt, startAt: number): Place['nextOpen'] {
  const all: Interval[] = [];
  let knownTo = startAt;
  // Time passes in small steps, so the same opening is asked for again and again.
  let [after, opens, closes] = [startAt, startAt, startAt];
  return (from) => {
    if (from >= after && from < closes) return Math.max(from, opens);
    while (knownTo < Infinity && (all.at(-1)?.[1] ?? startAt) <= from) {
      const hours = hoursAt(knownTo);
      if (hours.open) all.push([knownTo, hours.until]);
      knownTo = hours.open ? hours.until : (hours.opensAt ?? Infinity);
    }
    const next = all.findLastIndex(([, to]) => to <= from) + 1;
    after = all[next - 1]?.[1] ?? startAt;
    [opens, closes] = all[next] ?? [Infinity, Infinity];
    return Math.max(from, opens);
  };
}

/** A finished call, as an example of calls to come. */
export interface SeenCall {
  result: LeadResult;
  source: ResultSource;
  /** From the dial until its slot was free, as this program noticed it, ms. */
  slotMs: number;
  /** From then until its result was in, ms. */
  analysedMs: number;
  /** Talk time as the service gave it, ms; null: it gave none. */
  talkMs: number | null;
  /** Null: the service named none. */
  cost: number | null;
  currency: string | null;
  /** So long after its end the person was, or is to be, called again because they asked for it, ms; null: they did not. */
  callbackMs: number | null;
  /** How the call before it to the same person ended; null: there was none, or its end is not known. */
  before: LeadResult | null;
}

/** The calls from which a forecast is made. */
export type SeenOf =
  | 'campaign'
  /** Calls of other campaigns with the same agent, and of this one. */
  | 'agent'
  /** Calls with other agents at the same service. */
  | 'service'
  /** No call: see `USUAL_CALLS`. */
  | 'defaults';

/** Numbers in [0, 1), one after the other. */
export type Random = () => number;

/**
 * Forty calls for forecasts without any seen: people who do not know the caller (published rates: Pew 2020, one in five
 * answers an unknown number), calls of 75 s on average whose lengths are log-normal (Brown et al., JASA 2005).
 */
export const USUAL_CALLS: readonly SeenCall[] = [
  // It rings for some 20 s, and the end is noticed some 8 s late.
  ...[8, 14, 20, 28, 38, 52, 80, 200].flatMap((seconds) =>
    calls(1, 'answered', seconds * 1_000 + 28_000, seconds * 1_000),
  ),
  ...calls(17, 'voicemail', 45_000, 26_000),
  ...calls(11, 'no_answer', 39_000, 0),
  ...calls(1, 'busy', 12_000, 0),
  ...calls(1, 'declined', 16_000, 0),
  ...calls(1, 'failed', 12_000, 0),
  ...calls(1, 'invalid_number', 12_000, 0),
];

function calls(count: number, result: LeadResult, slotMs: number, talkMs: number): SeenCall[] {
  return Array.from({ length: count }, () => ({
    ...({ result, source: 'service', slotMs, analysedMs: 60_000, talkMs } as const),
    ...{ cost: null, currency: null, callbackMs: null, before: null },
  }));
}

/** This many calls after the same result are believed half; more of them more. */
const HALF_BELIEVED = 20;
/**
 * The share of second calls that end like the first where no second call was seen: people who did not answer are less
 * likely to answer than others.
 */
const SHARE_REPEATED = 0.25;

/**
 * The calls of one play: a sample of the calls seen, drawn with repetition, so that plays differ the more, the fewer
 * calls were seen (bootstrap, Efron 1979). Whole calls are drawn, as lengths, results, costs and wishes belong
 * together.
 * @param believed how many calls the sample has; fewer than were seen where these say less of the calls to come
 * @returns draws a call to a person whose call before ended so; null: it is the first one
 */
export function likelyCalls(
  seen: readonly SeenCall[],
  believed: number,
  random: Random,
): (before: LeadResult | null) => SeenCall {
  const pick = <T>(some: readonly T[]): T => some[Math.floor(random() * some.length)] as T;
  const sample = Array.from({ length: believed }, () => pick(seen));
  const existing = sample.filter(({ result }) => result !== 'invalid_number');
  const again = existing.length > 0 ? existing : sample;
  const byBefore = new Map(sample.map(({ before }) => [before, [] as SeenCall[]]));
  const byResult = new Map(sample.map(({ result }) => [result, [] as SeenCall[]]));
  for (const call of sample) {
    byBefore.get(call.before)?.push(call);
    byResult.get(call.result)?.push(call);
  }
  return (before) => {
    const own = byBefore.get(before) ?? [];
    if (random() * (own.length + HALF_BELIEVED) < own.length) return pick(own);
    if (before === null) return pick(sample);
    // A number that rang exists.
    const alike = own.length === 0 ? byResult.get(before) : undefined;
    return pick(alike !== undefined && random() < SHARE_REPEATED ? alike : again);
  };
}

export interface BudgetGame {
  settings: CampaignSettings;
  offsetAt: OffsetAt;
  /** What each night has used so far. */
  spent: Iterable<readonly [night: string, spent: Spent]>;
  /** The number of people that each simulated person stands for. */
  weight: number;
}

/** A budget is asked again this long after a call has ended. */
const ASK_AGAIN_MS = 1_000;

/** The nights of one play and the rest of each budget, by the functions of the claim. */
export class BudgetLeft {
  readonly #game: BudgetGame;
  readonly #nights: Map<string, Spent>;
  #night: Night | undefined;
  /** Calls that may still begin, now and when that was last asked. */
  #left = 0;
  #asked = 0;
  #limit: Limit | null = null;

  constructor(game: BudgetGame) {
    this.#game = game;
    this.#nights = new Map(game.spent);
  }

  /** True: at the last question, the budget of the whole campaign held calls back. */
  get isUsedUp(): boolean {
    return this.#limit?.until === 'change';
  }

  /**
   * Until when no call may begin, epoch ms; null: one may, Infinity: never again. Each call that begins leaves at least
   * one less, so the allowance is counted down, and asked again once half of it is gone: dearer calls may leave less.
   * @param callsEndAt when the next of the calls in progress ends, epoch ms
   */
  heldUntil(now: number, callsEndAt: number): number | null {
    const { settings, offsetAt, weight } = this.#game;
    const { stop, longestCallMs } = settings;
    if (stop === undefined) return null;
    const night = this.#nightAt(now);
    const isOver = stop.at !== undefined && now >= stopsAt(night, stop.at, settings, offsetAt);
    if (isOver || this.#left < weight || this.#left <= this.#asked / 2) {
      const tonight = this.#nights.get(night.date) ?? NOTHING_SPENT;
      const facts = { tonight, campaign: sumOf(this.#nights.values()), longestCallMs, isOver };
      const { more, limit } = allowanceOf(stop, facts);
      this.#left = this.#asked = more;
      this.#limit = limit;
    }
    // While no cost is known one call may begin: it stands for many here, and none of them would ever show its cost.
    const isFirst = this.#left > 0 && this.#limit?.by.endsWith('cost') === true;
    if (this.#left >= weight || isFirst) return null;
    if (this.#limit?.until === 'calls_end') return Math.max(callsEndAt, now + ASK_AGAIN_MS);
    return this.isUsedUp ? Infinity : nextNight(night, settings, offsetAt).beginsAt;
  }

  /** @returns the night to which the call belongs */
  begun(now: number): Night {
    const night = this.#nightAt(now);
    const { settings, weight } = this.#game;
    if (settings.stop === undefined) return night;
    const spent = this.#nights.get(night.date) ?? NOTHING_SPENT;
    const { calls, open } = spent;
    this.#nights.set(night.date, { ...spent, calls: calls + weight, open: open + weight });
    this.#left -= weight;
    return night;
  }

  settled({ date }: Night, { result, talkMs, slotMs, cost, currency }: SeenCall): void {
    const { settings, weight } = this.#game;
    if (settings.stop === undefined) return;
    const each = cost === null ? null : cost.toFixed(6);
    const call = { result, durationMs: talkMs, atMostMs: slotMs, cost: each, currency };
    const spent = withSettled(this.#nights.get(date) ?? NOTHING_SPENT, call, weight);
    this.#nights.set(date, { ...spent, open: Math.max(0, spent.open - weight) });
  }

  #nightAt(now: number): Night {
    const known = this.#night;
    if (known !== undefined && now < known.endsAt) return known;
    this.#left = 0;
    return (this.#night = nightAt(now, this.#game.settings, this.#game.offsetAt));
  }
}
