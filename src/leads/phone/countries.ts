import {
  getCountries,
  getCountryCallingCode,
  isSupportedCountry,
  type CountryCode,
} from 'libphonenumber-js/max';
import { AppError, EXIT } from '../../runtime/errors.ts';
import { THREE_LETTER_CODES } from './country-codes.ts';

const ALIASES: Readonly<Record<string, CountryCode>> = {
  uk: 'GB',
  'great britain': 'GB',
  'united states of america': 'US',
};

/** Lists are written in the language of those who write them; English names come first. */
const LANGUAGES = [
  'en',
  'de',
  'fr',
  'es',
  'it',
  'pt',
  'nl',
  'pl',
  'cs',
  'sv',
  'da',
  'nb',
  'fi',
  'tr',
  'ja',
  'zh',
  'hi',
  'ru',
] as const;

/** Whose numbers a calling code that several countries share is read by: they have one numbering plan. */
const MAIN_COUNTRIES: Readonly<Record<string, CountryCode>> = {
  1: 'US',
  7: 'RU',
  39: 'IT',
  44: 'GB',
  47: 'NO',
  61: 'AU',
  212: 'MA',
  262: 'RE',
  290: 'SH',
  358: 'FI',
  590: 'GP',
  599: 'CW',
};

/**
 * The country that a cell names: an ISO 3166 code (`DE`, `DEU`), the calling code (`+49`, `0049`, `49`), or the
 * name in English or one of a dozen other languages.
 */
export function countryNamed(text: string): CountryCode | undefined {
  return findCountry(text.normalize('NFKC').trim());
}

/** The operator's country, checked. @throws AppError `COUNTRY_UNKNOWN` */
export function requireCountry(text: string): CountryCode {
  const country = countryNamed(text);
  if (country !== undefined) return country;
  throw new AppError(
    'COUNTRY_UNKNOWN',
    `"${text}" is not a country: allowed are two-letter codes such as US, GB or DE (ISO 3166).`,
    { hint: 'give --country with the code of the numbers that have no +', exitCode: EXIT.usage },
  );
}

function findCountry(text: string): CountryCode | undefined {
  const code = text.toUpperCase();
  if (isSupportedCountry(code)) return code;
  // `.0` and `'` are a spreadsheet's.
  const calling = /^'?(?:\+|00)?([1-9]\d{0,2})(?:\.0)?$/.exec(text)?.[1];
  if (calling !== undefined) return byCallingCode().get(calling);
  return byName().get(plain(text));
}

let callingCodes: Map<string, CountryCode> | undefined;

function byCallingCode(): Map<string, CountryCode> {
  if (callingCodes === undefined) {
    const pairs = getCountries().map(
      (country) => [getCountryCallingCode(country), country] as const,
    );
    callingCodes = new Map<string, CountryCode>([...pairs, ...Object.entries(MAIN_COUNTRIES)]);
  }
  return callingCodes;
}

let names: Map<string, CountryCode | undefined> | undefined;

/** By plain name and three-letter code. What means another country in another language is no name of either. */
function byName(): Map<string, CountryCode | undefined> {
  if (names !== undefined) return names;
  const map = new Map<string, CountryCode | undefined>();
  const english = new Set<string>();
  for (const language of LANGUAGES) {
    const spoken = new Intl.DisplayNames(language, { type: 'region' });
    for (const country of getCountries()) {
      const name = plain(spoken.of(country) ?? country);
      if (language === 'en') english.add(name);
      const isTaken = map.has(name) && map.get(name) !== country;
      if (!isTaken) map.set(name, country);
      else if (!english.has(name)) map.set(name, undefined);
    }
  }
  for (const pair of THREE_LETTER_CODES) {
    const country = pair.slice(3);
    if (isSupportedCountry(country)) map.set(pair.slice(0, 3).toLowerCase(), country);
  }
  for (const [name, country] of Object.entries(ALIASES)) map.set(name, country);
  return (names = map);
}

/** Without accents, signs and the difference of large and small letters. */
function plain(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('&', ' and ')
    .replace(/[^\p{L} ]/gu, '')
    .replace(/ +/g, ' ')
    .trim();
}
