import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { describe, expect, it } from 'vitest';
import { loadZoneCorrections } from '../../../src/config/rules/zone-overrides.ts';
import { numberPlace, zonesOfCountry } from '../../../src/leads/zones/number-zones.ts';
import { overridesInForce, TIME_ZONE_DATA, zoneOffsets } from '../../../src/runtime/time-zones.ts';
import { clockOf, END, NAMES, offsetAt, VERSION, zonesOf, type Clock } from './iana/database.ts';
import { clocksOf, HARDLY_ANYBODY, inhabitedClocksOf, whereabouts } from './iana/judge.ts';
import { numbersOf, REGIONS } from './iana/numbers.ts';

const { since, reaches, overrides } = loadZoneCorrections();
const corrected = zoneOffsets(overrides);
const clocks = (zones: readonly string[]) => new Set(zones.map(clockOf));
const A_LOOK = 20;

describe('the zones of every region', () => {
  it('are those of the country table of the time-zone database, for random numbers of each kind', () => {
    const wrong: object[] = [];
    for (const region of REGIONS) {
      expect(clocks(zonesOfCountry(region))).toEqual(new Set(inhabitedClocksOf(region)));
      const numbers = numbersOf(region, A_LOOK, 35);
      if (numbers.length === 0) wrong.push({ region });
      for (const phone of numbers) {
        const ours = clocks(numberPlace(phone).zones);
        // Toll-free, personal and premium numbers of +1 are nobody's place.
        if (ours.size === 0 && phone.startsWith('+1')) continue;
        const place = whereabouts(phone);
        const missing = place.all ? place.clocks.filter((clock) => !ours.has(clock)) : [];
        const foreign = [...ours].filter((clock) => !clocksOf(countryOf(phone)).includes(clock));
        if (missing.length + foreign.length > 0 || ours.size === 0) wrong.push({ phone, missing: missing.length, foreign: foreign.length, zones: numberPlace(phone).zones });
      }
    }
    expect(wrong).toEqual([]);
  }); // prettier-ignore

  it('leave out only those in which hardly anybody lives', () => {
    const left = REGIONS.flatMap((region) => {
      const ours = clocks(zonesOfCountry(region));
      return zonesOf(region).filter((zone) => !ours.has(clockOf(zone)));
    });
    expect(left.toSorted()).toEqual(HARDLY_ANYBODY.filter((zone) => zone !== 'Antarctica/Macquarie').toSorted());
  }); // prettier-ignore
});

describe('the clock of every zone', () => {
  it('is known up to the version of the extract', () => {
    expect(reaches).toBe(VERSION);
    expect(TIME_ZONE_DATA >= since).toBe(true);
  });

  it('is that of the time-zone database, with corrections, up to 2030', () => {
    const wrong = NAMES.filter((zone) => corrected(zone, Date.now()) !== undefined).flatMap(
      (zone) =>
        momentsOf(clockOf(zone))
          .filter((at) => corrected(zone, at) !== offsetAt(clockOf(zone), at))
          .map((at) => `${zone} ${new Date(at).toISOString()}`),
    );
    expect(wrong).toEqual([]);
  });

  it('is known to Node for every zone of a country, but for those that are too young', () => {
    const unknown = REGIONS.flatMap(zonesOf).filter((zone) => corrected(zone, 0) === undefined);
    expect(unknown.filter((zone) => zone !== 'America/Coyhaique')).toEqual([]);
  });
});

it.each(overridesInForce(overrides, since).filter(({ zone }) => REGIONS.some((region) => zonesOf(region).includes(zone))))(
  'the correction of $zone acts for numbers of its country',
  ({ zone }) => {
    const region = REGIONS.find((each) => zonesOf(each).includes(zone)) ?? 'US';
    const found = numbersOf(region, 400, 8).filter((phone) => {
      return numberPlace(phone).zones.some((each) => clockOf(each) === clockOf(zone));
    });
    expect(found.length).toBeGreaterThan(0);
  },
); // prettier-ignore

function countryOf(phone: string): string {
  return parsePhoneNumberFromString(phone)?.country ?? '';
}

/** Every change of a clock, the last moment before it, and one in each half month. */
function momentsOf(clock: Clock): number[] {
  const HALF_MONTH = 15 * 86_400_000;
  const first = clock[0]?.at ?? 0;
  const far = Array.from({ length: Math.floor((END - first) / HALF_MONTH) }, (_, index) => first + index * HALF_MONTH);
  return [...far, ...clock.flatMap(({ at }) => (at === first ? [at] : [at - 1, at]))];
} // prettier-ignore
