import { MINUTE_MS } from '../time-units.ts';
import type { Stop } from './budget.ts';
import { pricesIn, sumOf, type Spent } from './spent.ts';
import { hasShown, priceSeen } from './tariff.ts';

/** What a call costs by its talk time, ms; 0: nobody took it. */
export type Price = (talkMs: number) => number;

/** @param perCall a fee besides, for each call that somebody took */
export function perBegunMinute(perMinute: number, perCall = 0): Price {
  return (talkMs) => (talkMs <= 0 ? 0 : perCall + perMinute * Math.ceil(talkMs / MINUTE_MS));
}

/** What each begun minute costs where no call has shown its cost; in the currency of the budget. */
export const USUAL_PER_MINUTE = 0.12;

/** By what price a rehearsal or a forecast counts. */
export interface ForeseenPrice {
  /** `campaign`: as its calls have cost; `usual`: `USUAL_PER_MINUTE`. */
  by: 'campaign' | 'usual';
  of: Price;
  /** That of the budget. */
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
