import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { loadZoneOverrides } from '../../../src/config/rules/zone-overrides.ts';
import type { E164 } from '../../../src/domain/phone.ts';
import {
  AREA_CODES,
  COUNTRIES,
  numberPlace,
  PREFIXES,
} from '../../../src/leads/zones/number-zones.ts';
import { zoneOffsets } from '../../../src/runtime/time-zones.ts';
import { WRONG } from './iana/judge.ts';

const NY = 'America/New_York';
const CHICAGO = 'America/Chicago';
const DENVER = 'America/Denver';
const LA = 'America/Los_Angeles';

const number = (area: string) => numberPlace(`+1${area}5550100` as E164);

/** Area codes, and where people with such a number are by what is known of the region. */
test.each([
  ['201', [NY], 'US-NJ'], ['202', [NY], 'US-DC'], ['203', [NY], 'US-CT'], ['205', [CHICAGO], 'US-AL'], ['206', [LA], 'US-WA'],
  ['212', [NY], 'US-NY'], ['213', [LA], 'US-CA'], ['214', [CHICAGO], 'US-TX'], ['216', [NY], 'US-OH'], ['225', [CHICAGO], 'US-LA'],
  ['239', [NY], 'US-FL'], ['302', [NY], 'US-DE'], ['303', [DENVER], 'US-CO'], ['304', [NY], 'US-WV'], ['305', [NY], 'US-FL'],
  ['307', [DENVER], 'US-WY'], ['310', [LA], 'US-CA'], ['312', [CHICAGO], 'US-IL'], ['313', [NY], 'US-MI'], ['314', [CHICAGO], 'US-MO'],
  ['401', [NY], 'US-RI'], ['402', [CHICAGO], 'US-NE'], ['404', [NY], 'US-GA'], ['405', [CHICAGO], 'US-OK'], ['406', [DENVER], 'US-MT'],
  ['407', [NY], 'US-FL'], ['414', [CHICAGO], 'US-WI'], ['435', [DENVER], 'US-UT'], ['501', [CHICAGO], 'US-AR'], ['502', [NY], 'US-KY'],
  ['503', [LA], 'US-OR'], ['505', [DENVER], 'US-NM'], ['515', [CHICAGO], 'US-IA'], ['601', [CHICAGO], 'US-MS'], ['602', ['America/Phoenix'], 'US-AZ'],
  ['603', [NY], 'US-NH'], ['612', [CHICAGO], 'US-MN'], ['615', [CHICAGO], 'US-TN'], ['617', [NY], 'US-MA'], ['689', [NY], 'US-FL'],
  ['702', [LA], 'US-NV'], ['703', [NY], 'US-VA'], ['704', [NY], 'US-NC'], ['713', [CHICAGO], 'US-TX'], ['718', [NY], 'US-NY'],
  ['802', [NY], 'US-VT'], ['803', [NY], 'US-SC'], ['808', ['Pacific/Honolulu'], 'US-HI'], ['915', [DENVER], 'US-TX'],
  ['787', ['America/Puerto_Rico'], 'US-PR'], ['671', ['Pacific/Guam'], 'US-GU'], ['876', ['America/Jamaica'], 'JM'],
  ['416', ['America/Toronto'], 'CA-ON'], ['905', ['America/Toronto'], 'CA-ON'], ['514', ['America/Toronto'], 'CA-QC'],
  ['604', ['America/Vancouver'], 'CA-BC'], ['403', ['America/Edmonton'], 'CA-AB'], ['204', ['America/Winnipeg'], 'CA-MB'],
  ['306', ['America/Regina'], 'CA-SK'], ['474', ['America/Regina'], 'CA-SK'], ['506', ['America/Halifax'], 'CA-NB'],
])('area code %s is in %s, %s', (area, zones, region) => {
  expect(sameClocks(number(area).zones, zones)).toBe(true);
  expect(number(area).regions).toEqual([region]);
}); // prettier-ignore

test.each([
  ['270', '364', [CHICAGO, NY]],
  ['423', '729', [CHICAGO, NY]],
  ['541', '458', [DENVER, LA]],
  ['812', '930', [CHICAGO, NY]],
  ['850', '448', [CHICAGO, NY]],
  ['208', '986', [DENVER, LA]],
  ['250', '778', ['America/Vancouver', 'America/Edmonton']],
  ['709', '879', ['America/St_Johns', 'America/Halifax']],
])(
  'split area code %s and its overlay %s have the clocks of the whole region',
  (area, overlay, zones) => {
    expect(number(overlay)).toEqual(number(area));
    expect(clocksOf(zones).every((clock) => clocksOf(number(area).zones).includes(clock))).toBe(
      true,
    );
  },
);

test.each([
  '308',
  '418',
  '574',
  '605',
  '606',
  '620',
  '701',
  '775',
  '785',
  '807',
  '867',
  '906',
  '907',
  '928',
])('area code %s, in which clocks differ, has all of them', (area) => {
  expect(new Set(clocksOf(number(area).zones)).size).toBeGreaterThan(1);
});

test.each([
  '800',
  '833',
  '844',
  '855',
  '866',
  '877',
  '888',
  '500',
  '521',
  '600',
  '700',
  '710',
  '900',
  '999',
])('area code %s is nobody’s place', (area) => {
  expect(number(area)).toEqual({ zones: [], regions: [], country: undefined });
});

describe('numbers without a place of their own', () => {
  test.each([
    ['+61491570156', 'AU', ['Australia/Perth', 'Australia/Brisbane', 'Australia/Sydney', 'Australia/Darwin']],
    ['+79000000000', 'RU', ['Europe/Kaliningrad', 'Europe/Moscow', 'Asia/Kamchatka']],
    ['+77012345678', 'KZ', ['Asia/Almaty']],
    ['+628123456789', 'ID', ['Asia/Jakarta', 'Asia/Makassar', 'Asia/Jayapura']],
    ['+34612345678', 'ES', ['Europe/Madrid', 'Atlantic/Canary']],
    ['+351912345678', 'PT', ['Europe/Lisbon', 'Atlantic/Azores']],
    ['+447400123456', 'GB', ['Europe/London']],
    ['+33639981234', 'FR', ['Europe/Paris']],
    ['+4915123456789', 'DE', ['Europe/Berlin']],
    ['+919876543210', 'IN', ['Asia/Kolkata']],
    ['+64211234567', 'NZ', ['Pacific/Auckland']],
    ['+56961234567', 'CL', ['America/Santiago', 'Pacific/Easter']],
  ])('a mobile number such as %s is anywhere in %s', (phone, country, zones) => {
    const place = numberPlace(phone as E164);
    expect(place.country).toBe(country);
    const clocks = clocksOf(place.zones);
    expect(clocksOf(zones).filter((clock) => !clocks.includes(clock))).toEqual([]);
  }); // prettier-ignore

  it('are not Moscow alone for Russia, nor Kazakhstan', () => {
    expect(clocksOf(numberPlace('+79000000000' as E164).zones).length).toBeGreaterThan(9);
    expect(numberPlace('+79000000000' as E164).zones).not.toContain('Asia/Almaty');
  });

  test.each(['+80012345678', '+870773111632', '+881612345678', '+979123456789'])(
    '%s belongs to no country and has no zone',
    (phone) => {
      expect(numberPlace(phone as E164).zones).toEqual([]);
    },
  );
});

it.each([
  ['Chatham', '+6433050100', 'Pacific/Chatham'],
  ['Cocos', '+61891621234', 'Indian/Cocos'],
  ['Christmas Island', '+61891641234', 'Indian/Christmas'],
  ['Lord Howe', '+61265632000', 'Australia/Lord_Howe'],
])('keeps the land lines of %s apart, whose people do not decide for the mobiles of all', (_, phone, zone) => {
  expect(numberPlace(phone as E164).zones).toEqual([zone]);
}); // prettier-ignore

it('tells a Spanish mobile from the land lines that begin with the same eight digits, whichever comes first', () => {
  expect(numberPlace('+34969061163' as E164).zones).toEqual(['Europe/Madrid']);
  expect(numberPlace('+34969061062' as E164).zones).toEqual(['Atlantic/Canary', 'Europe/Madrid']);
});

it('takes a number of seven digits under +1 for nobody’s place, not for California', () => {
  expect(numberPlace('+13100000' as E164).zones).toEqual([]);
});

it('keeps the land lines of Queensland without summer time, and those of the west apart', () => {
  expect(numberPlace('+61736618300' as E164).zones).toContain('Australia/Brisbane');
  expect(numberPlace('+61862610000' as E164).zones).toContain('Australia/Perth');
  expect(numberPlace('+61862610000' as E164).zones).toContain('Australia/Darwin');
});

it('fits into 60 kB and names only zones that Node knows', () => {
  const text = COUNTRIES + AREA_CODES + PREFIXES;
  expect(text.length).toBeLessThan(60_000);
  const zones = new Set(text.match(/[A-Z][A-Za-z]+\/[A-Za-z_/-]+/g));
  expect(zones.size).toBeGreaterThan(200);
  expect([...zones].filter((zone) => zoneOffsets([])(zone, 0) === undefined)).toEqual([]);
});

describe('google’s own data', () => {
  /** Widened on purpose, see src/leads/zones/README.md: the whole area code, and the whole of an Australian area. */
  const WIDENED = /^(1|61[78]|7)/;

  it('agrees wherever it names one zone for a prefix of land lines that we do not widen', () => {
    const wrong = googles().filter(({ prefix, zone }) => {
      if (WIDENED.test(prefix) || WRONG.test(prefix)) return false;
      const ours = longest(prefix);
      return ours !== undefined && !sameClocks(ours, [zone]);
    });
    expect(wrong).toEqual([]);
  });

  it('is contained wherever we widen', () => {
    const wrong = googles().filter(({ prefix, zone }) => {
      if (!WIDENED.test(prefix) || isKnownWrong(prefix)) return false;
      // Countries of their own, which have the calling code of Australia.
      if (/^Indian\/(Christmas|Cocos)$/.test(zone)) return false;
      const ours = prefix.startsWith('1') ? number(prefix.slice(1, 4)).zones : longest(prefix);
      return ours !== undefined && !clocksOf(ours).includes(clocksOf([zone])[0] ?? '');
    });
    expect(wrong).toEqual([]);
  });

  /**
   * Besides `WRONG`: Kaliningrad, which has no summer time, and Nunavut and Yukon (867) by the names of Manitoba and
   * British Columbia, which have left their clocks.
   */
  const isKnownWrong = (prefix: string) => WRONG.test(prefix) || /^(740|1867)/.test(prefix);

  it('is read whole', () => {
    expect(googles()).toHaveLength(2_967);
  });
});

function googles(): { prefix: string; zone: string }[] {
  const file = new URL('google/single-zone-prefixes.txt', import.meta.url);
  const lines = readFileSync(file, 'utf8').split('\n').filter((line) => /^[A-Z]/.test(line)); // prettier-ignore
  return lines.flatMap((line) => {
    const [zone = '', packed = ''] = line.split('|');
    return packed.split(',').flatMap((entry) => {
      const [head = '', tails] = entry.replace(')', '').split('(');
      return (tails ?? '').split(' ').map((tail) => ({ zone, prefix: head + tail }));
    });
  });
}

const table = new Map(
  PREFIXES.split(';').flatMap((entry) => {
    const [zones = '', starts = ''] = entry.split('|');
    return starts.split(' ').map((start) => [start, zones.split('&')] as const);
  }),
);

function longest(prefix: string): readonly string[] | undefined {
  for (let length = prefix.length; length > 0; length -= 1) {
    const found = table.get(prefix.slice(0, length));
    if (found !== undefined) return found;
  }
  return undefined;
}

function sameClocks(one: readonly string[], other: readonly string[]): boolean {
  const [a, b] = [new Set(clocksOf(one)), new Set(clocksOf(other))];
  return a.size === b.size && [...a].every((clock) => b.has(clock));
}

const offsets = zoneOffsets(loadZoneOverrides());
const weeks = Array.from({ length: 104 }, (_, week) => Date.UTC(2026, 0, 1) + week * 604_800_000);
const clocks = new Map<string, string>();

function clocksOf(zones: readonly string[]): string[] {
  return [
    ...new Set(
      zones.map((zone) => {
        const clock = clocks.get(zone) ?? weeks.map((at) => offsets(zone, at)).join();
        clocks.set(zone, clock);
        return clock;
      }),
    ),
  ];
}

test.each([
  ['Recife, a mobile', '+5581991234567', ['America/Recife']],
  ['Recife, a land line', '+558130131234', ['America/Recife']],
  ['Fernando de Noronha', '+558136191234', ['America/Noronha']],
  ['Belém in Pará, a mobile', '+5591981234567', ['America/Belem']],
  ['Santarém in Pará', '+559335221234', ['America/Santarem']],
  ['Chihuahua', '+526144101234', ['America/Chihuahua']],
  ['Delicias in Chihuahua', '+526394721234', ['America/Chihuahua']],
  ['Balleza in Chihuahua and Durango', '+526495201234', ['America/Chihuahua']],
  ['Ciudad Juárez', '+526566131234', ['America/Ciudad_Juarez']],
  ['Saratov', '+78452123456', ['Europe/Saratov']],
])('a number of %s has the clock of that place', (_, phone, zones) => {
  expect(sameClocks(numberPlace(phone as E164).zones, zones)).toBe(true);
});
