import fc from 'fast-check';
import { getCountries, parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/max';
import { expect, test } from 'vitest';
import { everyNumber } from '../../../src/leads/phone/every-number.ts';
import { numberingPlan } from '../../../src/leads/phone/countries.ts';
import { parsePhone } from '../../../src/leads/phone/parse-phone.ts';

/** Any fixed and mobile numbers of a country by the patterns of its plan: those that the library knows as valid. */
function anyNumbers(country: CountryCode, many: number) {
  const { code, usual, longestMobile } = numberingPlan(country);
  const longest = longestMobile === 0 ? 15 : longestMobile;
  return usual.flatMap(({ lengths, pattern }) =>
    fc
      .sample(fc.stringMatching(pattern), { numRuns: many, seed: 11 })
      .filter((bare) => bare.length >= 7 && lengths.has(bare.length) && bare.length <= longest)
      .filter((bare) => parsePhoneNumberFromString(`+${code}${bare}`)?.isValid() === true)
      .map((bare) => ({ country, bare, phone: `+${code}${bare}`, few: lengths.size <= 3 })),
  );
}

const NUMBERS = getCountries().flatMap((country) => anyNumbers(country, 12));

/** As `parsePhone`, in words. */
function said(cell: string, ...rest: [CountryCode, 'code' | 'national' | undefined, boolean]) {
  const [country, style, isSaid] = rest;
  const parsed = parsePhone(cell, country, undefined, style, isSaid);
  if (parsed.ok) return parsed.phone;
  const { refusal, readings = [] } = parsed;
  return refusal.code === 'ambiguous_number' ? readings : refusal.code;
}

test('a number of any country with a plus and no country code rings nobody abroad where its row names the country', () => {
  const rings = NUMBERS.flatMap(({ country, bare, phone }) => {
    const found = said(`+${bare}`, country, undefined, true);
    // One that is valid in its own country as written, too, has its code: +49 4921471012.
    const isOwn = typeof found === 'string' && found.startsWith(`+${numberingPlan(country).code}`);
    return typeof found === 'string' && found.startsWith('+') && !isOwn
      ? [[country, bare, phone]]
      : [];
  });
  expect(rings).toEqual([]);
  expect(NUMBERS.length).toBeGreaterThan(4_000);
});

test('of countries whose numbers have few lengths, no country in the row is needed, nor where the column tells', () => {
  const rings = NUMBERS.flatMap(({ country, bare, few }) =>
    (few ? ([undefined, 'national'] as const) : (['national'] as const)).flatMap((style) => {
      const found = said(`+${bare}`, country, style, false);
      const isOwn =
        typeof found === 'string' && found.startsWith(`+${numberingPlan(country).code}`);
      return typeof found === 'string' && found.startsWith('+') && !isOwn ? [[country, bare]] : [];
    }),
  );
  expect(rings).toEqual([]);
});

test('each refusal has the number with its country code among both readings, and a suppression has them all', () => {
  const refused = NUMBERS.flatMap(({ country, bare, phone }) => {
    const found = said(`+${bare}`, country, undefined, true);
    return Array.isArray(found) ? [{ country, bare, phone, found }] : [];
  });
  expect(refused.filter(({ phone, found }) => !found.includes(phone as never))).toEqual([]);
  expect(refused.length).toBeGreaterThan(2_500);
  const few = refused.filter((_, n) => n % 20 === 0);
  const missed = few.filter(({ country, bare, found }) => {
    const all = everyNumber(`+${bare}`, country);
    return !found.every((phone) => all.includes(phone));
  });
  expect(missed).toEqual([]);
});

test('a number with its country code is read as written in a column of such numbers, whatever --country is', () => {
  const homes = ['US', 'GB', 'DE', 'FR', 'IT', 'AT', 'BR', 'MX', 'IN', 'CN', 'RU', 'JP'] as const;
  const others = NUMBERS.flatMap(({ phone, country }, n) => {
    const home = homes[n % homes.length] ?? 'US';
    const found = said(phone, home, 'code', false);
    return found === phone || found === said(phone, country, undefined, false)
      ? []
      : [[home, phone, found]];
  });
  expect(others).toEqual([]);
});

test('a digit is left out behind a plus only where that makes a number in use, which is noted', () => {
  const cells = NUMBERS.map(({ country, bare }) => `+${numberingPlan(country).code}0${bare}`);
  const silent = cells.flatMap((cell) => {
    const parsed = parsePhone(cell, null);
    if (!parsed.ok || parsed.phone === cell) return [];
    return parsed.assigned && parsed.mended !== null ? [] : [[cell, parsed.phone]];
  });
  expect(silent).toEqual([]);
});

test.each<[string, CountryCode, string | string[]]>([
  ['+6465550110', 'US', ['+16465550110', '+6465550110']],
  ['+64 65550110', 'US', '+6465550110'],
  ['+646-555-0110', 'US', ['+16465550110', '+6465550110']],
  ['(+646) 555-0110', 'US', ['+16465550110', '+6465550110']],
  ['+646 555 0110 / 27', 'US', ['+16465550110', '+6465550110']],
  ['+646 555 0110 mobile', 'US', ['+16465550110', '+6465550110']],
  ['\uff0b6465550110', 'US', ['+16465550110', '+6465550110']],
  ['+8605550120', 'US', ['+18605550120', '+8605550120']],
  ['+2105550121', 'US', ['+12105550121', '+2105550121']],
  ['+84951234567', 'RU', ['+74951234567', '+84951234567']],
  ['+4921471012', 'DE', '+4921471012'],
  ['+33612345678', 'DE', '+33612345678'],
  ['011 64 6 555 0110', 'US', '+6465550110'],
])('%s under --country %s is %j', (cell, country, expected) => {
  expect(said(cell, country, undefined, false)).toEqual(expected);
});

test('a digit behind the code is taken out only where that makes a number in use', () => {
  const phoneOf = (cell: string) => {
    const parsed = parsePhone(cell, null);
    return parsed.ok ? parsed.phone : parsed.refusal.code;
  };
  expect(phoneOf('+44 020 7946 0123')).toBe('+442079460123');
  for (const cell of ['+860 555 0120', '+440 555 0120', '+91 0555 012 3456'])
    expect(phoneOf(cell)).toBe('not_assignable');
});
