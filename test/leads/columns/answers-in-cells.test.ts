import { expect, it } from 'vitest';
import { aPhone } from '../../helpers/factory.ts';
import { judged } from './judged.ts';

/** The cells of a column whose people would be called; each cell is a row of its own. */
async function whoRings(header: string, cells: readonly string[], target?: 'refusals' | 'ignore') {
  const rows = cells.map((cell, n) => [aPhone(n), cell]);
  const choices = target === undefined ? [] : [{ target, column: header }];
  const { called } = await judged(['phone', header], rows, choices);
  return called.map((n) => cells[n]);
}

const asked = (header: string) => `"${header}" (column 2) may say who must not be called`;

const forms = (length: number) => Array.from({ length }, (_, n) => `form ${n} by post`);

it.each([
  ['Deceased', ['no', 'x', 'X', '✓', ''], ['no', '']],
  ['Wrong number', ['no', 'yes', 'DNC', 'opted out'], ['no']],
  ['Inactive', ['no', 'yes', 'no', 'no', 'please do not call'], ['no', 'no', 'no']],
  ['Active', ['yes', 'no', 'yes', 'yes', 'Do not call!'], ['yes', 'yes', 'yes']],
  ['Consent valid until', ['2999-01-31', '2999-02-28', '2999-03-31', '2999-04-30', 'no'], 4],
  ['Consent valid until', ['2999-01-31', '2999-02-28', '2999-03-31', '2999-04-30', ''], 5],
] as const)('nobody rings whom a cell of %s forbids to call: %j', async (header, cells, whom) => {
  const whole = typeof whom === 'number' ? cells.slice(0, whom) : whom;
  expect(await whoRings(header, cells)).toEqual(whole);
});

it.each(['DNC @ 12/5', 'do not call @ home', 'DNC (ada@example.com)', 'Active: 0', 'Consent: 0'])(
  'a note that may forbid calls is asked about: %s',
  async (note) => {
    const cells = ['nice', note];
    await expect(whoRings('Notes', cells)).rejects.toThrow(asked('Notes'));
    expect(await whoRings('Notes', cells, 'refusals')).toEqual(['nice']);
  },
);

it.each([
  ['Phone approved', 'pending'],
  ['OK to call after', '18:00'],
])('a no far below answers of another kind is asked about: %s, %s', async (header, cell) => {
  const cells = [...Array<string>(250).fill(cell), 'no'];
  await expect(whoRings(header, cells)).rejects.toThrow(asked(header));
});

it.each(['', 'n/a', 'none'])(
  'nobody rings by a column of consents in which every cell is "%s", unless a person says that it is about something else',
  async (cell) => {
    const cells = [cell, cell];
    expect(await whoRings('Phone consent', cells)).toEqual([]);
    expect(await whoRings('Phone consent', cells, 'ignore')).toEqual(cells);
  },
);

it.each(['', 'no'])(
  'a consent far below the first rows makes empty ones none: first "%s", then yes',
  async (first) => {
    const cells = [first, ...Array<string>(250).fill(''), 'yes'];
    expect(await whoRings('Consent to call', cells)).toEqual(['yes']);
  },
);

it.each(['2025-03-01', 'yes 2025-03-01'])(
  'a day of consent far below the first rows makes empty ones none: %s',
  async (day) => {
    const cells = ['no', ...Array<string>(250).fill(''), day];
    expect(await whoRings('May we call', cells)).toEqual([day]);
  },
);

it.each([
  { beside: 'a long note', notes: ['asked by mail '.repeat(20)], answer: '2025-03-01' },
  { beside: 'a long note', notes: ['asked by mail '.repeat(20)], answer: 'until 2999-03-01' },
  { beside: 'many notes', notes: forms(120), answer: '2025-03-01' },
  { beside: 'very many notes', notes: forms(250), answer: 'yes' },
])(
  'a consent far below the first rows makes empty ones none beside $beside: $answer',
  async ({ notes, answer }) => {
    const cells = ['no', ...notes, ...Array<string>(250).fill(''), answer, answer];
    expect(await whoRings('Consent to calls', cells)).toEqual([answer, answer]);
  },
);

it('a refusal of calls among hundreds of other refusals is asked about, and nobody rings', async () => {
  const days = Array.from({ length: 250 }, (_, n) => new Date(n * 86_400_000).toISOString());
  const cells = [...days.map((day) => `Unsubscribed ${day.slice(0, 10)}`), 'do not call'];
  await expect(whoRings('E-mail status', cells)).rejects.toThrow(asked('E-mail status'));
});

it('an address in any column is no refusal', async () => {
  const cells = ['dnc@example.com', 'do-not-call@example.com'];
  expect(await whoRings('Contact', cells)).toEqual(cells);
});
