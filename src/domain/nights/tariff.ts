import { MINUTE_MS } from '../time-units.ts';
import type { Cost, PricedCall } from './spent.ts';

const SECOND_MS = 1_000;

/** The possible cost of a call of the longest length, as far as calls have shown. */
export interface Foreseen {
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
