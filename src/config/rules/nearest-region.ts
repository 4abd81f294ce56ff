import { HOLIDAY_REGIONS } from '../../domain/calling/holidays.ts';
import { nearest } from '../../text/nearest.ts';

/** Nearly any two letters are one letter away from some country, so that a suggestion would be a guess. */
const SHORTEST_TO_MISSPELL = 4;

/**
 * The ISO 3166 code that was probably meant: `FL` as US-FL, `on` as CA-ON, `UK` as GB, else the nearest one.
 * Undefined where none is near.
 */
export function nearestRegion(region: string): string | undefined {
  const typed = region.toUpperCase();
  if (typed === 'UK') return 'GB';
  const state = HOLIDAY_REGIONS.find((one) => one === typed || one.endsWith(`-${typed}`));
  if (state !== undefined || typed.length < SHORTEST_TO_MISSPELL) return state;
  return nearest(typed, HOLIDAY_REGIONS);
}
