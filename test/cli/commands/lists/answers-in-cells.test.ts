import { expect, it } from 'vitest';
import { desk } from '../../../helpers/callsheet.ts';
import { aPhone } from '../../../helpers/factory.ts';
import { AGENT, KEY, simulatedService } from '../../../helpers/services/simulated-service.ts';
import { csv } from '../../../e2e/lists/csv.ts';

const SET = ['--agent', AGENT, '--set', 'polling.floor=20ms', '--rules', 'always'];

/** The cells of a column whose people rang, and what was said; each cell is a row of its own. */
async function rung(
  header: string,
  cells: readonly string[],
  flags: readonly string[] = [],
  words = ['run', 'leads.csv'],
) {
  const service = await simulatedService({ fixedCallMs: 10 });
  const at = desk({ VOICE_API_URL: service.url, VOICE_API_KEY: KEY });
  at.write('leads.csv', csv([['phone', header], ...cells.map((cell, n) => [aPhone(n), cell])]));
  const { err } = await at.run([...words, ...SET, ...flags]);
  const phones = service.ledger().map((entry) => entry.phone_number);
  return { rang: cells.filter((_, n) => phones.includes(aPhone(n))), err };
}

const forms = (length: number) => Array.from({ length }, (_, n) => `form ${n} by post`);

it.each([
  ['Deceased', ['no', 'x', 'X', '✓', ''], ['no', '']],
  ['Wrong number', ['no', 'yes', 'DNC', 'opted out'], ['no']],
  ['Inactive', ['no', 'yes', 'no', 'no', 'please do not call'], ['no', 'no', 'no']],
  ['Active', ['yes', 'no', 'yes', 'yes', 'Do not call!'], ['yes', 'yes', 'yes']],
  ['Consent valid until', ['2999-01-31', '2999-02-28', '2999-03-31', '2999-04-30', 'no'], 4],
  ['Consent valid until', ['2999-01-31', '2999-02-28', '2999-03-31', '2999-04-30', ''], 5],
] as const)('nobody rings whom a cell of %s forbids to call: %j', async (header, cells, whom) => {
  const { rang } = await rung(header, cells);
  expect(rang).toEqual(typeof whom === 'number' ? cells.slice(0, whom) : whom);
});

it.each(['DNC @ 12/5', 'do not call @ home', 'DNC (ada@example.com)', 'Active: 0', 'Consent: 0'])(
  'a note that may forbid calls is asked about: %s',
  async (note) => {
    const { rang, err } = await rung('Notes', ['nice', note]);
    expect(rang).toEqual([]);
    expect(err).toContain(`"Notes" (column 2) may say who must not be called`);
    expect((await rung('Notes', ['nice', note], ['--map', 'refusals=Notes'])).rang).toEqual([
      'nice',
    ]);
  },
);

it.each([
  ['Phone approved', 'pending'],
  ['OK to call after', '18:00'],
])('a no far below answers of another kind is asked about: %s, %s', async (header, cell) => {
  const cells = [...Array<string>(250).fill(cell), 'no'];
  const { err } = await rung(header, cells, [], ['import', 'spring', 'leads.csv']);
  expect(err).toContain(`"${header}" (column 2) may say who must not be called`);
});

it.each(['', 'n/a', 'none'])(
  'nobody rings by a column of consents in which every cell is "%s", unless a person says that it is about something else',
  async (cell) => {
    const cells = [cell, cell];
    const { rang, err } = await rung('Phone consent', cells);
    expect(rang).toEqual([]);
    expect(err.replaceAll(/\s+/g, ' ')).toContain('or give the flag that they name');
    expect((await rung('Phone consent', cells, ['--map', 'ignore=Phone consent'])).rang).toEqual(
      cells,
    );
  },
);

it.each(['', 'no'])(
  'a consent far below the first rows makes empty ones none: first "%s", then yes',
  async (first) => {
    const cells = [first, ...Array<string>(250).fill(''), 'yes'];
    const { rang, err } = await rung('Consent to call', cells);
    expect(rang).toEqual(['yes']);
    expect(err).toContain('1 added');
  },
);

it.each(['2025-03-01', 'yes 2025-03-01'])(
  'a day of consent far below the first rows makes empty ones none: %s',
  async (day) => {
    const cells = ['no', ...Array<string>(250).fill(''), day];
    expect((await rung('May we call', cells)).rang).toEqual([day]);
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
    expect((await rung('Consent to calls', cells)).rang).toEqual([answer, answer]);
  },
);

it('a refusal of calls among hundreds of other refusals is asked about, and nobody rings', async () => {
  const days = Array.from({ length: 250 }, (_, n) => new Date(n * 86_400_000).toISOString());
  const cells = [...days.map((day) => `Unsubscribed ${day.slice(0, 10)}`), 'do not call'];
  const { rang, err } = await rung('E-mail status', cells);
  expect(rang).toEqual([]);
  expect(err).toContain('"E-mail status" (column 2) may say who must not be called');
});

it('a list is read to its end where an earlier list had no yes in its column of consents', async () => {
  const service = await simulatedService({ fixedCallMs: 10 });
  const at = desk({ VOICE_API_URL: service.url, VOICE_API_KEY: KEY });
  const list = (cells: string[]) =>
    csv([['phone', 'Consent'], ...cells.map((cell, n) => [aPhone(n), cell])]);
  at.write('a.csv', list(['denied', 'denied', '', '']));
  at.write('b.csv', list(['yes', 'yes', 'no', 'no']));
  await at.run(['import', 'spring', 'a.csv', ...SET]);
  const { err } = await at.run(['import', 'spring', 'b.csv', '--yes']);
  expect(err).toContain('b.csv');
});

it('an address in any column is no refusal', async () => {
  const cells = ['dnc@example.com', 'do-not-call@example.com'];
  expect((await rung('Contact', cells)).rang).toEqual(cells);
});
