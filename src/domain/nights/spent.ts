import { MoneySum } from '../money.ts';
import { MINUTE_MS } from '../time-units.ts';
import type { LeadResult } from '../lead.ts';

/** What the calls of a night, or of a whole campaign, have used; released attempts are not in it. */
export interface Spent {
  /** Calls begun: dials that were not released. */
  calls: number;
  /** Those whose end is not known yet: in progress, or perhaps. */
  open: number;
  /** Those whose end may never be known: `unconfirmed` and `no_result`. */
  stuck: number;
  answered: number;
  /** Talk time of settled calls, ms; where the service gave none, the longest that it can have been. */
  talkMs: number;
  /** Settled calls that lasted, and for which the service named no cost. */
  unpriced: number;
  /** By currency; `''`: the service named none. */
  costs: Readonly<Record<string, Cost>>;
}

/** What settled calls have cost in one currency. */
export interface Cost {
  /** Decimal text, see `MoneySum`. */
  sum: string;
  /** The dearest call. */
  dearest: number;
  /** The highest cost per minute of a call of at least half a minute; null: there was none. */
  perMinute: number | null;
  /** The same of shorter calls, which cost much per minute where a service bills whole minutes. */
  perMinuteShort: number | null;
}

/** What a settled call adds. */
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

/** What was used after one more settled call; the counts of calls are the caller's. */
export function withSettled<S extends Pick<Spent, 'answered' | 'talkMs' | 'unpriced' | 'costs'>>(
  spent: S,
  call: SettledCall,
): S {
  const { result, durationMs, atMostMs, cost, currency } = call;
  const talkMs = durationMs ?? (SILENT.includes(result) ? 0 : atMostMs);
  const before = spent.costs[currency ?? ''];
  return {
    ...spent,
    answered: spent.answered + (result === 'answered' ? 1 : 0),
    talkMs: spent.talkMs + talkMs,
    unpriced: spent.unpriced + (cost === null && talkMs > 0 ? 1 : 0),
    ...(cost !== null && {
      costs: { ...spent.costs, [currency ?? '']: joinedCost(before, costOf(cost, talkMs)) },
    }),
  };
}

/** What several nights have used together. */
export function sumOf(nights: Iterable<Spent>): Spent {
  let sum = NOTHING_SPENT;
  for (const night of nights) {
    const costs: Record<string, Cost> = { ...sum.costs };
    for (const [currency, cost] of Object.entries(night.costs)) {
      costs[currency] = joinedCost(costs[currency], cost);
    }
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

/** Some services write what was spent as a negative amount: a budget must not grow by it. */
function costOf(amount: string, talkMs: number): Cost {
  const sum = amount.replace(/^-/, '');
  const cost = Number(sum);
  const perMinute = talkMs > 0 ? (cost * MINUTE_MS) / talkMs : null;
  const isShort = talkMs < SHORT_MS;
  return {
    sum,
    dearest: cost,
    perMinute: isShort ? null : perMinute,
    perMinuteShort: isShort ? perMinute : null,
  };
}

function joinedCost(one: Cost | undefined, other: Cost): Cost {
  if (one === undefined) return other;
  const sum = new MoneySum();
  sum.add(one.sum);
  sum.add(other.sum);
  return {
    sum: sum.toString(),
    dearest: Math.max(one.dearest, other.dearest),
    perMinute: highest(one.perMinute, other.perMinute),
    perMinuteShort: highest(one.perMinuteShort, other.perMinuteShort),
  };
}

function highest(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.max(one, other);
}
