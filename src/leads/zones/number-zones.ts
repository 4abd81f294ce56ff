import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { E164 } from '../../domain/phone.ts';
import { AREA_CODES, PREFIXES } from './number-table.ts';

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
 * region, as an exchange says nothing of a mobile or a ported number. Elsewhere the longest known prefix counts; numbers
 * that belong to no place, as mobiles mostly do, have all zones of their country.
 */
export function numberPlace(phone: E164): NumberPlace {
  const digits = phone.slice(1);
  if (digits.startsWith('1')) return areaCodes().get(digits.slice(1, 4)) ?? NOWHERE;
  const { country, isLocal } = kindOf(phone);
  if (country === undefined) return NOWHERE;
  const zones = isLocal ? longestPrefix(digits, digits.length) : longestPrefix(digits, 3);
  return { zones, regions: [country], country };
}

/** All zones of a country, by its calling code: `49`. */
export function zonesOfCallingCode(code: string): readonly string[] {
  if (code !== '1') return longestPrefix(code, 3);
  return [...new Set([...areaCodes().values()].flatMap(({ zones }) => zones))];
}

interface Kind {
  country: string | undefined;
  /** False for numbers that belong to no place within their country. */
  isLocal: boolean;
}

/** Calling codes under which mobiles have area codes (in Indonesia all but those of +62 8): https://github.com/google/libphonenumber, PhoneNumberUtil.java. */
const LOCAL_MOBILES = ['52', '54', '55', '62', '86'];
/** What a number is follows from its first digits. */
const TELLING_DIGITS = 8;
const MOST_REMEMBERED = 20_000;
const kinds = new Map<string, Kind>();

function kindOf(phone: E164): Kind {
  const start = phone.slice(0, TELLING_DIGITS + 1);
  let kind = kinds.get(start);
  if (kind === undefined) {
    const parsed = parsePhoneNumberFromString(phone);
    const type = parsed?.getType();
    const code = parsed?.countryCallingCode ?? '';
    const isMobile = type === 'MOBILE' || type === 'FIXED_LINE_OR_MOBILE';
    const hasArea = LOCAL_MOBILES.includes(code) && !phone.startsWith('+628');
    const isLocal = type === 'FIXED_LINE' || (isMobile && hasArea);
    // A number of a range that is not known to be in use still belongs to the country of its code.
    kind = { country: parsed?.country ?? parsed?.getPossibleCountries()[0], isLocal };
    if (kinds.size >= MOST_REMEMBERED) kinds.clear();
    kinds.set(start, kind);
  }
  return kind;
}

/** The zones of the longest entry among the first `most` digits; for numbers without a place, those of the country. */
function longestPrefix(digits: string, most: number): readonly string[] {
  const table = prefixes();
  for (let length = Math.min(most, 9); length > 0; length -= 1) {
    const zones = table.get(digits.slice(0, length));
    if (zones !== undefined && (most > 3 || isCountryEntry(digits, length))) return zones;
  }
  return [];
}

/** Kazakhstan has the calling code of Russia, and numbers that begin with 76 and 77. */
function isCountryEntry(digits: string, length: number): boolean {
  const code = /^7[67]/.test(digits) ? digits.slice(0, 2) : (callingCode(digits) ?? '');
  return code.length === length;
}

function callingCode(digits: string): string | undefined {
  // A calling code is no beginning of another one.
  return [1, 2, 3].map((length) => digits.slice(0, length)).find((code) => CALLING_CODE.test(code));
}

/** ITU-T E.164: codes of one and two digits; all others have three. */
const CALLING_CODE = /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|[2-9]\d{2})$/;

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

let prefixTable: ReadonlyMap<string, readonly string[]> | undefined;

function prefixes(): ReadonlyMap<string, readonly string[]> {
  prefixTable ??= new Map(
    entriesOf(PREFIXES).flatMap(([zones = '', starts = '']) =>
      starts.split(' ').map((start) => [start, zones.split('&')] as const),
    ),
  );
  return prefixTable;
}

function entriesOf(table: string): string[][] {
  return table
    .split(';')
    .filter((entry) => entry !== '')
    .map((entry) => entry.split('|'));
}
