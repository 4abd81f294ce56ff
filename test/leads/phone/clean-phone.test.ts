import type { CountryCode } from 'libphonenumber-js/max';
import { expect, test } from 'vitest';
import { parsePhone } from '../../../src/leads/phone/parse-phone.ts';

/** As with `--set numbers.extension=accept`. */
const ACCEPTING = { unassigned: 'accept', tollFree: 'refuse', extension: 'accept' } as const;

function read(cell: string, country: CountryCode | null = 'US') {
  const parsed = parsePhone(cell, country);
  return parsed.ok ? [parsed.phone, parsed.mended] : [parsed.refusal.code];
}

test.each<[string, string, string | null]>([
  ['2125550123.0', '+12125550123', "a spreadsheet's .0 taken off"],
  ["'+1 212 555 0123", '+12125550123', "a spreadsheet's marks taken off"],
  ['="2125550123"', '+12125550123', "a spreadsheet's marks taken off"],
  ['tel:+1-212-555-0123', '+12125550123', '"tel:" taken off'],
  ['212-555-0123 (mobile)', '+12125550123', '"mobile" taken off'],
  ['\u200e2125550123', '+12125550123', 'invisible signs taken out'],
  [
    '\u0968\u0967\u0968\u096b\u096b\u096b\u0966\u0967\u0968\u0969',
    '+12125550123',
    'its digits written as 0 to 9',
  ],
  ['\uff12\uff11\uff12-555-0123', '+12125550123', 'its digits written as 0 to 9'],
  ['(212) 555\u20110123', '+12125550123', null],
  [' 212.555.0123 ', '+12125550123', null],
  ['212-555-CALL', '+12125552255', 'its letters as digits'],
  ['1-212-FLOWERS', '+12123569377', 'its letters as digits'],
  ['212-555-0123 / 312-555-0123', '+12125550123', 'the first of several numbers'],
  ['2125550123;3125550123', '+12125550123', 'the first of several numbers'],
  ['2125550123 or 3125550123', '+12125550123', 'the first of several numbers'],
  ['2125550123\n3125550123', '+12125550123', 'the first of several numbers'],
  ['+1 212 555 0123 ::: +1 312 555 0123', '+12125550123', 'the first of several numbers'],
  [
    '800 555 0199; +13125550123',
    '+13125550123',
    'number 2 of several, as none before it can be called',
  ],
])('%j is mended to %s, and that is told: %s', (cell, phone, mended) => {
  expect(read(cell)).toEqual([phone, mended]);
});

test.each([
  ['2125550123,,456', 'has_extension'],
  ['212-555-XXXX', 'not_a_number'],
  ['212-555-0123 (assistant)', 'not_a_number'],
  ['212-555-0123 fax', 'not_a_number'],
  ['2.125E+9', 'excel_scientific'],
  ['2125550123; 3125550123; 45', 'several_numbers'],
])('%j is not mended but refused as %s: what it was is not known', (cell, code) => {
  expect(read(cell)).toEqual([code]);
});

test('a later number of a cell is not taken where it may lack its area code', () => {
  expect(read('030/23125004 oder 030 23125005', 'DE')[0]).toBe('+493023125004');
  expect(read('030 23125004 / 23125005', 'DE')[0]).toBe('+493023125004');
  expect(read('0900 5551234 / 23125005', 'DE')).toEqual(['never_called']);
});

test('letters are digits in North America only', () => {
  expect(read('212-555-CALL', 'GB')).toEqual(['not_a_number']);
  expect(read('+1 212 555 CALL', null)[0]).toBe('+12125552255');
});

test('a possible number of an unknown range is refused where the operator wants that', () => {
  const policy = { unassigned: 'refuse', tollFree: 'refuse' } as const;
  expect(parsePhone('+17295550123', null, policy)).toMatchObject({
    ok: false,
    refusal: { code: 'unassigned_number' },
  });
  expect(parsePhone('+12125550123', null, policy).ok).toBe(true);
});

test.each([
  ['+1 212 555 0123 ext. 45', '+12125550123', 'without its extension 45'],
  ['(212) 555-0123 x45', '+12125550123', 'without its extension 45'],
  ['tel:+1-212-555-0123;ext=45', '+12125550123', '"tel:" taken off, without its extension 45'],
  ['212-555-0123 #45', '+12125550123', 'without its extension 45'],
  ['+49 30 23125001 Durchwahl 12', '+493023125001', 'without its extension 12'],
  ['+33 1 99 00 12 34 poste 7', '+33199001234', 'without its extension 7'],
])('%j is %s where the operator accepts extensions, and that is told: %s', (cell, ...found) => {
  const parsed = parsePhone(cell, 'US', ACCEPTING);
  expect(parsed.ok ? [parsed.phone, parsed.mended] : parsed.refusal.code).toEqual(found);
});

test.each(['2125550123,,456', 'tel:2125550123;45', '2125550123; 3125550123; 45'])(
  'digits after %j are not taken for an extension: they may be what is left of another number',
  (cell) => {
    expect(parsePhone(cell, 'US', ACCEPTING).ok).toBe(false);
  },
);

test('a number with an extension is refused as long as nobody accepts it, and the reason says how', () => {
  const parsed = parsePhone('+1 212 555 0123 x45', 'US');
  expect(parsed).toMatchObject({ ok: false, refusal: { code: 'has_extension' } });
  expect(parsed).toHaveProperty(
    'refusal.text',
    expect.stringContaining('numbers.extension=accept'),
  );
});
