import { asMoney, moneyUnits } from '../money.ts';
import { MINUTE_MS } from '../time-units.ts';
import { costIn, foreseenCost, hasShown, priceSeen, pricesIn, sumOf, type Spent } from './spent.ts';

/** The most that the calls of a night, or of a campaign, may use; left out: no limit. */
export interface Budget {
  calls?: number;
  talkMinutes?: number;
  /** `amount` is decimal text above zero, `currency` an ISO 4217 code. */
  cost?: { amount: string; currency: string };
  answered?: number;
}

/** The ends of dialling: each night and, as `total`, for good. */
export interface Stop extends Budget {
  /** A time on the wall in the campaign's zone at which a night's dialling ends: `20:30`. */
  at?: string;
  total?: Budget;
}

/** How many calls may still begin. */
interface Allowance {
  /** Infinity: no budget limits them. */
  more: number;
  /** The budget that allows no more; null: none. */
  limit: Limit | null;
}

export interface Limit {
  /** The key of the campaign file: `stop.calls`, `stop.total.cost`. */
  by: string;
  /** Until when it holds: the next night begins, somebody changes it, or calls in progress have ended. */
  until: 'night' | 'change' | 'calls_end';
  /** A clause for people: `tonight's budget of 500 calls is used up (stop.calls)`. */
  why: string;
}

interface Facts {
  /** With all attempts, also those whose dial is not answered yet, in `calls` and `open`. */
  tonight: Spent;
  campaign: Spent;
  /** No call lasts longer, ms. */
  longestCallMs: number;
  /** True once `at` has passed. */
  isOver: boolean;
}

/**
 * How many more calls may begin so that no budget can be exceeded by any outcome of the calls in progress: each of them
 * counts as made and answered, as long as the longest call, and as expensive as such a call under the dearest tariff
 * that explains the settled calls of the campaign. Until a cost is known there is one call at a time; until the tariff
 * is known, as many at once as have a cost, where that tariff would allow none.
 */
export function allowanceOf({ total, at, ...night }: Stop, facts: Facts): Allowance {
  const why = `tonight's dialling has ended at ${at ?? ''} (stop.at)`;
  const over: Allowance = { more: 0, limit: { by: 'stop.at', until: 'night', why } };
  return [
    ...(facts.isOver ? [over] : []),
    ...limits(night, { ...facts, spent: facts.tonight, isTotal: false }),
    ...limits(total ?? {}, { ...facts, spent: facts.campaign, isTotal: true }),
  ].reduce(stricter, { more: Infinity, limit: null });
}

/** Of two equal allowances, the one that holds for longer. */
function stricter(one: Allowance, other: Allowance): Allowance {
  if (one.more !== other.more) return one.more < other.more ? one : other;
  const rank = ({ limit }: Allowance) =>
    limit === null ? -1 : ['calls_end', 'night', 'change'].indexOf(limit.until);
  return rank(other) > rank(one) ? other : one;
}

interface Scope extends Facts {
  spent: Spent;
  isTotal: boolean;
}

function limits(budget: Budget, scope: Scope): Allowance[] {
  const { calls, answered, talkMinutes, cost } = budget;
  return [
    ...(calls === undefined ? [] : [callsLeft(calls, scope)]),
    ...(answered === undefined ? [] : [answersLeft(answered, scope)]),
    ...(talkMinutes === undefined ? [] : [talkLeft(talkMinutes, scope)]),
    ...(cost === undefined ? [] : [costLeft(cost, scope)]),
  ];
}

function callsLeft(limit: number, scope: Scope): Allowance {
  const { calls, open } = scope.spent;
  const going = open === 0 ? '' : `, with ${open} in progress`;
  return allow(limit - calls, scope, 'calls', `${count(limit, 'call')} is used up${going}`);
}

function answersLeft(limit: number, scope: Scope): Allowance {
  const { answered, open, stuck } = scope.spent;
  const maybe = open + stuck;
  const also = maybe === 0 ? '' : `, as ${maybe} whose end is not known may be answered`;
  const why = `${count(limit, 'answered call')} is used up${also}`;
  return allow(limit - answered - maybe, scope, 'answered', why);
}

function talkLeft(limit: number, scope: Scope): Allowance {
  const { spent, longestCallMs } = scope;
  const maybe = spent.open + spent.stuck;
  const leftMs = limit * MINUTE_MS - spent.talkMs - maybe * longestCallMs;
  const left = `leaves ${minutes(Math.max(0, leftMs))}, and a call may last ${minutes(longestCallMs)}`;
  const why = `${count(limit, 'talk minute')} ${left}${reserved(maybe)}`;
  return allow(Math.floor(leftMs / longestCallMs), scope, 'talkMinutes', why);
}

function costLeft({ amount, currency }: NonNullable<Budget['cost']>, scope: Scope): Allowance {
  const { spent, campaign, longestCallMs } = scope;
  const foreign = Object.keys(campaign.costs).find((known) => known !== '' && known !== currency);
  if (foreign !== undefined) {
    const why = `${amount} ${currency} cannot be kept, as calls cost ${foreign}`;
    return { more: 0, limit: limitOf(scope, 'cost', why, 'change') };
  }
  const prices = pricesIn(campaign, currency);
  const left = moneyUnits(amount) - moneyUnits(costIn(spent, currency));
  const maybe = spent.open + spent.stuck;
  const isPriced = hasShown(prices);
  if (!isPriced && campaign.unpriced > 0) {
    const unpriced = count(campaign.unpriced, 'call');
    const why = `${amount} ${currency} cannot be kept, as the service did not say what ${unpriced} cost`;
    return { more: 0, limit: limitOf(scope, 'cost', why, 'change') };
  }
  const oneByOne = left > 0n ? 1 - maybe : 0;
  if (!isPriced) {
    const why = `${amount} ${currency} lets one call begin at a time until it is known what a call costs`;
    return allow(oneByOne, scope, 'cost', why);
  }
  const foreseen = foreseenCost(prices, longestCallMs);
  const at = (price: number) => {
    const units = moneyUnits(asMoney(price) ?? String(Number.MAX_SAFE_INTEGER));
    const free = left - BigInt(maybe + spent.unpriced) * units;
    const more = units > 0n ? Number(free / units) : free > 0n ? Infinity : 0;
    return { price, free: Math.max(0, Number(free) / 1e30), more };
  };
  const sure = at(foreseen.most);
  const likely = at(foreseen.likely);
  const isFree = prices.dearest === 0;
  const trials = Math.min(likely.more, (prices.calls ?? 0) - spent.open);
  const { more, free, price } =
    sure.more >= 1 ? sure : { ...likely, more: isFree ? oneByOne : trials };
  const why = `${amount} ${currency} leaves ${money(free)}, and a call may cost ${money(price)}${reserved(maybe)}`;
  return allow(more, scope, 'cost', why);
}

function allow(more: number, scope: Scope, key: keyof Budget, why: string): Allowance {
  const { spent, isTotal } = scope;
  const until = spent.open > 0 ? 'calls_end' : isTotal ? 'change' : 'night';
  return { more: Math.max(0, more), limit: limitOf(scope, key, why, until) };
}

function limitOf({ isTotal }: Scope, key: keyof Budget, why: string, until: Limit['until']): Limit {
  const by = isTotal ? `stop.total.${key}` : `stop.${key}`;
  const whose = isTotal ? "the campaign's" : "tonight's";
  return { by, until, why: `${whose} budget of ${why} (${by})` };
}

function reserved(calls: number): string {
  return calls === 0 ? '' : `; ${count(calls, 'call')} whose end is not known ${calls === 1 ? 'has' : 'have'} as much reserved`; // prettier-ignore
}

function count(number: number, what: string): string {
  return `${number.toLocaleString('en-US')} ${what}${number === 1 ? '' : 's'}`;
}

/** Rounded down, so that the rest is never stated too high. */
function minutes(ms: number): string {
  return String(Math.floor((ms / MINUTE_MS) * 10) / 10);
}

function money(amount: number): string {
  return String(Number(amount.toPrecision(3)));
}

/** The cost of a call by its talk time, ms; 0: nobody took it. */
export type Price = (talkMs: number) => number;

/** @param perCall a fee besides, for each call that somebody took */
export function perBegunMinute(perMinute: number, perCall = 0): Price {
  return (talkMs) => (talkMs <= 0 ? 0 : perCall + perMinute * Math.ceil(talkMs / MINUTE_MS));
}

/** The price of a begun minute that is assumed until a call has shown its cost; in the currency of the budget. */
export const USUAL_PER_MINUTE = 0.12;

/** The price that a rehearsal or a forecast uses. */
export interface ForeseenPrice {
  /** `campaign`: as its calls have cost; `usual`: `USUAL_PER_MINUTE`. */
  by: 'campaign' | 'usual';
  of: Price;
  currency: string;
}

/** @returns null: no budget of money is set, so that costs change nothing */
export function foreseenPrice(
  stop: Stop | undefined,
  nights: Iterable<Spent>,
): ForeseenPrice | null {
  const currency = (stop?.cost ?? stop?.total?.cost)?.currency;
  if (currency === undefined) return null;
  const seen = pricesIn(sumOf(nights), currency);
  if (hasShown(seen)) return { by: 'campaign', of: priceSeen(seen), currency };
  return { by: 'usual', of: perBegunMinute(USUAL_PER_MINUTE), currency };
}

/**
 * How campaigns share the slots of a service. Each call that a campaign begins while others are short of slots adds 1 /
 * weight to its use, and a free slot goes to the campaign with the least use: over many calls each campaign begins its
 * weight's share. A campaign that needs less leaves the rest to the others.
 */

/** A campaign that is short of a service's slots. */
export interface Contender {
  id: string;
  /** 1 to 100. */
  weight: number;
  /** Calls begun beside others that were short, each as 1 / weight. */
  used: number;
  /** How many slots more it could use now. */
  wants: number;
}

/** A campaign that has asked for no slot for so long leaves its share to the others. */
export const CONTENDS_FOR_MS = 2_000;

/**
 * The most calls by which a campaign may be behind after needing less than its share, or ahead after taking idle slots.
 */
const MOST_APART = 32;

/**
 * How many calls a campaign counts as having made when it and others want slots: not asking earns nothing for later,
 * and slots that nobody else wanted soon stop counting against it.
 * @param isNew true: the campaign has not asked within CONTENDS_FOR_MS
 */
export function usedBeside(own: Contender, others: readonly Contender[], isNew: boolean): number {
  if (others.length === 0) return own.used;
  const least = Math.min(...others.map(({ used }) => used));
  // A call of a campaign with a small weight takes it far ahead, and the others follow call by call.
  const oneCall = Math.max(...others.map(({ weight }) => 1 / weight));
  if (isNew) return least;
  const lowest = least - oneCall - MOST_APART / own.weight;
  const highest = least + (1 + MOST_APART) / own.weight;
  return Math.min(Math.max(own.used, lowest), highest);
}

/**
 * How many of the free slots a campaign may take now, at most what it wants, if each slot goes to the campaign with the
 * least use that wants one.
 */
export function slotsFor(own: Contender, others: readonly Contender[], free: number): number {
  const all = [own, ...others].map((contender) => ({ ...contender }));
  let taken = 0;
  for (let slot = 0; slot < free && taken < own.wants; slot += 1) {
    const next = all
      .filter(({ wants }) => wants > 0)
      .reduce((first, other) => (isBefore(other, first) ? other : first));
    next.used += 1 / next.weight;
    next.wants -= 1;
    if (next.id === own.id) taken += 1;
  }
  return taken;
}

function isBefore(one: Contender, other: Contender): boolean {
  if (one.used !== other.used) return one.used < other.used;
  return one.weight !== other.weight ? one.weight > other.weight : one.id < other.id;
}
