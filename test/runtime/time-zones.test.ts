import { describe, expect, it, onTestFinished } from 'vitest';
import type { ZoneOverride } from '../../src/domain/calling/policy.ts';
import { overridesInForce, zoneOffsets } from '../../src/runtime/time-zones.ts';

const HOUR = 3_600_000;
const FROM = Date.UTC(2026, 10, 1, 9);

function override(zone: string, from: number, hours: number, fixedIn = '2026a'): ZoneOverride {
  return { zone, from, offsetMs: hours * HOUR, fixedIn };
}

describe('offsets of zones', () => {
  it('follow a change of the clocks to the millisecond', () => {
    const offsetAt = zoneOffsets([]);
    const change = Date.UTC(2026, 2, 8, 7);
    expect(offsetAt('America/New_York', change - 1)).toBe(-5 * HOUR);
    expect(offsetAt('America/New_York', change)).toBe(-4 * HOUR);
  });

  it.each([
    ['Asia/Kathmandu', 5.75],
    ['Australia/Lord_Howe', 10.5],
    ['Pacific/Chatham', 12.75],
    ['Pacific/Apia', 13],
    ['+05:30', 5.5],
    ['-03:30', -3.5],
  ])('of %s are %d hours in July', (zone, hours) => {
    expect(zoneOffsets([])(zone, Date.UTC(2026, 6, 1))).toBe(hours * HOUR);
  });

  it.each(['+14:01', '+15:00', '-99:99', '+99:99', '+05:60'])('are not known for %s', (zone) => {
    expect(zoneOffsets([])(zone, FROM)).toBeUndefined();
  });

  it.each([
    ['+14:00', 14],
    ['-14:00', -14],
  ])('%s is the furthest from UTC', (zone, hours) => {
    // prettier-ignore
    expect(zoneOffsets([])(zone, FROM)).toBe(hours * HOUR);
  });

  it('are not known for a zone that the data does not have', () => {
    expect(zoneOffsets([])('Mars/Olympus', FROM)).toBeUndefined();
  });
});

describe('overrides of time-zone data', () => {
  const zone = 'America/Vancouver';

  it('hold from their moment on, also under another name of the zone', () => {
    const offsetAt = zoneOffsets([override(zone, FROM, -7)], '2025c');
    const winter = Date.UTC(2026, 11, 1);
    expect(offsetAt(zone, Date.UTC(2026, 0, 15))).toBe(-8 * HOUR);
    expect(offsetAt(zone, FROM)).toBe(-7 * HOUR);
    expect(offsetAt('Canada/Pacific', winter)).toBe(-7 * HOUR);
    expect(offsetAt('America/Los_Angeles', winter)).toBe(-8 * HOUR);
  });

  it('of one zone follow each other, in whatever order they are given', () => {
    const later = FROM + 1_000 * HOUR;
    const offsetAt = zoneOffsets([override(zone, FROM, -7), override(zone, later, -6)], '2025c');
    expect(offsetAt(zone, later - 1)).toBe(-7 * HOUR);
    expect(offsetAt(zone, later)).toBe(-6 * HOUR);
  });

  it('end where they say, and Node’s data holds again', () => {
    const until = Date.UTC(2027, 10, 7, 9);
    const offsetAt = zoneOffsets(
      [{ ...override('America/Los_Angeles', FROM, -7), until }],
      '2025c',
    );
    expect(offsetAt('America/Los_Angeles', until - 1)).toBe(-7 * HOUR);
    expect(offsetAt('America/Los_Angeles', until)).toBe(-8 * HOUR);
  });

  it('may keep the clock of another zone, corrected as well', () => {
    const same = { ...override('Europe/Chisinau', 0, 0), offsetMs: { sameAs: zone } };
    const offsetAt = zoneOffsets([same, override(zone, FROM, -7)], '2025c');
    expect(offsetAt('Europe/Chisinau', FROM - 1)).toBe(-7 * HOUR);
    expect(offsetAt('Europe/Chisinau', Date.UTC(2026, 1, 1))).toBe(-8 * HOUR);
    expect(offsetAt('Europe/Chisinau', Date.UTC(2027, 1, 1))).toBe(-7 * HOUR);
  });

  it.each([
    ['2025c', true],
    ['2026a', false],
    ['2026b', false],
    ['2030a', false],
    ['unknown', true],
  ])('fixed in 2026a are in force with data %s: %s', (version, inForce) => {
    const one = override(zone, FROM, -7);
    expect(overridesInForce([one], version)).toEqual(inForce ? [one] : []);
  });
});

describe('formats of Intl', () => {
  it('are made once for a zone in a process, however often its offsets are asked', () => {
    const Format = Intl.DateTimeFormat;
    let made = 0;
    class Counted extends Format {
      constructor(...given: ConstructorParameters<typeof Format>) {
        super(...given);
        made += 1;
      }
    }
    Object.defineProperty(Intl, 'DateTimeFormat', { value: Counted });
    onTestFinished(() => {
      Object.defineProperty(Intl, 'DateTimeFormat', { value: Format });
    });
    const overrides = [override('Canada/Eastern', FROM, -4, '9999a')];
    for (let call = 0; call < 1_000; call++) zoneOffsets(overrides)('America/Nome', FROM + call);

    expect(made).toBeGreaterThan(0);
    expect(made).toBeLessThan(10);
  });
});
