import { DAY_MS, HOUR_MS } from '../../domain/time-units.ts';
import type { CampaignSettings } from '../../domain/campaign.ts';
import { zoneOffsets } from '../../runtime/time-zones.ts';

const offsetAt = zoneOffsets([]);

/** The night that a moment belongs to: the local date in the campaign's zone, `2026-01-05`. */
export function nightOf(at: number, { timezone }: Pick<CampaignSettings, 'timezone'>): string {
  return new Date(at + (offsetAt(timezone, at) ?? 0)).toISOString().slice(0, 10);
}

/** When the night of a moment began, and when the next one does, epoch ms. */
export function nightAround(
  at: number,
  settings: Pick<CampaignSettings, 'timezone'>,
): { from: number; before: number } {
  const from = midnightBefore(at, settings);
  // No day has less than 23 hours or more than 25.
  return { from, before: midnightBefore(from + 36 * HOUR_MS, settings) };
}

function midnightBefore(at: number, { timezone }: Pick<CampaignSettings, 'timezone'>): number {
  const local = at + (offsetAt(timezone, at) ?? 0);
  const midnight = Math.floor(local / DAY_MS) * DAY_MS;
  const guess = midnight - (local - at);
  // The clocks may have been changed since midnight.
  return midnight - (offsetAt(timezone, guess) ?? 0);
}
