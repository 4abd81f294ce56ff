import { readFileSync } from 'node:fs';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { clockOf, NAMES, zonesOf, type Clock } from './database.ts';

/**
 * Zones in which hardly anybody lives: they do not decide for numbers that may be anywhere in their country. Figures
 * and sources are in .config/number-zones.mjs.
 */
export const HARDLY_ANYBODY = [
  'Antarctica/Macquarie',
  'Australia/Lord_Howe',
  'Australia/Eucla',
  'Pacific/Chatham',
  'America/Noronha',
  'America/Danmarkshavn',
  'Pacific/Kanton',
];

/** Clocks of a country by zone.tab. */
export function clocksOf(country: string): Clock[] {
  return [...new Set(zonesOf(country).map(clockOf))];
}

export function inhabitedClocksOf(country: string): Clock[] {
  const zones = zonesOf(country).filter((zone) => !HARDLY_ANYBODY.includes(zone));
  return [...new Set(zones.map(clockOf))];
}

/** Where the person with a number may be: in all of these at once, or in one of them, nobody knows which. */
export interface Whereabouts {
  clocks: readonly Clock[];
  all: boolean;
}

/** Mobiles of these calling codes have area codes: libphonenumber, PhoneNumberUtil.java. */
const LOCAL_MOBILES = ['1', '52', '54', '55', '62'];

/**
 * Where a number is, without our tables: by zone.tab, and for numbers with an area code by Google's zone for it, as far
 * as the country has a zone with the clock that Google names.
 */
export function whereabouts(phone: string): Whereabouts {
  const parsed = parsePhoneNumberFromString(phone);
  const country = parsed?.country ?? '';
  const type = parsed?.getType();
  const isLocal =
    type === 'FIXED_LINE' ||
    (type?.includes('MOBILE') === true &&
      LOCAL_MOBILES.includes(parsed?.countryCallingCode ?? '') &&
      !phone.startsWith('+628'));
  if (!isLocal) return { clocks: inhabitedClocksOf(country), all: true };
  const own = clocksOf(country);
  const named = googles(phone.slice(1));
  return named !== undefined && own.includes(named)
    ? { clocks: [named], all: true }
    : { clocks: own, all: own.length === 1 };
}

/**
 * Rows that are wrong there: overlays of Orlando (407) and of Saskatchewan (306), by NANPA's planning letters; Pernambuco,
 * Pará, Chihuahua and Saratov, whose regions Google's own geocoding files name (number-zones.test.ts has their clocks).
 */
export const WRONG = /^(1(689|474)|55(81|9[134])|526(14|2[1579]|3[569]|4[89]|5[29])|7845)/;

let prefixes: ReadonlyMap<string, Clock> | undefined;

function googles(digits: string): Clock | undefined {
  prefixes ??= readGoogles();
  for (let length = digits.length; length > 0; length -= 1) {
    const clock = WRONG.test(digits) ? undefined : prefixes.get(digits.slice(0, length));
    if (clock !== undefined) return clock;
  }
  return undefined;
}

/** Prefixes for which Google names one zone: see the head of the file. */
function readGoogles(): ReadonlyMap<string, Clock> {
  const file = new URL('../google/single-zone-prefixes.txt', import.meta.url);
  const lines = readFileSync(file, 'utf8').split('\n').filter((line) => /^[A-Z]/.test(line)); // prettier-ignore
  return new Map(
    lines.flatMap((line) => {
      const [zone = '', packed = ''] = line.split('|');
      if (!NAMES.includes(zone)) throw new Error(`Google names ${zone}`);
      return packed.split(',').flatMap((entry) => {
        const [head = '', tails = ''] = entry.replace(')', '').split('(');
        return tails.split(' ').map((tail) => [head + tail, clockOf(zone)] as const);
      });
    }),
  );
}
