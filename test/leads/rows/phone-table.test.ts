import { expect, test } from 'vitest';
import type { E164 } from '../../../src/domain/phone.ts';
import { PhoneTable } from '../../../src/leads/rows/row-numbers.ts';

test('a table of numbers knows each of them, its first line, and no other', () => {
  const table = new PhoneTable();
  const phoneAt = (n: number) => `+1212${n}` as E164;
  const numbers = Array.from({ length: 20_000 }, (_, n) => phoneAt(5_550_000 + n * 7));
  numbers.forEach((phone, line) => {
    expect(table.add(phone, line + 2)).toBeUndefined();
  });
  expect(table.add(numbers[5] ?? phoneAt(0), 99)).toBe(7);
  expect(table.size).toBe(20_000);
  expect(numbers.every((phone, line) => table.lineOf(phone) === line + 2)).toBe(true);
  expect(numbers.some((phone) => table.has(`${phone}0`) || table.has(phone.slice(0, -1)))).toBe(
    false,
  );
});

test('numbers of up to 15 digits are told apart by their last one', () => {
  const table = new PhoneTable();
  table.add('+999999999999998' as E164, 1);
  expect(table.has('+999999999999999')).toBe(false);
  expect(table.has('+999999999999998')).toBe(true);
});
