import { expect, test } from 'vitest';
import { everyNumber } from '../../../src/leads/phone/every-number.ts';
import { parsePhone } from '../../../src/leads/phone/parse-phone.ts';
import type { CountryCode } from 'libphonenumber-js/max';

/** Where most eight to thirteen digits are a number, and where dots and pairs are usual. */
const HOMES: CountryCode[] = [
  'DE',
  'AT',
  'FR',
  'DK',
  'NO',
  'SG',
  'US',
  'GB',
  'IT',
  'ID',
  'SE',
  'IN',
];

test.each([
  ['2024-01-05', 'a date'],
  ['2024-1-5', 'a date'],
  ['2024/01/05', 'a date'],
  ['2024.01.05', 'a date'],
  ['05.01.2024', 'a date'],
  ['5.1.2024', 'a date'],
  ['05-01-2024', 'a date'],
  ['1/5/2024', 'a date'],
  ['12/25/2024', 'a date'],
  ['25/12/1984', 'a date'],
  ['12/25/24', 'a date'],
  ['2024-01-05 14:30', 'a date'],
  ['2024-01-05T14:30:00Z', 'a date'],
  ['05.01.2024 14.30', 'a date'],
  ['1/5/2024 2:30 PM', 'a date'],
  ['14:30', 'a time'],
  ['14:30:00', 'a time'],
  ['2:30 PM', 'a time'],
  ['192.168.10.12', 'an IP address'],
  ['10.0.0.255', 'an IP address'],
  ['212.255.123.123', 'an IP address'],
  ['1234567.89', 'a decimal number'],
  ['45296.604167', 'a decimal number'],
  ['1234567,89', 'a decimal number'],
  ['123456789.5', 'a decimal number'],
  ['52.520008', 'a decimal number'],
  ['-122.4194155', 'a negative number'],
  ['-4930123456', 'a negative number'],
  ['52.520008, 13.404954', 'a pair of coordinates'],
  ['52.520008,-13.404954', 'a pair of coordinates'],
  ['52.520008 13.404954', 'a pair of coordinates'],
  ['$1,234,567', 'an amount of money'],
  ['1.234.567,00 €', 'an amount of money'],
  ['£12345678', 'an amount of money'],
  ['12345678 EUR', 'an amount of money'],
  ['USD 12345678', 'an amount of money'],
  ['1,234,567', 'an amount, not the digits of a number'],
  ['1,234,567.89', 'an amount, not the digits of a number'],
  ['1.234.567,00', 'an amount, not the digits of a number'],
  ['12345678%', 'a percentage'],
  ['45.1234567 %', 'a percentage'],
  ['Fax: +49 30 23125001', 'a fax number'],
])(
  '%j is refused in every country as what it is, %s, and nobody is suppressed by it',
  (cell, what) => {
    for (const country of [...HOMES, null]) {
      const parsed = parsePhone(cell, country);
      const said = parsed.ok ? parsed.phone : parsed.refusal.text;
      expect([country, said]).toEqual([
        country,
        expect.stringContaining(` is ${what}, not a phone number;`),
      ]);
      if (what !== 'a fax number') expect(everyNumber(cell, country)).toEqual([]);
    }
  },
);

test.each([
  'A1234567890',
  'AB12345678',
  '12345678X',
  'INV-2024-0012345',
  '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  'DE89370400440532013000',
  '45296',
  '4111 1111 1111 1111',
])('%j, an id, a serial or an account, is refused in every country', (cell) => {
  for (const country of [...HOMES, null])
    expect([country, parsePhone(cell, country).ok]).toEqual([country, false]);
});

test.each<[string, CountryCode, string]>([
  ['03.53.01.67.89', 'FR', '+33353016789'],
  ['02 61 91 12 34', 'FR', '+33261911234'],
  ['030/23125001', 'DE', '+493023125001'],
  ['030.23125001', 'DE', '+493023125001'],
  ['171.3920012', 'DE', '+491713920012'],
  ['212.555.0123', 'US', '+12125550123'],
  ['212.5550123', 'US', '+12125550123'],
  ['1.212.555.0123', 'US', '+12125550123'],
  ['- 212-555-0123', 'US', '+12125550123'],
  ['22.345678', 'CY', '+35722345678'],
  ['70.123.45.67', 'SN', '+221701234567'],
])('%j in %s is a number all the same, written like something else', (cell, country, phone) => {
  const parsed = parsePhone(cell, country);
  expect(parsed.ok ? parsed.phone : parsed.refusal.text).toBe(phone);
});
