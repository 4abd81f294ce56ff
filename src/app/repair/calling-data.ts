import { loadZoneOverrides } from '../../config/rules/zone-overrides.ts';
import { HOLIDAYS } from '../../domain/calling/holidays.ts';
import type { ZoneOverride } from '../../domain/calling/policy.ts';
import { overridesInForce, TIME_ZONE_DATA } from '../../runtime/time-zones.ts';

/** What is said of data that decides about hours, and whether calls can rely on it. */
export interface DataState {
  ok: boolean;
  detail: string;
}

/**
 * The version of Node's time-zone data, and every zone that is corrected because that version has it wrong.
 *
 * @throws AppError `RULES_INVALID` where the file of corrections cannot be read: no hours can be decided then
 */
export function zoneData(
  version: string = TIME_ZONE_DATA,
  overrides: readonly ZoneOverride[] = loadZoneOverrides(),
): DataState {
  const corrected = overridesInForce(overrides, version).map(
    ({ zone, from }) => `${zone} is corrected from ${new Date(from).toISOString().slice(0, 10)}`,
  );
  const zones = corrected.length === 0 ? 'no zone needs a correction' : corrected.join(', ');
  return {
    ok: true,
    detail: `Node's time-zone data is ${version}; ${zones} (campaigns/rules/zone-overrides.yaml)`,
  };
}

/** Until when public holidays are known. A rule with holidays keeps its window closed in years after that. */
export function holidayData(now: number): DataState {
  const { from, through } = HOLIDAYS;
  const year = new Date(now).getUTCFullYear();
  const known = `public holidays are known from ${from} to ${through}`;
  if (year >= from && year < through) return { ok: true, detail: known };
  const when = year === through ? `from ${through + 1}-01-01 on` : 'now';
  return {
    ok: year === through,
    detail: `${known}; rules with holidays allow no call ${when}. Next: Update callsheet.`,
  };
}
