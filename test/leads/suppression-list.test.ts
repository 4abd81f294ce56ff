import { expect, test } from 'vitest';
import { numbersToSuppress } from '../../src/leads/suppression-list.ts';
import { tempList } from './temp-list.ts';

async function numbersOf(content: string, country: string | null = null) {
  const phones: string[] = [];
  const problems: string[] = [];
  for await (const piece of numbersToSuppress(tempList(content), { country })) {
    phones.push(...piece.phones);
    problems.push(...piece.problems.map(({ line, text }) => `${line}: ${text}`));
  }
  return { phones, problems };
}

test('every number of every column is suppressed, whichever comes first', async () => {
  const { phones, problems } = await numbersOf(
    'name,Mobile,Cell\nA,+12125550100,+12125550101\nB,,+12125550102\nC,n/a,\nD,+18005550199,\n',
  );
  expect(phones).toEqual(['+12125550100', '+12125550101', '+12125550102', '+18005550199']);
  expect(problems).toEqual(['4: the phone cell is "n/a"; fill in the number']);
});

test("the registry's flat format is area code and seven digits", async () => {
  expect((await numbersOf('212,5550100\r\n212,5550101\r\n')).phones).toEqual([
    '+12125550100',
    '+12125550101',
  ]);
});

test('a file of numbers alone needs no column names', async () => {
  expect((await numbersOf('2125550100\n2125550101\n', 'US')).phones).toHaveLength(2);
  expect((await numbersOf('2125550100\n2125550101\n')).problems[0]).toContain('--country');
});
