import type { LeadResult } from '../lead.ts';
import { MoneySum } from '../money.ts';
import { own } from '../safe-text.ts';
import { MINUTE_MS } from '../time-units.ts';

/** The use of the calls of a night, or of a whole campaign, without released attempts. */
export interface Spent {
  /** Calls begun: dials that were not released. */
  calls: number;
  /** Calls whose end is not known yet: in progress, or perhaps. */
  open: number;
  /** Calls whose end may never be known: `unconfirmed` and `no_result`. */
  stuck: number;
  answered: number;
  /** Talk time of settled calls, ms; where the service gave none, the longest that it can have been. */
  talkMs: number;
  /** Settled calls that lasted, and for which the service named no cost. */
  unpriced: number;
  /** By currency; `''`: the service named none. */
  costs: Readonly<Record<string, Cost>>;
}

/** One call: its length as the service gave it, ms, and its cost. */
type PricedCall = readonly [ms: number, cost: number];

/** The cost of settled calls in one currency. */
interface Cost {
  /** Decimal text, see `MoneySum`. */
  sum: string;
  /** How many calls cost more than zero; left out in rows from before it was counted. */
  calls?: number;
  /** Single calls: the first ones, and later ones that were dearer or longer; left out as `calls` is. */
  seen?: readonly PricedCall[];
  dearest: number;
  /** The highest cost per minute of a call of at least half a minute; null: there was none. */
  perMinute: number | null;
  /** The same of shorter calls, which cost much per minute where a service bills whole minutes. */
  perMinuteShort: number | null;
}

export interface SettledCall {
  result: LeadResult;
  /** As the service gave it, ms. */
  durationMs: number | null;
  /** The longest that it can have been where the service gave no duration, ms. */
  atMostMs: number;
  /** Decimal text, see `asMoney`. */
  cost: string | null;
  currency: string | null;
}

export const NOTHING_SPENT: Spent = {
  calls: 0,
  open: 0,
  stuck: 0,
  answered: 0,
  talkMs: 0,
  unpriced: 0,
  costs: {},
};

/** Nobody talks in a call with one of these results. */
const SILENT: readonly LeadResult[] = ['no_answer', 'busy', 'invalid_number', 'rejected'];
/** The cost per minute of a call shorter than this says little of that of a long one. */
const SHORT_MS = MINUTE_MS / 2;

/** The use after one more settled call, or `times` equal ones; the caller counts the calls. */
export function withSettled<S extends Pick<Spent, 'answered' | 'talkMs' | 'unpriced' | 'costs'>>(
  spent: S,
  call: SettledCall,
  times = 1,
): S {
  const { result, durationMs, atMostMs, cost, currency } = call;
  const talkMs = durationMs ?? (SILENT.includes(result) ? 0 : atMostMs);
  const before = own(spent.costs, currency ?? '');
  return {
    ...spent,
    answered: spent.answered + (result === 'answered' ? times : 0),
    talkMs: spent.talkMs + talkMs * times,
    unpriced: spent.unpriced + (cost === null && talkMs > 0 ? times : 0),
    ...(cost !== null && {
      costs: {
        ...spent.costs,
        [currency ?? '']: joinedCost(before, costOf(cost, call, talkMs, times)),
      },
    }),
  };
}

export function sumOf(nights: Iterable<Spent>): Spent {
  let sum = NOTHING_SPENT;
  for (const night of nights) {
    let costs = sum.costs;
    for (const [currency, cost] of Object.entries(night.costs))
      costs = { ...costs, [currency]: joinedCost(own(costs, currency), cost) };
    sum = {
      calls: sum.calls + night.calls,
      open: sum.open + night.open,
      stuck: sum.stuck + night.stuck,
      answered: sum.answered + night.answered,
      talkMs: sum.talkMs + night.talkMs,
      unpriced: sum.unpriced + night.unpriced,
      costs,
    };
  }
  return sum;
}

/** The cost of all calls in a currency, with costs that had none; decimal text. */
export function costIn({ costs }: Pick<Spent, 'costs'>, currency: string): string {
  const sum = new MoneySum();
  for (const known of new Set(['', currency])) sum.add(own(costs, known)?.sum ?? '0');
  return sum.toString();
}

/** The costs that calls have shown in a currency, with those that had none; null: none yet. */
export function pricesIn({ costs }: Pick<Spent, 'costs'>, currency: string): Cost | null {
  const [one, other] = [costs[''], currency === '' ? undefined : own(costs, currency)];
  return other === undefined ? (one ?? null) : joinedCost(one, other);
}

/** Some services write a cost as a negative amount: it must not make a budget larger. */
function costOf(amount: string, { durationMs }: SettledCall, talkMs: number, calls: number): Cost {
  const each = amount.replace(/^-/, '');
  const cost = Number(each);
  // A call that nobody took, as far as is known, and nobody paid for says nothing about the price of others.
  const isSilent = cost === 0 && (durationMs ?? 0) === 0;
  const perMinute = talkMs > 0 && !isSilent ? (cost * MINUTE_MS) / talkMs : null;
  const isShort = talkMs < SHORT_MS;
  const sum = new MoneySum();
  sum.add(each, calls);
  return {
    sum: sum.toString(),
    calls: cost > 0 ? calls : 0,
    // A length that is not known, or was rounded to none, says nothing about the price of a length.
    seen: (durationMs ?? 0) === 0 ? [] : [[durationMs ?? 0, cost]],
    dearest: cost,
    perMinute: isShort ? null : perMinute,
    perMinuteShort: isShort ? perMinute : null,
  };
}

/** This many calls are kept as they come; later ones only if they are dearer or longer than all before. */
const KEPT_CALLS = 24;
const MOST_KEPT = 2 * KEPT_CALLS;

function joinedCost(one: Cost | undefined, other: Cost): Cost {
  if (one === undefined) return other;
  const sum = new MoneySum();
  sum.add(one.sum);
  sum.add(other.sum);
  const isDearer = (key: 'dearest' | 'perMinute' | 'perMinuteShort') =>
    (other[key] ?? 0) > (one[key] ?? 0);
  const { seen = [] } = one;
  const longest = Math.max(0, ...seen.map(([ms]) => ms));
  const isLonger = other.seen?.some(([ms]) => ms > longest) === true;
  const isNews =
    isLonger || isDearer('dearest') || isDearer('perMinute') || isDearer('perMinuteShort');
  const room = isNews ? MOST_KEPT : KEPT_CALLS;
  return {
    sum: sum.toString(),
    calls: (one.calls ?? 0) + (other.calls ?? 0),
    seen: seen.length < room ? [...seen, ...(other.seen ?? [])].slice(0, MOST_KEPT) : seen,
    dearest: Math.max(one.dearest, other.dearest),
    perMinute: highest(one.perMinute, other.perMinute),
    perMinuteShort: highest(one.perMinuteShort, other.perMinuteShort),
  };
}

function highest(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.max(one, other);
}

const SECOND_MS = 1_000;

/** The possible cost of a call of the longest length, as far as calls have shown. */
interface Foreseen {
  /** By the dearest tariff that explains all calls seen: no call costs more. */
  most: number;
  /** By the tariff among them with the longest steps; `most` once the others foresee about as much. */
  likely: number;
}

/**
 * True once a call that lasted had a cost above zero, or one of at least half a minute had any: those that nobody took
 * say nothing about the others, and what a shorter one cost may have been rounded to zero.
 */
export function hasShown(cost: Cost | null): cost is Cost {
  return cost !== null && (cost.perMinute !== null || (cost.perMinuteShort ?? 0) > 0);
}

/** The cost of a call by its talk time, ms, as foreseen by the likely tariff; 0: nobody took it. */
export function priceSeen(cost: Cost): (talkMs: number) => number {
  const byRate = (talkMs: number) => (rateOf(cost) * talkMs) / MINUTE_MS;
  return (talkMs) =>
    talkMs <= 0 ? 0 : (costsUnder(cost, talkMs, 0).next().value ?? byRate(talkMs));
}

/**
 * Foresees what a call of the longest length costs. A tariff is a fee per call, a price per step begun, and a least
 * length. Of those that explain every call seen the dearest is safe, as the true one is among them: what rounding may
 * have hidden in the costs seen counts as a part of them. Calls that none explains (prices by destination) are foreseen
 * by the dearest rate of a call of at least half a minute.
 */
export function foreseenCost(cost: Cost, longestMs: number): Foreseen {
  const { dearest, perMinute, perMinuteShort, seen } = cost;
  const key = JSON.stringify([longestMs, dearest, perMinute, perMinuteShort, seen]);
  const known = foreseen.get(key);
  if (known !== undefined) return known;
  if (foreseen.size >= MOST_REMEMBERED) foreseen.clear();
  const found = foresee(cost, longestMs);
  foreseen.set(key, found);
  return found;
}

/** Claims and forecasts ask the same many times, and an answer takes 0.5 ms: `check` of 300 people 1.5 s, not 14.8 s. */
const foreseen = new Map<string, Foreseen>();
const MOST_REMEMBERED = 100;

function foresee(cost: Cost, longestMs: number): Foreseen {
  const { dearest } = cost;
  const possible = [...costsUnder(cost, longestMs, 0)];
  const [likely] = possible;
  if (likely !== undefined) {
    const most = Math.max(...costsUnder(cost, longestMs, 1), dearest);
    const isKnown = Math.max(...possible) < 1.5 * likely;
    return { most, likely: isKnown ? most : Math.max(likely, dearest) };
  }
  const byRate = Math.max(dearest, rateOf(cost) * Math.ceil(longestMs / MINUTE_MS));
  return { most: byRate, likely: byRate };
}

function rateOf(cost: Cost): number {
  return cost.perMinute ?? cost.perMinuteShort ?? 0;
}

/** Under each tariff that explains all calls seen, the longest steps first; `hidden` 1: with what rounding may hide. */
function* costsUnder(
  { seen = [], dearest }: Cost,
  longestMs: number,
  hidden: 0 | 1,
): Generator<number, undefined> {
  const exact = seen.reduce((most, [, each]) => Math.max(most, placesOf(each)), CENTS);
  const rounding = 0.5 / 10 ** exact + dearest * 1e-9;
  for (const tariff of seen.length === 0 ? [] : TARIFFS) {
    const cost = costUnder(tariff, seen, { longestMs, rounding, hidden: hidden * rounding });
    if (cost !== null) yield cost;
  }
}

interface Tariff {
  stepMs: number;
  /** A shorter call costs as much as one of this length. */
  leastMs: number;
}

/** Steps of each second from a minute down, with and without a least length, and of a millisecond: no steps at all. */
const TARIFFS: readonly Tariff[] = [
  ...Array.from({ length: 60 }, (_, i) => MINUTE_MS - i * SECOND_MS).flatMap((stepMs) =>
    [0, MINUTE_MS / 2, MINUTE_MS]
      .filter((leastMs) => leastMs === 0 || leastMs > stepMs)
      .map((leastMs) => ({ stepMs, leastMs })),
  ),
  { stepMs: 1, leastMs: 0 },
];

/** Costs with fewer decimals are taken as rounded to two. */
const CENTS = 2;

function placesOf(cost: number): number {
  return Math.min(15, /\.(\d+)$/.exec(String(cost))?.[1]?.length ?? 0);
}

/** The most that the longest call costs under a tariff; null: the tariff does not explain the calls. */
function costUnder(
  tariff: Tariff,
  seen: readonly PricedCall[],
  { longestMs, rounding, hidden }: { longestMs: number; rounding: number; hidden: number },
): number | null {
  const steps = (ms: number) =>
    ms <= 0 ? 0 : Math.ceil(Math.max(ms, tariff.leastMs) / tariff.stepMs);
  let [low, high] = [seen[0] ?? [0, 0], seen[0] ?? [0, 0]];
  for (const call of seen) {
    if (steps(call[0]) < steps(low[0])) low = call;
    if (steps(call[0]) > steps(high[0])) high = call;
  }
  const span = steps(high[0]) - steps(low[0]);
  const slope = span === 0 ? 0 : (high[1] - low[1]) / span;
  const fee = low[1] - slope * steps(low[0]);
  // Where the service gives whole seconds, a call was up to a second shorter or longer.
  const off = (ms: number) => (ms % SECOND_MS === 0 ? SECOND_MS - 1 : 0);
  const slack = 2 * rounding;
  // The rounding of the slope counts once for each step of the shortest call.
  const feeSlack = slack + (span === 0 ? 0 : (slack * steps(low[0])) / span);
  if (slope < -slack || fee < -feeSlack - slope * (steps(low[0] + off(low[0])) - steps(low[0])))
    return null;
  const isExplained = seen.every(([ms, cost]) => {
    const from = fee + slope * steps(ms - off(ms));
    return cost >= from - slack && cost <= fee + slope * steps(ms + off(ms)) + slack;
  });
  if (!isExplained) return null;
  const longest = steps(longestMs);
  const least = steps(high[0] - off(high[0]));
  const sure = least - steps(low[0] + off(low[0]));
  const steepest = sure > 0 ? (high[1] - low[1] + slack) / sure : Infinity;
  if (longest <= steps(high[0]))
    return Math.max(hidden, high[1] + (sure > 0 ? steepest * (longest - least) : 0));
  // Neither dearer than by the steepest slope beyond the longest call seen, nor, without a fee, than by its rate.
  const withFee = high[1] + steepest * (longest - least) + 2 * hidden;
  return Math.min(withFee, ((high[1] + hidden) / least) * longest + hidden);
}
