import type { NightList } from '../../app/nights/nights-of.ts';
import type { Nights } from '../contract/results.ts';

/** The nights of a campaign; its calls from before nights were kept are the one called `before`. */
export function nightsBody({ timezone, nights, totals, older }: NightList): Nights {
  const items = nights.map((night) => ({ ...night, night: night.night || 'before' }));
  return { timezone, items, totals, older };
}
