import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { surveyList } from '../../src/leads/import.ts';
import { tempList } from './temp-list.ts';

test('a survey counts what an import would do, and writes nothing', async () => {
  const path = tempList(
    'name,Mobile,Work Phone,country,note\nA,+12125550100,,,\nB,x,,,\nC,y,,,\nD,z,,,\nE,w,,,\nF,+17295550101,,\nG,+12125550100,,US,\n',
  );
  const survey = await surveyList(path, { country: null });
  expect(survey).toMatchObject({
    rows: 7,
    good: 2,
    rejected: 4,
    duplicates: 1,
    fictional: 2,
    byReason: { not_a_number: 4, duplicate_in_list: 1 },
    notes: {
      ragged_row: { count: 1, example: expect.stringContaining('line 7 has 4 cells') as string },
      unassigned_number: { count: 1 },
    },
    phoneColumn: 'Mobile',
  });
  const numbers = ['+12125550100', '+17295550101', '+12125550102'];
  expect(numbers.map((phone) => survey.phones.has(phone))).toEqual([true, true, false]);
  expect(survey.examples.map(({ line }) => line)).toEqual([3, 4, 5, 8]);
  expect(readdirSync(dirname(path))).toEqual(['list.csv']);
});

test('a survey takes the country by code or name, and refuses another word', async () => {
  const path = tempList('phone\n020 7946 0123\n');
  for (const country of ['GB', 'gb', 'UK', 'United Kingdom']) {
    expect(await surveyList(path, { country })).toMatchObject({ good: 1 });
  }
  await expect(surveyList(path, { country: 'England?' })).rejects.toMatchObject({
    code: 'COUNTRY_UNKNOWN',
    message:
      '"England?" is not a country: give its name or its two-letter code, such as US, GB or DE (ISO 3166).',
  });
});

test('the sample list has sixty rows: most good, all fictional, some bad in every common way', async () => {
  const survey = await surveyList('data/samples/leads.csv', { country: 'US' });
  expect(survey).toMatchObject({ rows: 60, phoneColumn: 'phone' });
  expect(survey.fictional).toBe(survey.good);
  expect(survey.byReason).toEqual({
    phone_missing: 2,
    too_short: 2,
    excel_scientific: 1,
    duplicate_in_list: 1,
    has_extension: 1,
  });
  const without = await surveyList('data/samples/leads.csv', { country: null });
  expect(without.byReason.no_country).toBeGreaterThan(0);
});

test.each([
  ['accents', `e${'\u0301\u0316'.repeat(40_000)}`],
  ['blanks', `123456${' '.repeat(80_000)}hello`],
  ['dots', `1${'.'.repeat(80_000)}x`],
])('a cell of 80,000 %s is judged at once, in any column', async (_, text) => {
  const headers = ['Phone', 'Id', 'Email', 'Country', 'State', 'Time zone', 'Do not call', 'Notes'];
  const rows = headers.slice(1).map((_header, n) => {
    const cells = headers.map((__, at) => (at === 0 ? `+1212555010${n}` : ''));
    cells[n + 1] = `"${text}"`;
    return cells.join(',');
  });
  const list = tempList([headers.join(','), ...rows, `"${text}",,,,,,,`].join('\n'));
  const survey = await surveyList(list, { country: 'US' });
  expect(survey).toMatchObject({ rows: 8, suppressed: 1 });
  expect(survey.byReason).toMatchObject({ not_a_number: 1, unknown_timezone: 1 });
});
