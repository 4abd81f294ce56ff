import { expect, it } from 'vitest';
import { loadZoneOverrides } from '../../../src/config/rules/zone-overrides.ts';
import { callingHours } from '../../../src/domain/calling/calling-hours.ts';
import type { CallingPolicy, DayWindows } from '../../../src/domain/calling/policy.ts';
import { hasZone } from '../../../src/domain/calling/zone-key.ts';
import { placeOfPerson } from '../../../src/leads/zones/place-of-person.ts';
import { zoneOffsets } from '../../../src/runtime/time-zones.ts';
import { offsetAt, VERSION, type Clock } from '../../leads/zones/iana/database.ts';
import { whereabouts, type Whereabouts } from '../../leads/zones/iana/judge.ts';
import { numbersOf, REGIONS } from '../../leads/zones/iana/numbers.ts';

/*
 * Random numbers of every region, in every quarter of an hour of some weeks, judged by the time-zone database as Debian
 * ships it. `npm run every-region` takes 1,000 numbers of each region, and prints how many were judged.
 */

const NUMBERS = Number(process.env['EVERY_REGION'] ?? 6);
const SEED = Number(process.env['PROPERTY_SEED'] ?? 1);
const QUARTER = 900_000;
const WEEK = 7 * 86_400_000;
/** Weeks in which clocks change, in North America, the European Union and Chile, or where Node's data has them wrong. */
const WEEKS = ['2026-10-29', '2026-11-30', '2027-02-08', '2027-03-25', '2027-04-01', '2027-11-04'];
const [OPENS, CLOSES] = [8 * 60, 21 * 60];

it('nobody may be called outside hours in any region, by a computation that knows neither our tables nor Node’s clocks', () => {
  const hoursAt = callingHours(everyDay([[OPENS, CLOSES]]), zoneOffsets(loadZoneOverrides()));
  const wrong: string[] = [];
  const quiet = new Set<string>(REGIONS);
  let [calls, numbers] = [0, 0];
  for (const [key, { zoneKey, place, phones, regions }] of groups()) {
    numbers += phones.length;
    for (const at of WEEKS.flatMap(quartersFrom)) {
      if (!hoursAt(zoneKey, at).open) continue;
      calls += phones.length;
      for (const region of regions) quiet.delete(region);
      if (!isAllowed(place, at)) wrong.push(`${phones[0]} ${new Date(at).toISOString()} ${key}`);
    }
  }
  if (process.env['EVERY_REGION'] !== undefined) {
    process.stdout.write(
      `${numbers} numbers of ${REGIONS.length} regions, ${calls} calls, ${wrong.length} outside hours by ${VERSION}\n`,
    );
  }
  expect(wrong.slice(0, 20)).toEqual([]);
  // Everywhere somebody may be called at some time.
  expect([...quiet]).toEqual([]);
  expect(numbers).toBeGreaterThan(REGIONS.length * NUMBERS * 0.7);
}, 1_800_000); // prettier-ignore

it('a call outside hours would be found', () => {
  const [algiers, gander] = [whereabouts('+213551234567'), whereabouts('+17095550100')];
  expect(isAllowed(algiers, Date.parse('2026-12-01T06:55:00Z'))).toBe(false);
  expect(isAllowed(algiers, Date.parse('2026-12-01T07:05:00Z'))).toBe(true);
  expect(isAllowed(gander, Date.parse('2026-12-01T10:55:00Z'))).toBe(false);
  const havana = whereabouts('+5351234567');
  expect(isAllowed(havana, Date.parse('2026-12-01T12:05:00Z'))).toBe(true);
  expect(isAllowed(havana, Date.parse('2026-12-02T01:05:00Z'))).toBe(false);
});

interface Group {
  zoneKey: string;
  place: Whereabouts;
  phones: string[];
  regions: Set<string>;
}

/** Numbers that are judged alike: the same place by us, and the same by the database. */
function groups(): Map<string, Group> {
  const ids = new Map<Clock, number>();
  const idOf = (clock: Clock) => {
    const id = ids.get(clock) ?? ids.size;
    ids.set(clock, id);
    return id;
  };
  const found = new Map<string, Group>();
  for (const region of REGIONS) {
    for (const phone of numbersOf(region, NUMBERS, SEED)) {
      const { zoneKey } = placeOfPerson({ phone });
      if (!hasZone(zoneKey)) continue;
      const place = whereabouts(phone);
      const key = `${zoneKey} ${place.all ? 'all' : 'one'} ${place.clocks.map(idOf).join()}`;
      const group = found.get(key) ?? { zoneKey, place, phones: [], regions: new Set() };
      group.regions.add(region);
      group.phones.push(phone);
      found.set(key, group);
    }
  }
  return found;
}

function quartersFrom(day: string): number[] {
  const from = Date.parse(`${day}T00:00:00Z`);
  return Array.from({ length: WEEK / QUARTER }, (_, index) => from + index * QUARTER);
}

function isAllowed({ clocks, all }: Whereabouts, at: number): boolean {
  const isOpen = (clock: Clock) => {
    const minute = ((at + offsetAt(clock, at)) / 60_000) % 1_440;
    return minute >= OPENS && minute < CLOSES;
  };
  return all ? clocks.every(isOpen) : clocks.some(isOpen);
}

function everyDay(windows: DayWindows): CallingPolicy {
  const week = { mon: windows, tue: windows, wed: windows, thu: windows, fri: windows, sat: windows, sun: windows }; // prettier-ignore
  const limits = { hours: { week, holidays: null }, caps: [], afterConversationMs: null, afterRefusalMs: null };
  return {
    rules: [{ name: 'every-day', ...limits, regions: {} }],
    hours: null,
    holidays: [],
    unknownZones: 'skip',
    zoneOverrides: loadZoneOverrides(),
    marginMs: 0,
  };
} // prettier-ignore
