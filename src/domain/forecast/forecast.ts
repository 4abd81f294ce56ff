import { MINUTE_MS } from '../time-units.ts';
import { play, type Game, type PlayEnd } from './play.ts';
import { likelyCalls, type Random, type SeenCall } from './game.ts';

/** `believed`: as in `likelyCalls`. */
export interface ForecastInput extends Game {
  seen: readonly SeenCall[];
  believed: number;
  /** For play `n`, from 0. */
  randomOf: (n: number) => Random;
}

/** The least, the middle and the most that is likely: nine in ten are above the first, nine in ten below the last. */
export interface Range<T = number> {
  low: T;
  middle: T;
  high: T;
}

/** How a campaign is likely to go on. Times are epoch ms, counts of people and calls may be fractions. */
export interface Forecast {
  plays: number;
  /** How most plays end. */
  end: PlayEnd;
  /** The share of plays that end like that, 0 to 1. */
  endShare: number;
  /** When the last result is in; null: not as things stand. */
  endsAt: Range<number | null>;
  /** Nights in which somebody is called. */
  nights: Range;
  calls: Range;
  talkMs: Range;
  /** By currency; `''`: the service named none. Empty: no call was seen that had a cost. */
  costs: Record<string, Range>;
  /** Nights in which somebody is called in at least one play of two; `beginsAt`: when the night begins. */
  byNight: { night: string; beginsAt: number; calls: Range }[];
}

/** About how many calls all plays together have. */
const ALL_CALLS = 300_000;
const PLAYS = { least: 15, most: 60 };

/** Plays a campaign through several times, each time with other calls; the caller may do other work in between. */
export function* playsOf(input: ForecastInput): Generator<Tally> {
  const { settings, startAt, placeOf } = input;
  const people = input.people
    .filter(({ zoneKey }) => placeOf(zoneKey).nextOpen(startAt) < Infinity)
    .toSorted((a, b) => a.notBefore - b.notBefore);
  const likely = people.length * Math.min(settings.retry?.attempts ?? 1, 3);
  const usual = Math.round(ALL_CALLS / Math.max(1, likely));
  const count = Math.min(PLAYS.most, Math.max(PLAYS.least, usual));
  for (let n = 0; n < count; n += 1) yield tallied({ ...input, people }, n);
}

/** The ranges in which the plays lie. @param startAt when calling would begin, epoch ms */
export function forecastOf(plays: readonly Tally[], startAt: number): Forecast {
  const count = plays.length;
  const alike = (end: PlayEnd) => plays.filter((each) => each.end === end).length;
  const [end = 'done'] = plays
    .map((each) => each.end)
    .toSorted((one, other) => alike(other) - alike(one));
  const sums = (of: (tally: Tally) => number) => rangeOf(plays.map(of));
  const currencies = new Set(plays.flatMap(({ costs }) => Object.keys(costs)));
  const nights = new Map(plays.flatMap((each) => [...each.nights]));
  const ends = sums((each) => (each.end === end || each.end === 'done' ? each.at : Infinity));
  return {
    plays: count,
    end,
    endShare: alike(end) / count,
    endsAt: withMargin(ends, startAt),
    nights: sums((each) => each.nights.size),
    calls: sums(({ calls }) => calls),
    talkMs: sums(({ talkMs }) => talkMs),
    costs: Object.fromEntries(
      [...currencies].map((currency) => [currency, sums(({ costs }) => costs[currency] ?? 0)]),
    ),
    byNight: [...nights]
      .map(([night, { beginsAt }]) => ({
        ...{ night, beginsAt, calls: sums((each) => each.nights.get(night)?.calls ?? 0) },
      }))
      .filter(({ calls }) => calls.middle > 0)
      .toSorted((a, b) => a.beginsAt - b.beginsAt),
  };
}

/** Plays leave out, for example, the time that a dial takes, so they end early by about this share of their time. */
const LEFT_OUT = { share: 0.01, atMostMs: 15 * MINUTE_MS };

function withMargin({ low, middle, high }: Range, startAt: number) {
  const margin = Math.min((high - startAt) * LEFT_OUT.share, LEFT_OUT.atMostMs);
  const known = (at: number) => (at === Infinity ? null : at);
  return { low: known(low), middle: known(middle), high: known(Math.ceil(high + margin)) };
}

/** Each is one of the values, which may be Infinity: between the ends of two nights nothing ends. */
export function rangeOf(values: readonly number[]): Range {
  const ascending = values.toSorted((a, b) => a - b);
  const last = ascending.length - 1;
  const at = (place: number) => ascending[place] ?? NaN;
  return {
    low: at(Math.floor(0.1 * last)),
    middle: at(Math.round(0.5 * last)),
    high: at(Math.ceil(0.9 * last)),
  };
}

export interface Tally {
  end: PlayEnd;
  at: number;
  calls: number;
  talkMs: number;
  costs: Record<string, number>;
  nights: Map<string, { beginsAt: number; calls: number }>;
}

function tallied(input: ForecastInput, n: number): Tally {
  const { seen, believed, randomOf, weight } = input;
  const costs: Tally['costs'] = {};
  const nights: Tally['nights'] = new Map();
  let [calls, talkMs] = [0, 0];
  const played = play(input, likelyCalls(seen, believed, randomOf(n)), (_, night, call) => {
    calls += weight;
    talkMs += weight * (call.talkMs ?? 0);
    const known = nights.get(night.date) ?? { beginsAt: night.beginsAt, calls: 0 };
    known.calls += weight;
    nights.set(night.date, known);
    const currency = call.currency ?? '';
    if (call.cost !== null) costs[currency] = (costs[currency] ?? 0) + weight * Math.abs(call.cost);
  });
  return { ...played, calls, talkMs, costs, nights };
}
