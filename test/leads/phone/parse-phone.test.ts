import { getCountries, type CountryCode } from 'libphonenumber-js/max';
import { expect, test } from 'vitest';
import { parsePhone } from '../../../src/leads/phone/parse-phone.ts';

function phoneOf(cell: string, country: CountryCode | null = null) {
  const parsed = parsePhone(cell, country);
  return parsed.ok ? parsed.phone : parsed.refusal.code;
}

/** Other ways to write one: see clean-phone.test.ts and every-spelling.test.ts. */
test.each([
  ['2125550123.0', 'US', '+12125550123'],
  ['011 44 20 7946 0123', 'US', '+442079460123'],
  ['00 44 20 7946 0123', 'US', '+442079460123'],
] as const)('%j with country %s is a whole number', (cell, country, phone) => {
  expect(phoneOf(cell, country)).toBe(phone);
});

test('a number without + and without a country is rejected, never guessed', () => {
  const parsed = parsePhone('212-555-0123', null);
  expect(parsed).toEqual({
    ok: false,
    refusal: {
      code: 'no_country',
      text: '"212-555-0123" has no + and country code; give its country (--country, such as US), or write it with +',
    },
  });
});

test('a number in pairs of digits and without a country is told what it needs', () => {
  expect(phoneOf('06 39 98 01 23', null)).toBe('no_country');
});

test('a number without + belongs to the country given, even where another would fit', () => {
  expect(phoneOf('442079460123', 'US')).toBe('too_long');
  expect(phoneOf('442079460123', 'GB')).toBe('+442079460123');
});

test.each([
  ['', 'phone_missing'],
  ['n/a', 'phone_missing'],
  ['call 212-555-0123', 'not_a_number'],
  ['+999 1234567', 'not_a_number'],
  ['9.19E+11', 'excel_scientific'],
  ['1,21255e10', 'excel_scientific'],
  ['+1 212 555 0123 ext. 45', 'has_extension'],
  ['2125550123;45', 'has_extension'],
  ['555-0123', 'too_short'],
  ['+1 212 555', 'too_short'],
  ['+1 212 555 01234', 'too_long'],
  ['0123456789', 'not_assignable'],
  ['+1 123 456 7890', 'not_assignable'],
  ['222-222-2222', 'not_assignable'],
])('%j is rejected as %s', (cell, code) => {
  expect(phoneOf(cell, 'US')).toBe(code);
});

test('short numbers are taken from the smallest plans only, with + and where the plan lists them', () => {
  expect(phoneOf('+43 12345')).toBe('+4312345');
  expect(phoneOf('12345', 'AT')).toBe('too_short');
  expect(phoneOf('+49 200000')).toBe('too_short');
});

test('a premium-rate, toll-free, personal or satellite number is never called', () => {
  const cells = ['+1 900 555 0123', '+1 800 555 0199', '+44 909 879 0123', '+44 70 1234 5678'];
  for (const cell of [...cells, '+61 1900 654 321', '+870 773 111 632', '+882 13300655']) {
    expect([cell, phoneOf(cell)]).toEqual([cell, 'never_called']);
  }
});

test('no emergency or service number of any country is called', () => {
  const short = '911 112 999 000 110 119 100 101 108 111 116000 116123 988 115 117 118 199';
  for (const country of getCountries()) {
    for (const cell of short.split(' ')) {
      const parsed = parsePhone(cell, country);
      expect([country, cell, parsed.ok]).toEqual([country, cell, false]);
    }
  }
});

test('a number of a new area code is taken, and marked as not known to be assigned', () => {
  const taken = { ok: true, phone: '+17295550123', assigned: false, mended: null };
  expect(parsePhone('+1 729 555 0123', null)).toEqual(taken);
  expect(parsePhone('+44 7700 900123', null)).toMatchObject({ ok: true, assigned: false });
});

test('a reason shows the value, cut when it is long', () => {
  const parsed = parsePhone('x'.repeat(60), 'US');
  expect(parsed).toMatchObject({
    refusal: { text: expect.stringContaining(`"${'x'.repeat(40)}..." is not`) as string },
  });
});
