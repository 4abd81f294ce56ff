import { MoneySum } from '../money.ts';
import { MINUTE_MS } from '../time-units.ts';
import type { LeadResult } from '../lead.ts';
import { own } from '../safe-text.ts';

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
export type PricedCall = readonly [ms: number, cost: number];

/** The cost of settled calls in one currency. */
export interface Cost {
  /** Decimal text, see `MoneySum`. */
  sum: string;
  /** How many calls cost more than zero; left out in rows from before it was counted. */
  calls?: number;
  /** Single calls: the first ones, and later ones that were dearer or longer; left out as `calls` is. */
  seen?: readonly PricedCall[];
  /** The dearest call. */
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
