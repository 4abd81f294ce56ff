import { getCountries, isSupportedCountry, type CountryCode } from 'libphonenumber-js/max';
import { AppError, EXIT } from '../runtime/errors.ts';

const ALIASES: Readonly<Record<string, CountryCode>> = {
  uk: 'GB',
  'great britain': 'GB',
  usa: 'US',
  'united states of america': 'US',
};

let byName: Map<string, CountryCode> | undefined;

/** The country that a cell names: an ISO 3166 two-letter code or the English name. */
export function countryNamed(text: string): CountryCode | undefined {
  const code = text.trim().toUpperCase();
  if (isSupportedCountry(code)) return code;
  byName ??= namesOfCountries();
  return byName.get(plain(text));
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

function namesOfCountries(): Map<string, CountryCode> {
  const names = new Intl.DisplayNames('en', { type: 'region' });
  const map = new Map<string, CountryCode>();
  for (const code of getCountries()) map.set(plain(names.of(code) ?? code), code);
  for (const [name, code] of Object.entries(ALIASES)) map.set(name, code);
  return map;
}

function plain(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('&', ' and ')
    .replace(/[^a-z ]/g, '')
    .replace(/ +/g, ' ')
    .trim();
}
