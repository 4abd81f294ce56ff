import fc from 'fast-check';
import { getCountries, getCountryCallingCode, type CountryCode } from 'libphonenumber-js/max';
import { describe, expect, test } from 'vitest';
import { everyNumber } from '../../../src/leads/phone/every-number.ts';
import { numberingPlan } from '../../../src/leads/phone/countries.ts';
import { parsePhone } from '../../../src/leads/phone/parse-phone.ts';
import { examples, shareOf } from '../../helpers/properties.ts';
import { exampleNumbers, OF_NOBODY, spellingsOf, type Example } from './spellings.ts';

const EXAMPLES = exampleNumbers().filter(({ phone }) => !OF_NOBODY.has(phone));
const SPELLINGS = new Map(EXAMPLES.map((example) => [example, spellingsOf(example)]));
/** Of an example number. */
const spelt = (example: Example) => SPELLINGS.get(example) ?? spellingsOf(example);
const [first] = EXAMPLES;
const KINDS = first === undefined ? { abroad: {}, home: {} } : spelt(first);
type Abroad = keyof ReturnType<typeof spellingsOf>['abroad'];
type Home = keyof ReturnType<typeof spellingsOf>['home'];

/** Fewer digits than a whole number has: without a plus they may be a service's. */
const isShort = ({ phone, country }: Example) =>
  phone.length - 1 - getCountryCallingCode(country).length < 7;

/** Where two numbers are left: Ascension has access numbers that begin with 0, Italy's fixed lines do. */
const TWO_WITH_ZERO = ['+24762889', '+24740123', '+393123456789'];

/** The default country is none for one of the two numbers of a country, and another one for the other. */
const OTHERS: (CountryCode | null)[] = [null, 'DE', null, 'US'];

/** With its country code each of them is a number of another place of the country, too. */
const CODES = ['ID 62218350123', 'ID 62812345678', 'SE 468123456', 'ZW 2631312345'];
const UNDECIDED: Partial<Record<Home, string[]>> = {
  'country code without plus': CODES.map((cell) => `${cell} ambiguous_number`),
  "a spreadsheet's": CODES.map((cell) => `${cell}.0 ambiguous_number`),
};

describe('an example number of every country is read as it is, with and without a default country,', () => {
  test.each(Object.keys(KINDS.abroad) as Abroad[])('written as %s', (kind) => {
    const others = EXAMPLES.flatMap((example, n) => {
      const cell = spelt(example).abroad[kind];
      const another = OTHERS[n % OTHERS.length] ?? null;
      return [example.country, another].flatMap((country) => {
        const parsed = parsePhone(cell, country);
        if (parsed.ok && parsed.phone === example.phone) return [];
        const why = parsed.ok ? parsed.phone : parsed.refusal.code;
        const isTwo = kind.startsWith('(0)') && TWO_WITH_ZERO.includes(example.phone);
        if (isTwo && why === 'ambiguous_number') return [];
        // The compact ones may be numbers of the other country without its code: refused, with both readings.
        const isHeld = country === another && !parsed.ok && parsed.readings?.length === 2;
        if (isHeld && parsed.readings?.some((one) => one === example.phone)) return [];
        if (kind === '00' && isShort(example) && why === 'too_short') return [];
        return [[cell, country, why]];
      });
    });
    expect(others).toEqual([]);
  });
});

describe('an example number of every country is read at home as it is, or refused for what speaks against it,', () => {
  test.each(Object.keys(KINDS.home) as Home[])('written as %s', (kind) => {
    const others = EXAMPLES.flatMap((example) => {
      const cell = spelt(example).home[kind];
      const parsed = parsePhone(cell, example.country);
      if (parsed.ok && parsed.phone === example.phone) return [];
      const why = parsed.ok ? parsed.phone : parsed.refusal.code;
      return why === 'too_short' && isShort(example) ? [] : [`${example.country} ${cell} ${why}`];
    });
    expect(others).toEqual(UNDECIDED[kind] ?? []);
  });
});

/**
 * Any fixed and mobile numbers, by the patterns of their numbering plan: the same ones at each run. Those longer than
 * any mobile number are left out: the patterns of fixed lines are open at their end.
 */
function anyNumbers(country: CountryCode, many: number): string[] {
  const { code, usual, longestMobile } = numberingPlan(country);
  const longest = longestMobile === 0 ? 15 : longestMobile;
  return usual.flatMap(({ lengths, pattern }) =>
    fc
      .sample(fc.stringMatching(pattern), { numRuns: many, seed: 7 })
      .filter((number) => lengths.has(number.length) && number.length <= longest)
      .map((number) => `+${code}${number}`),
  );
}

test('a number of any country with its code in front and no plus, or with no trunk prefix, is read as no other', () => {
  let read = 0;
  const wrong = getCountries().flatMap((country) =>
    anyNumbers(country, 8).flatMap((phone) => {
      const known = parsePhone(phone, null);
      // One that the library itself reads otherwise with its plus tells nothing.
      if (!known.ok || known.phone !== phone || !known.assigned) return [];
      const bare = phone.slice(1 + getCountryCallingCode(country).length);
      return [phone.slice(1), bare].flatMap((cell) => {
        const parsed = parsePhone(cell, country);
        if (parsed.ok) read += 1;
        return parsed.ok && parsed.phone !== phone ? [[country, cell, phone, parsed.phone]] : [];
      });
    }),
  );
  expect(wrong).toEqual([]);
  expect(read).toBeGreaterThan(1_500);
});

test('whatever an example number is read as when its country is not given, it is refused for that', () => {
  const taken = EXAMPLES.flatMap((example) =>
    Object.values(spelt(example).home).filter((cell) => parsePhone(cell, null).ok),
  );
  expect(taken).toEqual([]);
});

test('whoever is suppressed in one spelling is found in every other', () => {
  const missed = shareOf(EXAMPLES, 3).flatMap((example) => {
    const { abroad, home } = spelt(example);
    return [...Object.values(abroad), ...Object.values(home)].flatMap((cell) => {
      const found: string[] = everyNumber(cell, example.country);
      return found.includes(example.phone) ? [] : [[example.country, cell, found]];
    });
  });
  expect(missed).toEqual([]);
});

test('no spelling of a number rings a number that is not suppressed by every other spelling of it', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...EXAMPLES),
      fc.nat(),
      fc.nat(),
      fc.array(fc.nat(9), { minLength: 4, maxLength: 4 }),
      fc.constantFrom<'code' | 'national' | undefined>('code', 'national', undefined),
      (example, added, called, digits, style) => {
        // A number beside the example, in the same range as a rule.
        const phone = `${example.phone.slice(0, -4)}${digits.join('')}`;
        const { abroad, home } = spellingsOf({ ...example, phone });
        const cells = [...Object.values(abroad), ...Object.values(home)];
        const { country } = example;
        const suppressed: string[] = everyNumber(cells[added % cells.length] ?? '', country);
        const rings = parsePhone(cells[called % cells.length] ?? '', country, undefined, style);
        // A column's habit may be wrong of one of its cells: then the reading is one of the two.
        const isOfHabit = style !== undefined && rings.ok && rings.phone !== phone;
        if (suppressed.length === 0 || !rings.ok || isOfHabit) return;
        expect(suppressed).toContain(rings.phone);
      },
    ),
    { numRuns: examples(200) },
  );
});
