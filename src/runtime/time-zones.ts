import type { OffsetAt } from '../domain/calling/local-days.ts';
import type { ZoneOverride } from '../domain/calling/policy.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../domain/time-units.ts';

/** The version of the time-zone data that Node carries, e.g. `2025c`. */
export const TIME_ZONE_DATA = process.versions['tz'] ?? 'unknown';

/** Zones change their offset only at full quarters of an hour. */
const QUARTER_MS = 15 * MINUTE_MS;
const QUARTERS_A_DAY = DAY_MS / QUARTER_MS;
/** Days that are remembered of each zone; a look a year ahead needs about 800. */
const MOST_DAYS = 2_000;

/**
 * Offsets of zones by Node's data, corrected by overrides; also of fixed offsets such as `+05:30`. Asks Intl once a day
 * and zone, and more often only on days on which clocks change.
 * @param version the version of Node's data; overrides that it contains already do nothing
 */
export function zoneOffsets(
  overrides: readonly ZoneOverride[],
  version: string = TIME_ZONE_DATA,
): OffsetAt {
  const inForce = overridesInForce(overrides, version);
  const zones = new Map<string, (at: number) => number | undefined>();
  const offsetAt: OffsetAt = (zone, at) => {
    let ofZone = zones.get(zone);
    if (ofZone === undefined) {
      // Zones have several names: `Canada/Pacific` is America/Vancouver.
      const isSame = (name: string) => name === zone || nameOf(name) === nameOf(zone);
      const own = inForce.filter((each) => isSame(each.zone));
      ofZone = corrected(fixedOffset(zone) ?? offsetsOf(zone), own, offsetAt);
      zones.set(zone, ofZone);
    }
    return ofZone(at);
  };
  return offsetAt;
}

/** The overrides that Node's data does not contain yet; all of them where its version is no version such as `2026a`. */
export function overridesInForce(
  overrides: readonly ZoneOverride[],
  version: string = TIME_ZONE_DATA,
): ZoneOverride[] {
  const isVersion = /^\d{4}[a-z]+$/.test(version);
  return overrides.filter(({ fixedIn }) => !isVersion || version < fixedIn);
}

function corrected(
  offsetAt: (at: number) => number | undefined,
  overrides: readonly ZoneOverride[],
  offsetOf: OffsetAt,
): (at: number) => number | undefined {
  if (overrides.length === 0) return offsetAt;
  const latestFirst = overrides.toSorted((a, b) => b.from - a.from);
  return (at) => {
    const found = latestFirst.find(({ from, until = Infinity }) => at >= from && at < until);
    if (found === undefined) return offsetAt(at);
    const { offsetMs } = found;
    return typeof offsetMs === 'number' ? offsetMs : offsetOf(offsetMs.sameAs, at);
  };
}

/** No place on earth is further from UTC. */
const MOST_OFFSET_MS = 14 * HOUR_MS;

/** `+05:30`, at most 14 hours either way; what is written so and means no such offset is no zone. */
function fixedOffset(zone: string): ((at: number) => number | undefined) | undefined {
  const [, sign, hours, minutes] = /^([+-])(\d{2}):(\d{2})$/.exec(zone) ?? [];
  if (sign === undefined) return undefined;
  const ms = Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS;
  if (Number(minutes) >= 60 || ms > MOST_OFFSET_MS) return () => undefined;
  return () => (sign === '-' ? -ms : ms);
}

const offsetsOf = remembered(readOffsets);

function readOffsets(zone: string): (at: number) => number | undefined {
  const format = formatOf(zone);
  if (format === undefined) return () => undefined;
  /** The offset of a whole day, or null where it changes within the day. */
  const days = new Map<number, number | null>();
  const quarters = new Map<number, number>();
  const ofQuarter = (quarter: number) => {
    let offset = quarters.get(quarter);
    if (offset === undefined) {
      if (quarters.size >= MOST_DAYS) quarters.clear();
      offset = offsetIn(format.format(quarter * QUARTER_MS));
      quarters.set(quarter, offset);
    }
    return offset;
  };
  return (at) => {
    const day = Math.floor(at / DAY_MS);
    let offset = days.get(day);
    if (offset === undefined) {
      if (days.size >= MOST_DAYS) days.clear();
      const start = ofQuarter(day * QUARTERS_A_DAY);
      offset = ofQuarter((day + 1) * QUARTERS_A_DAY) === start ? start : null;
      days.set(day, offset);
    }
    return offset ?? ofQuarter(Math.floor(at / QUARTER_MS));
  };
}

function formatOf(zone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  } catch {
    return undefined;
  }
}

/** Reads the end of `1/5/2026, GMT-05:00`; `GMT` alone is an offset of zero. */
function offsetIn(text: string): number {
  const [, sign, hours = '0', minutes = '0', seconds = '0'] =
    /GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/.exec(text) ?? [];
  const ms = Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS + Number(seconds) * 1_000;
  return sign === '-' ? -ms : ms;
}

const nameOf = remembered((zone: string) => formatOf(zone)?.resolvedOptions().timeZone ?? zone);

/** More names than there are zones: the others come from mistakes in lists. */
const MOST_NAMES = 1_000;

/**
 * Computes a value once for each name of a zone: a format of Intl takes 5 kB, which V8 does not count as its memory.
 */
function remembered<T>(of: (zone: string) => T): (zone: string) => T {
  const known = new Map<string, T>();
  return (zone) => {
    const before = known.get(zone);
    if (before !== undefined) return before;
    if (known.size >= MOST_NAMES) known.clear();
    const made = of(zone);
    known.set(zone, made);
    return made;
  };
}
