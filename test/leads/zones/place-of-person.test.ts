import { describe, expect, it, test } from 'vitest';
import { placeOf } from '../../../src/domain/calling/zone-key.ts';
import type { E164 } from '../../../src/domain/phone.ts';
import {
  placeOfPerson,
  WINDOWS_ZONES,
  zoneMeant,
  zoneNamed,
  type PersonCells,
} from '../../../src/leads/zones/place-of-person.ts';
import { zoneOffsets } from '../../../src/runtime/time-zones.ts';

const place = (cells: Omit<PersonCells, 'phone'> & { phone: string }) => {
  const found = placeOfPerson({ ...cells, phone: cells.phone as E164 });
  return { ...placeOf(found.zoneKey), disagree: found.disagree };
};

describe('names of time zones', () => {
  test.each([
    ['Eastern', 'America/New_York'], ['EST', 'America/New_York'], ['EDT', 'America/New_York'], ['ET', 'America/New_York'],
    ['US/Eastern', 'America/New_York'], ['Eastern Standard Time', 'America/New_York'], ['eastern time', 'America/New_York'],
    ['Eastern Time (US & Canada)', 'America/New_York'], ['(UTC-05:00) Eastern Time (US & Canada)', 'America/New_York'],
    ['america/new_york', 'America/New_York'], ['CST', 'America/Chicago'], ['Central', 'America/Chicago'], ['MST', 'America/Denver'],
    ['PST', 'America/Los_Angeles'], ['PDT', 'America/Los_Angeles'], ['US Mountain Standard Time', 'America/Phoenix'],
    ['US Eastern Standard Time', 'America/Indianapolis'], ['Hawaiian Standard Time', 'Pacific/Honolulu'],
    ['W. Europe Standard Time', 'Europe/Berlin'], ['India Standard Time', 'Asia/Calcutta'], ['Asia/Kolkata', 'Asia/Kolkata'],
    ['Europe/Kyiv', 'Europe/Kyiv'], ['AUS Eastern Standard Time', 'Australia/Sydney'], ['GMT Standard Time', 'Europe/London'],
    ['+05:30', '+05:30'], ['UTC+5', '+05:00'], ['GMT-0300', '-03:00'], ['UTC', 'UTC'], ['-5', '-05:00'],
  ])('%s is %s', (name, zone) => {
    expect(zoneNamed(name, 'US')).toEqual([zone]);
  }); // prettier-ignore

  // Without a sign it is not said whether the clock is ahead or behind.
  test.each(['GMT05', 'UTC05:30', 'A5', '105', 'UTC 5'])('%s is no offset', (name) => {
    expect(zoneNamed(name, 'US')).toBeUndefined();
  });

  it('takes EST for New York, which has summer time, and not for Panama, as Intl does', () => {
    const summer = Date.UTC(2026, 6, 1);
    const [zone = ''] = zoneNamed('EST', 'US') ?? [];
    expect(zoneOffsets([])(zone, summer)).toBe(-4 * 3_600_000);
  });

  test.each([
    ['IST', 'IN', 'Asia/Kolkata'],
    ['IST', 'IE', 'Europe/Dublin'],
    ['IST', 'IL', 'Asia/Jerusalem'],
    ['BST', 'GB', 'Europe/London'],
  ])('%s in %s is %s', (name, country, zone) => {
    expect(zoneNamed(name, country)).toEqual([zone]);
  });

  test.each([['EST', 'AU'], ['CST', 'CN'], ['IST', 'US'], ['BST', undefined]])('%s in %s is not guessed', (name, country) => {
    expect(zoneNamed(name, country)).toBeUndefined();
  }); // prettier-ignore

  it('names the nearest known name of one that nobody knows', () => {
    expect(zoneMeant('Estern')).toBe('Eastern');
    expect(zoneMeant('America/New_Yrok')).toBe('America/New_York');
    const found = placeOfPerson({ phone: '+12125550100' as E164, timezone: 'Estern' });
    expect(found.unknownTimezone).toBe('Estern');
  });

  it('knows the names of Windows with zones that Node knows', () => {
    expect(WINDOWS_ZONES.size).toBeGreaterThan(135);
    const offsetAt = zoneOffsets([]);
    expect([...WINDOWS_ZONES.values()].filter((zone) => offsetAt(zone, 0) === undefined)).toEqual(
      [],
    );
  });
});

describe('states and postal codes', () => {
  test.each([
    ['FL', ['America/Chicago', 'America/New_York'], 'US-FL'], ['Texas', ['America/Chicago', 'America/Denver'], 'US-TX'],
    ['tx', ['America/Chicago', 'America/Denver'], 'US-TX'], ['New York', ['America/New_York'], 'US-NY'],
    ['Arizona', ['America/Denver', 'America/Phoenix'], 'US-AZ'], ['Washington', ['America/Los_Angeles'], 'US-WA'],
    ['Hawaii', ['Pacific/Honolulu'], 'US-HI'], ['D.C.', ['America/New_York'], 'US-DC'], ['DC', ['America/New_York'], 'US-DC'],
    ['US-CA', ['America/Los_Angeles'], 'US-CA'], ['Ontario', ['America/Atikokan', 'America/Toronto', 'America/Winnipeg'], 'CA-ON'],
  ])('state %s of a toll-free number is %s', (state, zones, region) => {
    const found = placeOfPerson({ phone: '+18005550100' as E164, state, country: 'US' });
    expect(placeOf(found.zoneKey).zones).toEqual(zones);
    expect(placeOf(found.zoneKey).regions).toContain(region);
  }); // prettier-ignore

  test.each([
    ['33101', ['America/New_York'], 'US-FL'], ['32501', ['America/Chicago', 'America/New_York'], 'US-FL'],
    ['10001-1234', ['America/New_York'], 'US-NY'], ['601', ['America/Puerto_Rico'], 'US-PR'], ['79901', ['America/Chicago', 'America/Denver'], 'US-TX'],
    ['75201', ['America/Chicago'], 'US-TX'], ['37402', ['America/New_York'], 'US-TN'], ['37201', ['America/Chicago'], 'US-TN'],
    ['46204', ['America/New_York'], 'US-IN'], ['46402', ['America/Chicago'], 'US-IN'], ['83702', ['America/Denver'], 'US-ID'],
    ['85001', ['America/Phoenix'], 'US-AZ'], ['99801', ['America/Anchorage'], 'US-AK'], ['2139', ['America/New_York'], 'US-MA'],
    ['M5V 2T6', ['America/Toronto'], 'CA-ON'], ['H2Y1C6', ['America/Toronto'], 'CA-QC'], ['T2P', ['America/Edmonton'], 'CA-AB'],
  ])('ZIP or postal code %s is in %s', (postalCode, zones, region) => {
    const found = place({ phone: '+18005550100', postalCode, country: 'US' });
    expect(found.zones).toEqual(zones);
    expect(found.regions).toContain(region);
  }); // prettier-ignore

  test.each([
    ['2000', ['Australia/Sydney'], 'AU-NSW'], ['2880', ['Australia/Adelaide'], 'AU-NSW'], ['4000', ['Australia/Brisbane'], 'AU-QLD'],
    ['6000', ['Australia/Perth'], 'AU-WA'], ['0800', ['Australia/Darwin'], 'AU-NT'], ['800', ['Australia/Darwin'], 'AU-NT'], ['5000', ['Australia/Adelaide'], 'AU-SA'],
  ])('an Australian mobile with postcode %s is in %s', (postalCode, zones, region) => {
    const found = place({ phone: '+61491570156', postalCode });
    expect(found).toEqual({ zones, regions: [region], disagree: false });
  }); // prettier-ignore

  it('takes the only zone of a country for its postal codes', () => {
    expect(place({ phone: '+4915123456789', postalCode: '10115' }).zones).toEqual([
      'Europe/Berlin',
    ]);
  });

  it('knows the states of Brazil and Mexico', () => {
    expect(place({ phone: '+5511961234567', state: 'Acre' }).zones).toContain('America/Rio_Branco');
    expect(place({ phone: '+525512345678', state: 'Sonora' }).zones).toContain(
      'America/Hermosillo',
    );
  });
});

describe('a list and a number', () => {
  it('hold both where their clocks differ, and the states of both', () => {
    const found = place({ phone: '+13055550100', state: 'CA' });
    expect(found).toEqual({
      zones: ['America/Los_Angeles', 'America/New_York'],
      regions: ['US-CA', 'US-FL'],
      disagree: true,
    });
  });

  it('agree where one only says more exactly what the other says', () => {
    const east = place({ phone: '+14235550100', timezone: 'Eastern' });
    expect(east).toEqual({ zones: ['America/New_York'], regions: ['US-TN'], disagree: false });
    expect(place({ phone: '+12145550100', state: 'TX' }).disagree).toBe(false);
  });

  it('do not agree because their clocks do today: Phoenix and Denver differ in summer', () => {
    expect(place({ phone: '+16025550100', timezone: 'America/Denver' }).disagree).toBe(true);
  });

  it('do not agree across a correction that Node does not know yet', () => {
    const found = place({ phone: '+14065550100', timezone: 'America/Edmonton' });
    expect(found.disagree).toBe(true);
  });

  it('prefer time zone to postal code to state', () => {
    const found = placeOfPerson({ phone: '+18005550100' as E164, timezone: 'Pacific', postalCode: '10001', state: 'TX', country: 'US' }); // prettier-ignore
    expect(placeOf(found.zoneKey).zones).toEqual(['America/Los_Angeles']);
    expect(found.evidence.map(({ source }) => source)).toEqual([
      'timezone',
      'postal_code',
      'state',
      'country',
      'number',
    ]);
    expect(placeOf(found.zoneKey).regions).toEqual(['US-NY', 'US-TX']);
  });

  it('leave a toll-free number of which the list says nothing without a zone', () => {
    expect(place({ phone: '+18005550100' })).toEqual({ zones: [], regions: [], disagree: false });
  });

  it('take the country of the list in where the number is of another one', () => {
    const found = place({ phone: '+447400123456', country: 'Germany' });
    expect(found.zones).toEqual(expect.arrayContaining(['Europe/Berlin', 'Europe/London']));
    expect(found.disagree).toBe(true);
    expect(found.regions).toEqual(expect.arrayContaining(['DE', 'GB']));
  });
});
