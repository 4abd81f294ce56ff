import fc from 'fast-check';
import { findPhoneNumbersInText, type CountryCode } from 'libphonenumber-js/max';
import { expect, test, vi } from 'vitest';
import { isE164 } from '../../../src/domain/phone.ts';
import { cleanPhone } from '../../../src/leads/phone/phone-cell.ts';
import { everyNumber, numbersWithin } from '../../../src/leads/phone/every-number.ts';
import { plainPhone } from '../../../src/leads/phone/phone-readings.ts';
import { examples, shareOf } from '../../helpers/properties.ts';
import { exampleNumbers, spellingsOf } from './spellings.ts';

const { shown } = vi.hoisted(() => ({ shown: vi.fn<(text: string) => void>() }));

vi.mock(import('libphonenumber-js/max'), async (original) => {
  const whole = await original();
  const find = (...given: [string]) => {
    shown(given[0]);
    return whole.findPhoneNumbersInText(...given);
  };
  return { ...whole, findPhoneNumbersInText: find };
});

/** What the library finds where it is shown the whole text. */
function byLibrary(text: string, country: CountryCode | null): string[] {
  const options = country === null ? {} : { defaultCountry: country };
  const found = findPhoneNumbersInText(text.replace(/[/;,|]+/g, '\n'), options);
  return found.map(({ number }) => number.number).filter(isE164);
}

/** Numbers that fill a line, from `+` on without punctuation: `everyNumber` reads these parts by itself. */
function plainLines(text: string, country: CountryCode | null): string[] {
  const lines = text.split(/[/;,|\n]+/).map((line) => line.trim());
  return lines.flatMap((line) => (/^\+\d+$/.test(line) ? (plainPhone(line, country) ?? []) : []));
}

const SPELLINGS = exampleNumbers().map((example) => {
  const { abroad, home } = spellingsOf(example);
  return { country: example.country, cells: [...Object.values(abroad), ...Object.values(home)] };
});

function expectAsByLibrary(cell: string, country: CountryCode | null): void {
  const { text } = cleanPhone(cell);
  const plain = plainLines(text, country);
  const found = new Set([...numbersWithin(text, country).filter(isE164), ...plain]);
  expect([cell, found]).toEqual([cell, new Set([...byLibrary(text, country), ...plain])]);
}

test('in every spelling of a number of every country the library finds what it finds in the whole text', () => {
  for (const [n, { country, cells }] of shareOf(SPELLINGS, 4).entries())
    for (const cell of cells)
      for (const home of [country, ([null, 'US', 'DE'] as const)[n % 3] ?? null])
        expectAsByLibrary(cell, home);
});

const BETWEEN = [' / ', '/', ', ', ';', ' or ', ' und ', '\n', ' - ', ' ', '  ', '. ', ' \u2013 '];
const LABELS = ['Tel.: ', 'call ', 'office ', 'M: ', 'Ann ', '12 High St, ', '08:30 '];
const BEFORE = ['', '', ...LABELS, '(', '2x 3x ', '#1 #2 #'];
const EXTENSIONS = [' x12', ' ext. 123', '#', ' (home)'];
const BEHIND = ['', '', ...EXTENSIONS, ' after 17:00', ', call 2 times', ')', ' 24/7'];

test('of several numbers in a cell, with words, labels and extensions, the same are found', () => {
  const one = fc.record({
    at: fc.nat(SPELLINGS.length - 1),
    spelling: fc.nat(),
    before: fc.constantFrom(...BEFORE),
    behind: fc.constantFrom(...BEHIND),
    between: fc.constantFrom(...BETWEEN),
  });
  fc.assert(
    fc.property(fc.array(one, { minLength: 1, maxLength: 4 }), fc.nat(2), (some, which) => {
      const parts = some.map(({ at, spelling, before, behind, between }) => {
        const cells = SPELLINGS[at]?.cells ?? [];
        return `${before}${cells[spelling % cells.length] ?? ''}${behind}${between}`;
      });
      const home = SPELLINGS[some[0]?.at ?? 0]?.country ?? null;
      const country = ([home, null, 'US'] as const)[which] ?? null;
      const cell = parts.join('');
      expectAsByLibrary(cell, country);
      const every: string[] = everyNumber(cell, country);
      const { text } = cleanPhone(cell);
      if (every.length > 0) expect(every).toEqual(expect.arrayContaining(byLibrary(text, country)));
    }),
    { numRuns: examples(150) },
  );
});

test('of more than 40 digits with no word between them, each part is read by itself', () => {
  const many = (separator: string, count = 9) =>
    Array.from({ length: count }, (_, n) => `212-555-010${n}`).join(separator);
  const phones = Array.from({ length: 9 }, (_, n) => `+1212555010${n}`);
  for (const separator of [' ', '  ', ' - ', ' \u2013 ', '\u2013', '. '])
    expect(everyNumber(many(separator), 'US')).toEqual(expect.arrayContaining(phones));
  expect(everyNumber(many(' ').replaceAll('-', '.'), 'US')).toEqual(expect.arrayContaining(phones));
  const bracketed = many(' ').replace(/212-/g, '(212) ');
  expect(everyNumber(bracketed, 'US')).toEqual(expect.arrayContaining(phones));
  expect(everyNumber(many(' +1 ').replaceAll('-', ' '), 'US')).toEqual(
    expect.arrayContaining(phones.slice(1)),
  );
});

test.each([
  [
    '2125550123 2125550124 2125550125 2125550126 415 555 2671',
    'US',
    ['+12125550126', '+14155552671'],
  ],
  ['212 555 0123 1 415 555 2671', 'US', ['+12125550123', '+14155552671']],
  ['030 23125010 030 23125011', 'DE', ['+493023125010', '+493023125011']],
  ['030 23125010 +49 30 23125011 030 23125012', 'DE', ['+493023125011', '+493023125012']],
  ['0171 2345678 0172 2345678 0173 2345678 0174 2345678', 'DE', ['+491712345678', '+491742345678']],
] as const)(
  '%s of %s are several numbers, each of which is suppressed',
  (cell, country, phones) => {
    expect(everyNumber(cell, country)).toEqual(expect.arrayContaining([...phones]));
  },
);

test('the library is not shown groups of digits that are too short for a number', () => {
  for (const unit of ['1/', '12:30 ', '+1 ', '0.', '1 ', '(1)', '1-']) {
    shown.mockClear();
    expect(everyNumber(`${unit.repeat(100)} or 212-555-0100`, 'US')).toContain('+12125550100');
    const texts = shown.mock.calls.map(([text]) => text.replace(/\D+/g, ''));
    expect([unit, texts.join('').length]).toEqual([unit, expect.toSatisfy((n: number) => n < 25)]);
  }
});
