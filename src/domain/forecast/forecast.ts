import { nightAt } from '../nights/night.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../time-units.ts';
import { likelyCalls, type Random } from './likely-calls.ts';
import { PlaceHours } from './place-hours.ts';
import { play, type Game, type PlayEnd } from './play.ts';
import { rangeOf, type Range } from './quantiles.ts';
import type { SeenCall } from './seen-calls.ts';
import type { WaitingRoom } from './waiting-room.ts';

/** What is forecast; `believed` as in `likelyCalls`. */
export interface ForecastInput extends Omit<Game, 'hoursOf'> {
  seen: readonly SeenCall[];
  believed: number;
  /** Of play `n`, from 0. */
  randomOf: (n: number) => Random;
  /** Default: as many as about 300,000 calls take, 15 to 60. */
  plays?: number;
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
  /** Nights in which somebody is called in at least one play of two. */
  byNight: ForecastNight[];
  /** Hours in which somebody can be called, for a week. */
  byHour: ForecastHour[];
}

export interface ForecastNight {
  night: string;
  /** When it begins. */
  beginsAt: number;
  calls: Range;
}

export interface ForecastHour {
  /** When it begins. */
  at: number;
  /** By place (see `zoneKey`). `callable`: people who can be called in it; `calls`: those that are made. */
  places: Record<string, { callable: number; calls: number }>;
}

/** All plays together have about so many calls. */
const ALL_CALLS = 300_000;
const PLAYS = { least: 15, most: 60 };
/** Hours are told apart for so long. */
const HOURS_FOR_MS = 7 * DAY_MS;

/** Plays a campaign several times through, each time with other calls, and says between what the plays lie. */
export function forecast(input: ForecastInput): Forecast {
  const { people, seen, believed, randomOf, startAt, settings, planner, weight } = input;
  const hours = new Map<string, PlaceHours>();
  const hoursOf = (zoneKey: string) => {
    const hoursAt = (at: number) => planner.hoursAt(zoneKey, at);
    const known = hours.get(zoneKey) ?? new PlaceHours(hoursAt, startAt);
    hours.set(zoneKey, known);
    return known;
  };
  const callable = people.filter(({ zoneKey }) => hoursOf(zoneKey).nextOpen(startAt) < Infinity);
  const likely = callable.length * Math.min(settings.retry?.attempts ?? 1, 3);
  const usual = Math.round(ALL_CALLS / Math.max(1, likely));
  const plays = input.plays ?? Math.min(PLAYS.most, Math.max(PLAYS.least, usual));
  const hourly = new Hours(startAt);
  const all = Array.from({ length: plays }, (_, n) => {
    const tally = new Tally(weight);
    const draw = likelyCalls(seen, believed, randomOf(n));
    const { end, at } = play({ ...input, people: callable, hoursOf }, draw, {
      onCall: (callAt, place, night, call) => {
        tally.add(callAt, night, call);
        hourly.called(callAt, place);
      },
      onTime: (from, to, room) => {
        hourly.passed(from, to, room);
      },
    });
    return { tally, end, at };
  });
  const ends = all.map(({ end }) => end);
  const [end = 'done'] = ends.toSorted((a, b) => countOf(ends, b) - countOf(ends, a));
  const sums = (of: (tally: Tally) => number) => certain(all.map(({ tally }) => of(tally)));
  const currencies = new Set(all.flatMap(({ tally }) => [...tally.costs.keys()]));
  return {
    plays,
    end,
    endShare: countOf(ends, end) / plays,
    endsAt: withMargin(
      rangeOf(all.map((each) => (each.end === end || each.end === 'done' ? each.at : Infinity))),
      startAt,
    ),
    nights: sums(({ nights }) => nights.size),
    calls: sums(({ calls }) => calls),
    talkMs: sums(({ talkMs }) => talkMs),
    costs: Object.fromEntries(
      [...currencies].map((currency) => [currency, sums(({ costs }) => costs.get(currency) ?? 0)]),
    ),
    byNight: nightsOf(
      all.map(({ tally }) => tally),
      input,
    ),
    byHour: hourly.list((count) => (count * weight) / plays),
  };
}

/** What plays leave out, such as the time that a dial takes, makes about so much of the time until the end. */
const LEFT_OUT = { share: 0.01, atMostMs: 15 * MINUTE_MS };

function withMargin(ends: Range<number | null>, startAt: number): Range<number | null> {
  const margin = (at: number) => Math.min((at - startAt) * LEFT_OUT.share, LEFT_OUT.atMostMs);
  const { low, middle, high } = ends;
  return {
    low: low === null ? null : Math.floor(low - margin(low)),
    middle: middle === null ? null : Math.round(middle),
    high: high === null ? null : Math.ceil(high + margin(high)),
  };
}

function countOf(ends: readonly PlayEnd[], end: PlayEnd): number {
  return ends.filter((each) => each === end).length;
}

/** Of values that are all finite. */
function certain(values: readonly number[]): Range {
  const { low, middle, high } = rangeOf(values);
  return { low: low ?? 0, middle: middle ?? 0, high: high ?? 0 };
}

function nightsOf(
  tallies: readonly Tally[],
  { settings, offsetAt }: Pick<ForecastInput, 'settings' | 'offsetAt'>,
): ForecastNight[] {
  const first = new Map<string, number>();
  for (const { nights } of tallies) {
    for (const [night, { firstAt }] of nights) {
      first.set(night, Math.min(firstAt, first.get(night) ?? Infinity));
    }
  }
  return [...first]
    .map(([night, firstAt]) => ({
      night,
      beginsAt: nightAt(firstAt, settings, offsetAt).beginsAt,
      calls: certain(tallies.map(({ nights }) => nights.get(night)?.calls ?? 0)),
    }))
    .filter(({ calls }) => calls.middle > 0)
    .toSorted((a, b) => a.beginsAt - b.beginsAt);
}

/** What one play came to. */
class Tally {
  readonly #weight: number;
  calls = 0;
  talkMs = 0;
  readonly costs = new Map<string, number>();
  readonly nights = new Map<string, { calls: number; firstAt: number }>();

  constructor(weight: number) {
    this.#weight = weight;
  }

  add(at: number, night: string, { talkMs, cost, currency }: SeenCall): void {
    this.calls += this.#weight;
    this.talkMs += this.#weight * (talkMs ?? 0);
    const known = this.nights.get(night) ?? { calls: 0, firstAt: at };
    known.calls += this.#weight;
    this.nights.set(night, known);
    if (cost === null) return;
    const key = currency ?? '';
    this.costs.set(key, (this.costs.get(key) ?? 0) + this.#weight * Math.abs(cost));
  }
}

/** Hours of the first week, over all plays. */
class Hours {
  readonly #startAt: number;
  readonly #hours = new Map<number, ForecastHour['places']>();

  constructor(startAt: number) {
    this.#startAt = startAt;
  }

  called(at: number, place: string): void {
    if (at < this.#startAt + HOURS_FOR_MS) this.#at(hourOf(at), place).calls += 1;
  }

  passed(from: number, to: number, room: WaitingRoom): void {
    const until = Math.min(to, this.#startAt + HOURS_FOR_MS);
    const first = to === this.#startAt ? hourOf(to) : hourOf(from) + HOUR_MS;
    for (let hour = first; hour <= until; hour += HOUR_MS) {
      for (const [place, people] of room.callable(Math.max(hour, this.#startAt), hour + HOUR_MS)) {
        this.#at(hour, place).callable += people;
      }
    }
  }

  /** @param mean the mean of all plays of a count over all of them */
  list(mean: (count: number) => number): ForecastHour[] {
    const meanOf = (places: ForecastHour['places']) =>
      Object.entries(places).map(([place, { callable, calls }]) => [
        place,
        { callable: mean(callable), calls: mean(calls) },
      ]);
    return [...this.#hours]
      .map(([at, places]) => ({ at, places: Object.fromEntries(meanOf(places)) as typeof places }))
      .toSorted((a, b) => a.at - b.at);
  }

  #at(hour: number, place: string): { callable: number; calls: number } {
    const places = this.#hours.get(hour) ?? {};
    this.#hours.set(hour, places);
    return (places[place] ??= { callable: 0, calls: 0 });
  }
}

function hourOf(at: number): number {
  return at - (at % HOUR_MS);
}
