import {
  getCountries,
  getCountryCallingCode,
  isSupportedCountry,
  Metadata,
  type CountryCode,
} from 'libphonenumber-js/max';

import { usageError } from '../../runtime/errors.ts';
import { countryByName } from '../../text/country-names.ts';
import { oneForm, remembered } from '../../text/fold-words.ts';

/**
 * The country that a cell names: an ISO 3166 code (`DE`, `DEU`), the calling code (`+49`, `0049`, `49`), or the name in
 * English or one of a dozen other languages.
 */
export const countryNamed = remembered((text) => findCountry(oneForm(text).trim()));

/** The country that the operator named. @throws AppError `COUNTRY_UNKNOWN` */
export function requireCountry(text: string): CountryCode {
  const country = countryNamed(text);
  if (country !== undefined) return country;
  throw usageError(
    'COUNTRY_UNKNOWN',
    `"${text}" is not a country: give its name or its two-letter code, such as US, GB or DE (ISO 3166).`,
    'give --country with the code of the numbers that have no +',
  );
}

function findCountry(text: string): CountryCode | undefined {
  if (text === '') return undefined;
  // Spreadsheets may add `.0` or `'` to a calling code.
  const calling = /^'?(?:\+|00)?([1-9]\d{0,2})(?:\.0)?$/.exec(text)?.[1];
  if (calling !== undefined) return countriesOf(calling)[0];
  const named = countryByName(text);
  return named !== undefined && isSupportedCountry(named) ? named : undefined;
}

/** The lengths and the pattern of national numbers of one kind. */
export interface NumberRange {
  lengths: ReadonlySet<number>;
  pattern: RegExp;
}

export type NumberingPlan = ReturnType<typeof readPlan>;

const plans = new Map<CountryCode, NumberingPlan>();
let byCode: Map<string, CountryCode[]> | undefined;

export function numberingPlan(country: CountryCode): NumberingPlan {
  const known = plans.get(country);
  if (known !== undefined) return known;
  const plan = readPlan(country);
  plans.set(country, plan);
  return plan;
}

/** An international prefix that begins with 0 has at least two digits, and a number abroad seven. */
const FEWEST_ABROAD = 9;

/** True for a text without `+` or letters (`212-555-CALL`) that has too few digits for the country, and for any other. */
export function isShorter(text: string, country: CountryCode): boolean {
  const { fewest } = numberingPlan(country);
  const most = text.startsWith('0') ? Math.min(fewest, FEWEST_ABROAD) : fewest;
  return !/[+\p{L}]/u.test(text) && text.replace(/\D/g, '').length < most;
}

/** The countries of a calling code, in the order in which they are tried; none where it belongs to no country. */
export function countriesOf(code: string): readonly CountryCode[] {
  byCode ??= readCodes();
  return byCode.get(code) ?? [];
}

/** The fields of the library that its types leave out. */
interface Raw {
  metadata: { country_calling_codes: Record<string, CountryCode[]> };
  numberingPlan: {
    possibleLengths(): number[];
    nationalNumberPattern(): string;
    IDDPrefix(): string;
    /** A missing value is undefined, 0 or ''. */
    nationalPrefixForParsing(): string | 0 | undefined;
    leadingDigits(): string | 0 | undefined;
    nationalPrefixTransformRule(): string | 0 | undefined;
    type(name: string): { pattern(): string | 0; possibleLengths(): number[] } | undefined;
  };
}

const USUAL = ['FIXED_LINE', 'MOBILE'];
const OTHERS = 'PREMIUM_RATE TOLL_FREE SHARED_COST VOIP PERSONAL_NUMBER PAGER UAN VOICEMAIL'.split(
  ' ',
);

/** The library's data on a country, with patterns compiled once. The patterns match national numbers. */
function readPlan(country: CountryCode) {
  const metadata = new Metadata();
  metadata.selectNumberingPlan(country);
  const { numberingPlan: raw } = metadata as unknown as Raw;
  const ranges = (names: readonly string[]): NumberRange[] =>
    names.flatMap((name) => {
      const type = raw.type(name);
      const pattern = type?.pattern();
      if (!isText(pattern)) return [];
      return [{ lengths: new Set(type?.possibleLengths()), pattern: whole(pattern) }];
    });
  const usual = ranges(USUAL);
  const prefix = raw.nationalPrefixForParsing();
  const leading = raw.leadingDigits();
  return {
    /** The calling code, without `+`. */
    code: getCountryCallingCode(country),
    lengths: new Set(raw.possibleLengths()),
    /** Fewest digits of a number as people write it; 0: they leave out an area code, which the plan adds. */
    fewest: isText(raw.nationalPrefixTransformRule()) ? 0 : Math.min(...raw.possibleLengths()),
    general: whole(raw.nationalNumberPattern()),
    /** The prefix of international calls; applies only where it matches at the beginning. */
    abroad: new RegExp(raw.IDDPrefix()),
    /** The trunk prefix of national calls; null: there is none. */
    prefix: isText(prefix) ? new RegExp(`^(?:${prefix})`) : null,
    /** The leading digits that distinguish countries with the same calling code; must match at the beginning. */
    leading: isText(leading) ? new RegExp(leading) : null,
    /** Fixed and mobile lines. */
    usual,
    /** Number ranges of every kind (toll-free, premium and so on), `usual` among them. */
    types: [...usual, ...ranges(OTHERS)],
    /** The number of digits of the longest mobile number; 0 where there are no mobile numbers. */
    longestMobile: Math.max(0, ...(raw.type('MOBILE')?.possibleLengths() ?? [])),
  };
}

function isText(value: string | 0 | undefined): value is string {
  return typeof value === 'string' && value !== '';
}

function whole(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`);
}

/** Countries by calling code; the main country of a code comes first, as in the library. */
function readCodes(): Map<string, CountryCode[]> {
  const all = (new Metadata() as unknown as Raw).metadata.country_calling_codes;
  const known = new Set<string>(getCountries());
  const isCountry = (code: string) => known.has(code);
  return new Map(
    Object.entries(all).map(([code, countries]) => [code, countries.filter(isCountry)]),
  );
}
