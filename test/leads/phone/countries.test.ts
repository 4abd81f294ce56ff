import { getCountries, getCountryCallingCode } from 'libphonenumber-js/max';
import { expect, test } from 'vitest';
import { countryNamed } from '../../../src/leads/phone/countries.ts';
import { THREE_LETTER_CODES } from '../../../src/text/country-names.ts';

test.each([
  ['a two-letter code', 'de', 'DE'],
  ['a three-letter code', 'DEU', 'DE'],
  ['USA', 'USA', 'US'],
  ['a calling code', '+49', 'DE'],
  ['a calling code as it is dialled', '0049', 'DE'],
  ['a calling code that is only digits', ' 49 ', 'DE'],
  ['a calling code as a spreadsheet keeps it', '49.0', 'DE'],
  ['a calling code of many countries', '1', 'US'],
  ['an English name', 'Côte d’Ivoire', 'CI'],
  ['a German name', 'Österreich', 'AT'],
  ['a German name without its umlaut', 'Osterreich', 'AT'],
  ['a French name', 'Allemagne', 'DE'],
  ['a Japanese name', '日本', 'JP'],
  ['an Indian name', 'भारत', 'IN'],
  ['an everyday name', 'UK', 'GB'],
])('%s says which country is meant', (_, text, country) => {
  expect(countryNamed(text)).toBe(country);
});

test.each([
  ['a calling code that nobody has', '999'],
  ['a number', '4915123456'],
  ['a number of another kind', '840'],
  ['no country', 'Bavaria'],
  ['nothing', ''],
])('%s is no country', (_, text) => {
  expect(countryNamed(text)).toBeUndefined();
});

test('every country has a three-letter code, but for Ascension and Tristan da Cunha', () => {
  const named = new Set(THREE_LETTER_CODES.map((pair) => countryNamed(pair.slice(0, 3))));
  expect(getCountries().filter((country) => !named.has(country))).toEqual(['AC', 'TA']);
});

test('the calling code of every country names a country with the same numbering plan', () => {
  for (const country of getCountries()) {
    const code = getCountryCallingCode(country);
    const named = countryNamed(code);
    expect(named && getCountryCallingCode(named), code).toBe(code);
  }
});
