import { expect, test } from 'vitest';
import { parsePhone } from '../../../src/leads/phone/parse-phone.ts';
import { readRows } from '../../../src/leads/rows/add-rows.ts';
import { surveyList } from '../../../src/leads/import.ts';
import { tempList } from '../temp-list.ts';

/** What a survey says of each row and what an import reads after it: they are the same. */
async function phonesOf(cells: readonly string[], country = 'DE', header = 'phone') {
  const survey = await surveyList(tempList([header, ...cells].join('\n')), { country });
  const found: string[] = [];
  const options = { country: country as 'DE', refuseFictional: false };
  for await (const rows of readRows(survey.scanned, options)) {
    for (const row of rows) found.push(row.kind === 'good' ? row.phone : row.refusal.code);
  }
  expect(survey.good).toBe(found.filter((one) => one.startsWith('+')).length);
  return found;
}

test('forty German mobile numbers with their country code and no plus are read as they are', () => {
  for (let n = 0; n < 40; n++) {
    const cell = `4917604069${String(1000 + n).slice(1)}`;
    expect(parsePhone(cell, 'DE')).toMatchObject({ ok: true, phone: `+${cell}` });
  }
});

test('a number that is one with and without its country code is refused with both readings', () => {
  const parsed = parsePhone('4921471012', 'DE');
  expect(parsed).toMatchObject({
    ok: false,
    readings: ['+494921471012', '+4921471012'],
    refusal: {
      code: 'ambiguous_number',
      text: '"4921471012" can be +494921471012 or +4921471012, and nothing tells which; write it with + and country code, or with the 0 that numbers begin with at home, if they do',
    },
  });
  expect(parsePhone('04921471012', 'DE')).toMatchObject({ ok: true, phone: '+494921471012' });
  expect(parsePhone('+4921471012', 'DE')).toMatchObject({ ok: true, phone: '+4921471012' });
});

test('a column whose other numbers have their country code decides those in doubt, and that is noted', async () => {
  const cells = ['491713920001', '491713920002', '491713920003', '4921471012'];
  expect(await phonesOf(cells)).toEqual(cells.map((cell) => `+${cell}`));
  const survey = await surveyList(tempList(['phone', ...cells].join('\n')), { country: 'DE' });
  expect(survey.notes.mended_number?.example).toContain(
    'with its country code in front, as the others of its column',
  );
});

test('a column whose other numbers have none decides them the other way', async () => {
  const cells = ['3023125001', '3023125002', '3023125003', '4921471012'];
  expect((await phonesOf(cells)).at(-1)).toBe('+494921471012');
});

test('where the doubt stands does not matter: first, last, or after 51,000 other rows', async () => {
  const others = Array.from({ length: 3 }, (_, n) => `49171392000${n}`);
  expect((await phonesOf(['4921471012', ...others]))[0]).toBe('+4921471012');
  const many = Array.from(
    { length: 51_000 },
    (_, n) => `4930231${String(25_000 + (n % 1_000))}${n % 10}`,
  );
  const found = await phonesOf(['4921471012', ...many, '4921471013']);
  expect([found[0], found.at(-1)]).toEqual(['+4921471012', '+4921471013']);
});

test.each([
  ['too few others', ['491713920001', '491713920002', '4921471012']],
  [
    'others of both kinds',
    ['491713920001', '491713920002', '491713920003', '3023125001', '3023125002', '4921471012'],
  ],
  ['others with a trunk prefix', ['03023125001', '03023125002', '03023125003', '4921471012']],
  ['others with a plus', ['+491713920000', '+491713920001', '+491713920002', '4921471012']],
])('%s decide nothing', async (_, cells) => {
  expect((await phonesOf(cells)).at(-1)).toBe('ambiguous_number');
});

test('of two columns each has its own habit', async () => {
  const rows = [1, 2, 3].flatMap((n) => [`49171392000${n},`, `,302312500${n}`]);
  const cells = [...rows, '4921471012,', ',4921471013'];
  expect((await phonesOf(cells, 'DE', 'mobile phone,home phone')).slice(-2)).toEqual([
    '+4921471012',
    '+494921471013',
  ]);
});
