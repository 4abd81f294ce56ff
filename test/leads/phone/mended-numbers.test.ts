import type { CountryCode } from 'libphonenumber-js/max';
import { expect, test } from 'vitest';
import { everyNumber } from '../../../src/leads/phone/every-number.ts';
import { parsePhone } from '../../../src/leads/phone/parse-phone.ts';

function read(cell: string, country: CountryCode | null) {
  const parsed = parsePhone(cell, country);
  return parsed.ok ? parsed.phone : parsed.refusal.code;
}

test.each<[string, CountryCode | null, string]>([
  ['+49 (0) 30 23125001', null, '+493023125001'],
  ['49 (0) 30 23125001', null, '+493023125001'],
  ['0049 (0)30 23125001', 'US', '+493023125001'],
  ['+49-(0)-30-23125001', 'DE', '+493023125001'],
  ['+44 (0) 20 7946 0123', null, '+442079460123'],
  ['+7(0)9123456789', null, '+79123456789'],
  ['+7 (8) 912 345-67-89', null, '+79123456789'],
  ['+1 (1) 212 555 0123', null, '+12125550123'],
  ['+36 (06) 1 234 5678', null, '+3612345678'],
  ['+39 (0)2 12345678', null, '+390212345678'],
  ['(+49) 30 23125001', null, '+493023125001'],
  ['[+49] 30 23125001', null, '+493023125001'],
  ['(+49)(0)30 23125001', null, '+493023125001'],
  ['(+49 30) 23125001', null, '+493023125001'],
  ['+0049 30 23125001', null, '+493023125001'],
  ['++49 30 23125001', null, '+493023125001'],
  ['Tel.: +49 30 23125001', null, '+493023125001'],
  ['Tel +49 30 23125001', null, '+493023125001'],
  ['Tel. (privat): 030 23125001', 'DE', '+493023125001'],
  ['Handy: 0171 3920012', 'DE', '+491713920012'],
  ['M: 212-555-0123', 'US', '+12125550123'],
  ['p:+12125550123', null, '+12125550123'],
  ['+12125550123 mobile', null, '+12125550123'],
  ['+12125550123 (m)', null, '+12125550123'],
  ['+12125550123, cell', null, '+12125550123'],
  ['\u201c212-555-0123\u201d', 'US', '+12125550123'],
  ['\u00ab +33 1 99 00 12 34 \u00bb', null, '+33199001234'],
  ['callto:+12125550123', null, '+12125550123'],
  ['whatsapp:+12125550123', null, '+12125550123'],
  ['https://wa.me/12125550123', null, '+12125550123'],
  ['https://api.whatsapp.com/send?phone=12125550123&text=hi', null, '+12125550123'],
  ['tel:030-23125001;phone-context=+49', null, '+493023125001'],
  ['+52 1 55 1234 5678', null, '+525512345678'],
  ['52 1 55 1234 5678', 'MX', '+525512345678'],
  ['044 55 1234 5678', 'MX', '+525512345678'],
  ['+54 11 15 2345 6789', null, '+5491123456789'],
  ['011 15-2345-6789', 'AR', '+5491123456789'],
  ['0 15 11 96123 4567', 'BR', '+5511961234567'],
  ['(0xx11) 96123-4567', 'BR', '+5511961234567'],
  ['+55 0 15 11 96123 4567', null, '+5511961234567'],
  ['+49 30 23125001 / 27', null, '+493023125001'],
  ['+49 30 23125001/12-15', null, '+493023125001'],
  ['030/23125001/27', 'DE', '+493023125001'],
  ['06/12/34/56/78', 'FR', '+33612345678'],
  ['212-555-HOME', 'US', '+12125554663'],
])('%j of %s is read as %s, the one number that is left', (cell, country, phone) => {
  expect(read(cell, country)).toBe(phone);
});

test.each<[string, CountryCode | null, string]>([
  ['+39 (0)3123456789', null, 'ambiguous_number'],
  ['030 23125001 / 2712', 'DE', 'ambiguous_number'],
  ['+049 30 23125001', null, 'not_a_number'],
  ['+12125550123 fax', null, 'not_a_number'],
  ['+12125550123 old', null, 'not_a_number'],
  ['+12125550123 DO NOT CALL', null, 'not_a_number'],
  ['assistant: +12125550123', null, 'not_a_number'],
  ['f: +12125550123', null, 'not_a_number'],
])('%j of %s is refused as %s', (cell, country, code) => {
  expect(read(cell, country)).toBe(code);
});

test.each<[string, CountryCode | null, string[]]>([
  ['+49 30 23125001 / 27', null, ['+493023125001', '+493023125027']],
  ['030 23125004 / 23125005', 'DE', ['+493023125004', '+493023125005']],
  ['030 23125004; 040 66969001', 'DE', ['+493023125004', '+494066969001']],
  ['2125550123 3125550124', 'US', ['+12125550123', '+13125550124']],
  ['+1 212 555 0123 ext. 45', null, ['+12125550123']],
  ['2125550123,,456', 'US', ['+12125550123']],
  ['212-555-0123 (assistant)', 'US', ['+12125550123']],
  ['call 212-555-0123 after five', 'US', ['+12125550123']],
  ['+12125550123+13125550124', null, ['+12125550123', '+13125550124']],
  ['+1 800 555 0199 or +1 900 555 0123', null, ['+18005550199', '+19005550123']],
  ['4921471012', 'DE', ['+494921471012', '+4921471012']],
  ['+5491123456789', null, ['+5491123456789', '+541123456789']],
  ['+52 1 55 1234 5678', null, ['+525512345678', '+5215512345678']],
  ['+55 11 96123 4567', null, ['+5511961234567', '+551161234567']],
])('of %j in a suppression list every number counts (country %s)', (cell, country, phones) => {
  expect(everyNumber(cell, country)).toEqual(expect.arrayContaining(phones));
});

test('digits behind a slash are not appended, neither for calling nor for suppression', () => {
  for (const cell of ['+49 30 23125001 / 27', '+49 30 23125001/27', '030 23125001 / 27']) {
    expect(read(cell, 'DE')).toBe('+493023125001');
    expect(everyNumber(cell, 'DE')).not.toContain('+49302312500127');
  }
});

test.each([
  ['+43/1/5321234/1/2/3/4', 'AT', '+4315321234'],
  ['01/5321234/1/2/3/4/5', 'AT', '+4315321234'],
  ['03/1234/5678/1/2/3/4', 'JP', '+81312345678'],
  ['0171/2345678/1/2/3/4/5', 'DE', '+491712345678'],
  ['030/23125001/1/2/3/4/5/6/7/8', 'DE', '+493023125001'],
  ['01/5321234/12/13', 'AT', '+4315321234'],
  ['030 23125001/12/13', 'DE', '+493023125001'],
  ['06/12/34/56/78', 'FR', '+33612345678'],
  ['+33 6/12/34/56/78', 'FR', '+33612345678'],
] as const)('%s of %s is one number, for calling and for suppression', (cell, country, phone) => {
  expect(read(cell, country)).toBe(phone);
  expect(everyNumber(cell, country)).toContain(phone);
});

test.each(['212-555-CALL', '(212) 555-CALL', '212 PRETZEL', '1 212 PRETZEL', '212.555.CALL'])(
  'a number with letters is suppressed as it would be called: %s',
  (cell) => {
    const parsed = parsePhone(cell, 'US');

    expect(parsed.ok && everyNumber(cell, 'US')[0]).toBe(parsed.ok && parsed.phone);
    expect(parsed.ok).toBe(true);
  },
);
