import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asMoney, MoneySum } from '../../src/domain/money.ts';

describe('an amount that a service gives is read as decimal text', () => {
  test.each<[string, unknown, string]>([
    ['a whole number', 13, '13'],
    ['a number with zeros at its end', 1200, '1200'],
    ['a fraction', 0.12, '0.12'],
    ['cents that were divided', 12.3 / 100, '0.123'],
    ['a sum of fractions', 0.1 + 0.2, '0.3'],
    ['a difference of fractions that leaves only noise', 0.3 - (0.1 + 0.2), '0'],
    ['a third', 1 / 3, '0.333333333333333'],
    ['less than a millionth', 1.5e-7, '0.00000015'],
    ['a number with a minus', -0.013, '-0.013'],
    ['zero', 0, '0'],
    ['zero with a minus', -0, '0'],
    ['the largest', 1e12, '1000000000000'],
    ['the lowest', -1e12, '-1000000000000'],
    ['just below the largest', 999_999_999_999.99, '999999999999.99'],
    ['text', '0.12', '0.12'],
    ['text with zeros at its end', '0.0150', '0.015'],
    ['text with zeros in front', '007.50', '7.5'],
    ['text of a whole number', '100', '100'],
    ['text with nothing but zeros behind the point', '12.00', '12'],
    ['text of zero with a minus', '-0.00', '0'],
    ['text with a minus', '-0.01300', '-0.013'],
    ['text with a plus', '+0.5', '0.5'],
    ['text that begins with a point', '.5', '0.5'],
    ['text that ends with a point', '5.', '5'],
    ['text with blanks around it', ' 0.5\n', '0.5'],
    ['text with an exponent', '1.5E-05', '0.000015'],
    ['text of a binary fraction', '0.12300000000000001', '0.123'],
    [
      'text of a binary fraction to its last digit',
      '0.1000000000000000055511151231257827021181583404541015625',
      '0.1',
    ],
  ])('%s', (_, given, text) => {
    expect(asMoney(given)).toBe(text);
  });

  test.each<[string, unknown]>([
    ['NaN', NaN],
    ['infinity', Infinity],
    ['more than a billion of thousands', 1e12 + 1],
    ['the same below zero', -1e12 - 1],
    ['a date in ms as text', '1767625200000'],
    ['text of more than any number', '1e999'],
    ['no text', ''],
    ['blanks', ' '],
    ['a word', 'free'],
    ['an amount with its unit', '0.12 USD'],
    ['an amount with a sign of its currency', '$0.12'],
    ['thousands set apart', '1,234.50'],
    ['a decimal comma', '0,12'],
    ['a number in another notation', '0x10'],
    ['nothing', null],
    ['true', true],
    ['an object', { amount: 1 }],
    ['a list', [1]],
    ['a BigInt', 1n],
  ])('%s is none', (_, given) => {
    expect(asMoney(given)).toBeUndefined();
  });

  test('any amount of so many digits comes through digit by digit, as number and as text', () => {
    const amount = fc.tuple(
      fc.bigInt({ min: -(10n ** 15n) + 1n, max: 10n ** 15n - 1n }),
      fc.nat(14),
    );
    fc.assert(
      fc.property(amount, ([units, places]) => {
        const text = decimal(units, places);
        fc.pre(Math.abs(Number(text)) <= 1e12);
        expect([asMoney(text), asMoney(Number(text))]).toEqual([text, text]);
        // So JSON and a workbook may hold it as a number.
        expect(asMoney(Number(asMoney(text)))).toBe(text);
      }),
    );
  });

  test('a long run of digits is told from an amount at once', () => {
    expect(asMoney(`${'1'.repeat(1_000_000)}x`)).toBeUndefined();
    expect(asMoney(`${' '.repeat(1_000_000)}x`)).toBeUndefined();
  });
});

describe('amounts add up', () => {
  test.each<[readonly string[], string]>([
    [[], '0'],
    [['0.1', '0.2'], '0.3'],
    [Array.from({ length: 10 }, () => '0.1'), '1'],
    [['0.5', '-0.5'], '0'],
    [['-0.013', '0.01'], '-0.003'],
    [['-2', '1.5'], '-0.5'],
    [['1', '2', '10'], '13'],
    [['1000000000000', '0.00000015'], '1000000000000.00000015'],
    [['0.001', '0.009'], '0.01'],
  ])('%j to %s', (amounts, total) => {
    const sum = new MoneySum();
    for (const amount of amounts) sum.add(amount);
    expect(sum.toString()).toBe(total);
  });

  test('in any order and number without a rounding', () => {
    const some = fc.array(fc.tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.nat(18)));
    fc.assert(
      fc.property(some, (amounts) => {
        const sum = new MoneySum();
        for (const [units, places] of amounts) sum.add(decimal(units, places));
        const exact = amounts.reduce(
          (total, [units, p]) => total + units * 10n ** BigInt(18 - p),
          0n,
        );
        expect(sum.toString()).toBe(decimal(exact, 18));
      }),
    );
  });
});

/** So many units of the last of so many places, without zeros at the end. */
function decimal(units: bigint, places: number): string {
  const digits = String(units < 0n ? -units : units).padStart(places + 1, '0');
  const point = digits.length - places;
  const text = places === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
  const trimmed = places === 0 ? text : text.replace(/0+$/, '').replace(/\.$/, '');
  return units < 0n ? `-${trimmed}` : trimmed;
}
