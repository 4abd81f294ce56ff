import { nightAt, type NightSettings } from '../../domain/nights/night.ts';
import { zoneOffsets } from '../../runtime/time-zones.ts';

const offsetAt = zoneOffsets([]);

/** The date of the night that a moment belongs to: `2026-01-05`. */
export function nightOf(at: number, settings: NightSettings): string {
  return nightAt(at, settings, offsetAt).date;
}

/** When the night of a moment began, and when the next one does, epoch ms. */
export function nightAround(at: number, settings: NightSettings): { from: number; before: number } {
  const { beginsAt, endsAt } = nightAt(at, settings, offsetAt);
  return { from: beginsAt, before: endsAt };
}
