import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { getCountries, getCountryCallingCode } from 'libphonenumber-js/max';
import { expect, test } from 'vitest';
import { parseFully } from '../../../src/leads/phone/parse-phone.ts';
import { plainPhone } from '../../../src/leads/phone/phone-readings.ts';
import { examples } from '../../helpers/properties.ts';

const EXAMPLES = readFileSync(`${import.meta.dirname}/expected/example-numbers.csv`, 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split(',') as [region: string, type: string, number: string]);

const COUNTRIES = getCountries();
const countryOf = (region: string) => COUNTRIES.find((country) => country === region) ?? null;

/** What the short way says, where it says something; `asLong` is what the long way says then. */
function bothWays(cell: string, country: ReturnType<typeof countryOf>) {
  const short = plainPhone(cell, country);
  if (short === undefined) return undefined;
  const long = parseFully(cell, country);
  const asLong = long.ok && long.assigned && long.mended === null ? long.phone : long;
  return { cell, country, short, asLong };
}

/** As people write a number at home and abroad. */
function waysToWrite(country: string, number: string): string[] {
  const code = COUNTRIES.includes(country as never)
    ? getCountryCallingCode(country as (typeof COUNTRIES)[number])
    : '';
  const national = number.slice(1 + code.length);
  const grouped = national.replace(/(\d{3})(?=\d{3})/g, '$1-');
  return [
    ...[number, `+${code} ${grouped}`, `+${code} (0)${national}`, `${code}${national}`],
    ...[
      `00${number.slice(1)}`,
      `011 ${number.slice(1)}`,
      national,
      `(${national.slice(0, 3)}) ${national.slice(3)}`,
    ],
    ...[`0${national}`, `0${grouped}`, `1${national}`, `1-${grouped}`, `8 ${national}`],
  ];
}

test('the short way says what the library says of the example numbers of all countries and types', () => {
  const said = EXAMPLES.flatMap(([region, , number]) =>
    waysToWrite(region, number).flatMap((cell) => [
      bothWays(cell, countryOf(region)),
      bothWays(cell, null),
      bothWays(cell, 'US'),
    ]),
  ).filter((one) => one !== undefined);
  expect(said.filter(({ short, asLong }) => short !== asLong)).toEqual([]);
  expect(said.length).toBeGreaterThan(3_000);
});

test('of the fixed and mobile example numbers nearly all go the short way', () => {
  const usual = EXAMPLES.filter(
    ([region, type]) => region !== '001' && (type === 'mobile' || type === 'fixedLine'),
  );
  const short = usual.filter(([, , number]) => plainPhone(number, null) === number);
  expect(short.length).toBeGreaterThan(usual.length * 0.9);
});

test('the short way says what the library says of any digits, in any country, however they are written', () => {
  let said = 0;
  const digits = fc.stringMatching(/^[0-9]{4,13}$/);
  const between = fc.constantFrom('', ' ', '-', '.', ') ', ' (');
  fc.assert(
    fc.property(
      fc.constantFrom(...COUNTRIES),
      fc.constantFrom(...EXAMPLES),
      fc.constantFrom('+', '', '0', '00', '1', '('),
      fc.boolean(),
      fc.nat(9),
      digits,
      between,
      (country, [region, , example], before, isHome, kept, random, mark) => {
        const home = isHome ? (countryOf(region) ?? country) : country;
        // The beginning of a real number, so that the digits fall into ranges that are in use.
        const skipped = before === '+' ? 1 : 1 + getCountryCallingCode(home).length;
        const start = example.slice(skipped, skipped + kept);
        const rest = random.slice(
          0,
          Math.max(0, example.length - skipped - kept + (random.length % 3) - 1),
        );
        const both = bothWays(`${before}${start}${mark}${rest}`, home);
        if (both === undefined) return;
        said += 1;
        expect(both.short).toEqual(both.asLong);
      },
    ),
    { numRuns: examples(4_000) },
  );
  expect(said).toBeGreaterThan(examples(200));
});

test('what may be a short code, a filler, a costly number or a spreadsheet’s is left to the library', () => {
  for (const cell of ['911', '+1 911', '+1 1234567890', '+1 222 222 2222', '+1 900 234 5678'])
    expect(plainPhone(cell, 'US')).toBeUndefined();
  expect(plainPhone('2125550100.0', 'US')).toBeUndefined();
  expect(plainPhone('011 44 20 7946 0958', 'US')).toBeUndefined();
  expect(plainPhone('212-555-0100', null)).toBeUndefined();
});
