import type { NightList } from '../../app/nights/nights-of.ts';
import type { Nights } from '../contract/results.ts';
import type { Shown } from './shown.ts';

/** The nights of a campaign; its calls from before nights were kept are the one called `before`. */
export function nightsBody(
  { timezone, nights, totals, older }: NightList,
  { name }: Shown,
): Nights {
  const items = nights.map(({ resultsFile, ...night }) => ({
    ...night,
    night: night.night || 'before',
    resultsFile: resultsFile === null ? null : name(resultsFile),
  }));
  return { timezone, items, totals, older };
}
