import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callingHours } from '../../../src/domain/calling/calling-hours.ts';
import {
  WEEKDAYS,
  type CallingPolicy,
  type CallingRule,
  type DayWindows,
} from '../../../src/domain/calling/policy.ts';
import { zoneKey } from '../../../src/domain/calling/zone-key.ts';
import { zoneOffsets } from '../../../src/runtime/time-zones.ts';

const HOUR = 3_600_000;
const NY = 'America/New_York';
const LA = 'America/Los_Angeles';
const US_48 = [NY, LA, 'America/Chicago', 'America/Denver', 'America/Phoenix'];
const FEDERAL: DayWindows = [[480, 1_260]];
const at = (text: string) => Date.parse(text);
const told = (ms: number | null | undefined) => ms && new Date(ms).toISOString().slice(0, 16);

describe('the next opening', () => {
  it('is open, closed a millisecond before, and closed again from its end on', () => {
    fc.assert(
      fc.property(policies, places, moments, (policy, place, moment) => {
        const ask = (when: number) => callingHours(policy, zoneOffsets([]))(zoneKey(place), when);
        const hours = ask(moment);
        if (hours.open) {
          expect(ask(hours.until - 1).open).toBe(true);
          expect(ask(hours.until).open).toBe(false);
          return;
        }
        const { opensAt, hold } = hours;
        expect(hold.until).toBe(opensAt);
        if (opensAt === null) return;
        expect(ask(opensAt).open).toBe(true);
        expect(opensAt).toBeGreaterThan(moment);
        expect(ask(opensAt - 1).open).toBe(false);
      }),
      { numRuns: 80 },
    );
  });
});

describe('a person who may be in several zones', () => {
  it.each([
    ['New York or Los Angeles', [NY, LA], '2026-07-06T15:00', 10],
    ['the 48 states', US_48, '2026-07-06T15:00', 10],
    ['the 48 states and Alaska', [...US_48, 'America/Anchorage'], '2026-07-06T16:00', 9],
    ['all but the islands of the west', [...US_48, 'Pacific/Honolulu'], '2026-07-06T18:00', 7],
  ])('%s is called only while it is 08-21 in all of them', (_, zones, opens, hours) => {
    const found = ask({ zones, at: '2026-07-06T07:00' });
    expect(told(found.opensAt)).toBe(opens);
    const open = ask({ zones, at: `${opens}:00` });
    expect(open.until).toBe(at(`${opens}:00Z`) + hours * HOUR);
  });
});

describe('a moment before which nobody is called', () => {
  const notBefore = { at: '2026-07-08 12:00', timezone: 'Europe/Berlin' };

  it('opens at it on the clock of the campaign, or with the hours after it', () => {
    const any = { rules: [], notBefore };
    const before = ask({ ...any, at: '2026-07-08T09:59' });
    expect(before).toMatchObject({ open: false, opensAt: at('2026-07-08T10:00:00Z') });
    expect(before.hold).toMatchObject({
      by: 'notBefore',
      why: 'before 2026-07-08 12:00 Europe/Berlin (it is Wed 11:59 in Europe/Berlin)',
    });
    expect(ask({ ...any, at: '2026-07-08T10:00' })).toEqual({ open: true, until: Infinity });
    // At 10:00 it is 06:00 in New York, where calls begin at 08:00.
    const withHours = ask({ notBefore, at: '2026-07-06T15:00' });
    expect(told(withHours.opensAt)).toBe('2026-07-08T12:00');
    expect(ask({ notBefore, at: '2026-07-08T12:00' })).toMatchObject({ open: true });
  });

  it('is the later one of two that its clock shows', () => {
    const twice = { at: '2026-11-01 01:30', timezone: NY };
    const { opensAt } = ask({ rules: [], notBefore: twice, at: '2026-10-31T12:00' });
    expect(told(opensAt)).toBe('2026-11-01T06:30');
  });
});

/** A country alone has the holidays of all its parts: the person may be in any of them. */
describe('public holidays', () => {
  const closed = rule('test', FEDERAL, []);

  it.each([
    ['US', '2026-07-03', true],
    ['GB', '2026-07-03', false],
    ['GB-SCT', '2026-11-30', true],
    ['GB', '2026-11-30', true],
    ['US-RI', '2026-08-10', true],
    ['US-NY', '2026-08-10', false],
    ['XX', '2026-08-10', false],
    ['OM', '2026-11-18', false],
    ['US', '2026-08-10', true],
  ])('of %s close %s: %s', (region, day, isClosed) => {
    const found = ask({ regions: [region], rules: [closed], at: `${day}T16:00` });
    expect(found.open).toBe(!isClosed);
  });

  it('of all regions where a person may be close the day', () => {
    const regions = ['US-NY', 'US-RI'];
    expect(ask({ regions, rules: [closed], at: '2026-08-10T16:00' }).open).toBe(false);
  });

  it('may have hours of their own', () => {
    const afternoon = rule('us-states', FEDERAL, [[780, 1_260]]);
    const asked = { zones: ['America/Chicago'], regions: ['US-NE'], rules: [afternoon] };
    const morning = ask({ ...asked, at: '2026-07-03T15:00' });
    expect(morning.hold).toEqual({
      until: at('2026-07-03T18:00Z'),
      by: 'us-states',
      why: 'a public holiday, 13:00-21:00 (it is Fri 10:00 in America/Chicago)',
    });
    expect(ask({ ...asked, at: '2026-07-03T18:00' }).open).toBe(true);
  });

  it('are not known after the last year of the table, and nobody is called', () => {
    const found = ask({ regions: ['US'], rules: [closed], at: '2029-03-01T16:00' });
    expect(found.hold?.by).toContain('test');
    expect(found.hold?.until).toBeNull();
    expect(found.hold?.why).toContain('the public holidays of US in 2029 are not known');
  });

  it('are said to be not known once, and only of countries and years that no table has', () => {
    const years = [2024, 2025, 2026, 2027, 2028, 2029, 2030];
    const places = [[], ['US'], ['GB'], ['US', 'GB'], ['OM'], ['US', 'OM'], ['US-CA', 'US']];
    const said = years.flatMap((year) =>
      places.flatMap((regions) => {
        const rules = [closed, rule('second', FEDERAL, [])];
        const { hold } = ask({ regions, rules, at: `${year}-03-01T16:00` });
        return hold === undefined ? [] : [{ year, regions, why: hold.why }];
      }),
    );
    const unknown = said.filter(({ why }) => why.includes('not known'));
    expect(new Set(unknown.map(({ year }) => year))).toEqual(new Set(years));
    for (const { year, regions, why } of unknown) {
      expect(why.match(/not known/g)).toHaveLength(1);
      const [, of, in_, from, to] =
        /holidays of (.*) in (\d+) are not known; callsheet knows those of (\d+) to (\d+)/.exec(
          why,
        ) ?? [];
      if (regions.length === 0) {
        expect(why).toContain('it is not known in which country they are');
        expect(why).not.toMatch(/20\d\d/);
        continue;
      }
      expect([in_, of?.includes('OM')]).toEqual([String(year), false]);
      expect(year < Number(from) || year > Number(to)).toBe(true);
    }
  });

  it('are not known for a person without a country', () => {
    const found = ask({ regions: [], rules: [closed], at: '2026-07-07T16:00' });
    expect(found.hold?.why).toContain(
      'any day may be a public holiday, as it is not known in which country they are',
    );
  });
});

describe("the campaign's own holidays", () => {
  const own = { holidays: ['2026-07-07'], at: '2026-07-07T16:00' };

  it.each([
    ['with hours of a rule', [rule('test', FEDERAL)], 'test', '2026-07-08T12:00'],
    ['without any rule', [], 'holidays', '2026-07-08T04:00'],
  ])('close the day %s', (_, rules, by, opens) => {
    const found = ask({ ...own, rules });
    expect([found.hold?.by, told(found.hold?.until)]).toEqual([by, opens]);
    expect(found.hold?.why).toBe(`one of the campaign's holidays (it is Tue 12:00 in ${NY})`);
  });

  it("close the operator's hours of that day, too, and leave nothing else closed without rules", () => {
    const hours = { days: ['tue'], from: 540, to: 1_020, timezone: NY } as const;
    expect(ask({ ...own, rules: [], hours }).hold?.by).toBe('hours');
    expect(ask({ rules: [], hours: null, at: '2026-07-07T03:00' }).until).toBe(Infinity);
  });
});

describe('a person whose zone is not known', () => {
  it('is called in the zones that are assumed, under the holidays of their country', () => {
    const assumed = { zones: [], unknownZones: [NY], unknownRegions: ['US'], rules: [rule('test', FEDERAL, [])] }; // prettier-ignore
    expect(ask({ ...assumed, regions: [], at: '2026-07-06T12:00' }).open).toBe(true);
    expect(ask({ ...assumed, regions: [], at: '2026-07-06T11:59' }).open).toBe(false);
    expect(ask({ ...assumed, regions: [], at: '2026-07-03T16:00' }).open).toBe(false);
  });

  it('and a zone that is none keep everything shut', () => {
    expect(ask({ zones: [], at: '2026-07-06T16:00' }).hold?.by).toBe('zones.unknown');
    const strange = ask({ zones: [NY, '+99:99'], at: '2026-07-06T16:00' });
    expect(strange.hold?.why).toBe("this machine's time-zone data does not know the time zone");
  });
});

describe('what a closed hour is put down to', () => {
  it('is all the rules where they never open together', () => {
    const rules = [rule('early', [[480, 600]]), rule('late', [[1_200, 1_260]])];
    const found = ask({ rules, at: '2026-07-06T12:30' });
    expect(found.hold).toMatchObject({ until: null, by: 'early + late' });
    expect(found.hold?.why).toMatch(/^these hours are never open together: Mon-/);
  });

  it('has the same words in every zone where hours are never open together', () => {
    const rules = [rule('early', [[480, 600]]), rule('late', [[1_200, 1_260]])];
    const why = (zone: string) => ask({ rules, zones: [zone], at: '2026-07-06T12:30' }).hold?.why;
    expect(why('America/Chicago')).toBe(why('Europe/Berlin'));
    const one = ask({ rules: [rule('shut', [])], at: '2026-07-06T12:30' });
    expect(one.hold?.why).toMatch(/^these hours are never open: Mon-/);
  });

  it('is the rule that opens last', () => {
    const rules = [rule('nine', [[540, 1_200]]), rule('ten', [[600, 1_200]])];
    const found = ask({ rules, at: '2026-07-06T11:00' });
    expect(found.hold?.by).toBe('ten');
    expect(told(found.hold?.until)).toBe('2026-07-06T14:00');
    expect(found.hold?.why).toContain('(it is Mon 07:00 in America/New_York)');
  });

  it('is a rule that is open now, where it closes before the others open', () => {
    const split: DayWindows = [[420, 570], [840, 1_200]]; // prettier-ignore
    const rules = [rule('ten', [[600, 1_200]]), rule('siesta', split)];
    const found = ask({ rules, at: '2026-07-06T12:00' });
    expect(found.hold?.by).toBe('siesta');
    expect(told(found.hold?.until)).toBe('2026-07-06T18:00');
    expect(found.hold?.why).toMatch(/^just before it opens: .*\(it is Mon 13:59 in /);
  });
});

it('a rule with stricter hours for a state names both', () => {
  const florida = { ...rule('', [[480, 1_200]]), name: 'x' };
  const rules = [{ ...rule('us-states', FEDERAL), regions: { 'US-FL': florida } }];
  const found = ask({ regions: ['US-FL'], rules, at: '2026-07-07T00:30' });
  expect(found.hold?.by).toBe('us-states US-FL');
});

interface Asked extends Partial<CallingPolicy> {
  zones?: readonly string[];
  regions?: readonly string[];
  /** In UTC. */
  at: string;
}

function ask({ zones = [NY], regions = ['US'], at: moment, ...policy }: Asked) {
  const hoursAt = callingHours({ ...POLICY, ...policy }, zoneOffsets([]));
  const when = moment.length === 16 ? `${moment}:00Z` : `${moment}Z`;
  const hours = hoursAt(zoneKey({ zones, regions }), at(when));
  return hours.open
    ? { open: true, until: hours.until }
    : { open: false, opensAt: hours.opensAt, hold: hours.hold };
}

function rule(name: string, windows: DayWindows, holidays: DayWindows | null = null): CallingRule {
  const week = Object.fromEntries(WEEKDAYS.map((day) => [day, windows])) as Record<(typeof WEEKDAYS)[number], DayWindows>; // prettier-ignore
  const hours = { week, holidays };
  return { name, hours, caps: [], afterConversationMs: null, afterRefusalMs: null, regions: {} };
}

const POLICY: CallingPolicy = {
  rules: [rule('test', FEDERAL)],
  hours: null,
  holidays: [],
  unknownZones: 'skip',
  zoneOverrides: [],
  marginMs: 0,
};

const windows = fc
  .uniqueArray(fc.integer({ min: 0, max: 1_440 }), { minLength: 2, maxLength: 4 })
  .map((ends) => ends.toSorted((a, b) => a - b))
  .map((ends): DayWindows => {
    const pairs: [number, number][] = [];
    for (let i = 0; i + 1 < ends.length; i += 2) pairs.push([ends[i] ?? 0, ends[i + 1] ?? 0]);
    return pairs;
  });
const policies = fc
  .record({
    all: fc.array(fc.tuple(windows, fc.option(windows)), { minLength: 1, maxLength: 3 }),
    marginMs: fc.constantFrom(0, 60_000, 105_000),
  })
  .map(({ all, marginMs }) => ({
    ...POLICY,
    rules: all.map(([days, holidays], index) => rule(`rule-${index}`, days, holidays)),
    marginMs,
  }));
const places = fc.record({
  zones: fc.subarray([NY, LA, 'Asia/Kathmandu', 'Australia/Lord_Howe', 'America/Santiago'], {
    minLength: 1,
    maxLength: 2,
  }),
  regions: fc.constantFrom(['US'], ['US', 'GB'], ['US-RI']),
});
const moments = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2028, 5, 1) });
