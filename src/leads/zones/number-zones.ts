import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { E164 } from '../../domain/phone.ts';
import { countriesOf } from '../phone/numbering-plans.ts';
import { AREA_CODES, COUNTRIES, PREFIXES } from './number-table.ts';

/** Where a number is at home, as far as its digits say; without zones, nobody's place: toll-free, satellite, not known. */
export interface NumberPlace {
  zones: readonly string[];
  /** ISO 3166 codes of states, or of the country where it is not divided; empty: none. */
  regions: readonly string[];
  /** ISO 3166 code; undefined: none. */
  country: string | undefined;
}

const NOWHERE: NumberPlace = { zones: [], regions: [], country: undefined };

/**
 * The time zones of a number. A number of +1 has those of its whole area code and of all area codes that serve the same
 * region, as an exchange says nothing of a mobile or a ported number. Elsewhere land lines have the zones of the longest known
 * prefix; all others, as mobiles mostly, have those of their country.
 */
export function numberPlace(phone: E164): NumberPlace {
  const digits = phone.slice(1);
  // Canada has numbers of seven digits, which begin like area codes of other places: +1 310 0000.
  if (digits.startsWith('1') && digits.length !== 11) return NOWHERE;
  if (digits.startsWith('1')) return areaCodes().get(digits.slice(1, 4)) ?? NOWHERE;
  const { country, isLocal } = kindOf(phone);
  if (country === undefined) return NOWHERE;
  const zones = (isLocal ? longestPrefix(digits) : undefined) ?? zonesOfCountry(country);
  return { zones, regions: [country], country };
}

/**
 * The zones of a country by the country table of the time-zone database, one of those whose clocks agree, without those
 * in which hardly anybody lives (`.config/number-zones.mjs` says which); empty: no country with phone numbers.
 *
 * @param country ISO 3166 code
 */
export function zonesOfCountry(country: string): readonly string[] {
  countryTable ??= tableOf(COUNTRIES);
  return countryTable.get(country) ?? [];
}

let countryTable: ReadonlyMap<string, readonly string[]> | undefined;

interface Kind {
  country: string | undefined;
  /** False for numbers that belong to no place within their country. */
  isLocal: boolean;
}

/** Calling codes under which mobiles have area codes (in Indonesia all but those of +62 8): https://github.com/google/libphonenumber, PhoneNumberUtil.java. */
const LOCAL_MOBILES = ['52', '54', '55', '62'];
/** The country follows from the first digits. */
const COUNTRY_DIGITS = 8;
/** What kind of number it is, from some more: +34 969 061 062 is a mobile, +34 969 061 163 a land line. */
const KIND_DIGITS = 10;
const MOST_REMEMBERED = 20_000;
const kinds = new Map<string, Kind>();

/** Looks at more digits only before a number is taken to be in a part of its country. */
function kindOf(phone: E164): Kind {
  const kind = kindBy(COUNTRY_DIGITS, phone);
  return kind.isLocal && zonesOfCountry(kind.country ?? '').length > 1
    ? kindBy(KIND_DIGITS, phone)
    : kind;
}

function kindBy(digits: number, phone: E164): Kind {
  const start = phone.slice(0, digits + 1);
  let kind = kinds.get(start);
  if (kind === undefined) {
    const parsed = parsePhoneNumberFromString(phone);
    const type = parsed?.getType();
    const code = parsed?.countryCallingCode ?? '';
    const isMobile = type === 'MOBILE' || type === 'FIXED_LINE_OR_MOBILE';
    const hasArea = LOCAL_MOBILES.includes(code) && !phone.startsWith('+628');
    // A number of a range that is not known to be in use still belongs to the country of its code.
    const country = parsed?.country ?? parsed?.getPossibleCountries()[0];
    // Prefixes are of the first country of a code: Australia, not the islands Cocos and Christmas.
    const isFirst = country !== undefined && country === countriesOf(code)[0];
    kind = { country, isLocal: isFirst && (type === 'FIXED_LINE' || (isMobile && hasArea)) };
    if (kinds.size >= MOST_REMEMBERED) kinds.clear();
    kinds.set(start, kind);
  }
  return kind;
}

/** The zones of the longest entry with which the digits begin. */
function longestPrefix(digits: string): readonly string[] | undefined {
  prefixTable ??= tableOf(PREFIXES);
  for (let length = LONGEST_PREFIX; length > 0; length -= 1) {
    const zones = prefixTable.get(digits.slice(0, length));
    if (zones !== undefined) return zones;
  }
  return undefined;
}

const LONGEST_PREFIX = 9;
let prefixTable: ReadonlyMap<string, readonly string[]> | undefined;

let areaCodeTable: ReadonlyMap<string, NumberPlace> | undefined;

/** Read at the first question: most commands ask none. */
function areaCodes(): ReadonlyMap<string, NumberPlace> {
  areaCodeTable ??= new Map(
    entriesOf(AREA_CODES).flatMap(([zones = '', regions = '', codes = '']) => {
      const [first = ''] = regions.split(' ');
      const country = first.slice(0, 2);
      const place = { zones: zones.split('&'), regions: regions.split(' '), country };
      return codes.split(' ').map((code) => [code, place] as const);
    }),
  );
  return areaCodeTable;
}

function tableOf(table: string): ReadonlyMap<string, readonly string[]> {
  return new Map(
    entriesOf(table).flatMap(([zones = '', keys = '']) => {
      const all = zones.split('&');
      return keys.split(' ').map((key) => [key, all] as const);
    }),
  );
}

function entriesOf(table: string): string[][] {
  return table
    .split(';')
    .filter((entry) => entry !== '')
    .map((entry) => entry.split('|'));
}
