import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ListMapping } from '../../../src/domain/lists/list-mapping.ts';
import type { ColumnChoice } from '../../../src/leads/columns/column-choices.ts';
import { mapTable } from '../../../src/leads/columns/layout.ts';
import { callAnswers } from '../../../src/leads/columns/permission-answers.ts';
import { alignMapping } from '../../../src/leads/columns/remembered-mapping.ts';
import { aPhone } from '../../helpers/factory.ts';
import { examples } from '../../helpers/properties.ts';

type Rows = string[][];

const read = (headers: string[], rows: Rows, known: ListMapping[], choices: ColumnChoice[] = []) =>
  mapTable({ path: 'list.csv', headers, rows }, true, { known: () => known, choices });

/** The numbers of the rows that nothing keeps from being called. */
function wouldRing(rows: Rows, mapping: ListMapping): string[] {
  const answer = callAnswers(mapping, '');
  return rows.filter((cells) => answer(cells) === undefined).map(([phone = '']) => phone);
}

const columns = [
  ['Phone consent', ['yes', 'no', '', 'refused', '2026-01-05', 'x']],
  ['No calls', ['3', '1', 'yes', 'no', '']],
  ['Opt-in to calls', ['', 'no', 'yes', 'granted']],
  ['Do not call', ['', '0', 'no', 'yes', 'since May']],
  ['Status', ['open', 'DNC', '']],
  ['Work phone', ['', aPhone(900)]],
] as const;
const headers = ['Phone', ...columns.map(([header]) => header)];

test('nobody is called after another list with the same columns whom the list alone would not call', () => {
  const row = fc.tuple(...columns.map(([, cells]) => fc.constantFrom(...cells)));
  const list = fc
    .array(row, { minLength: 1, maxLength: 5 })
    .map((rows) => rows.map((cells, n): string[] => [aPhone(n), ...cells]));
  fc.assert(
    fc.property(list, list, (first, second) => {
      const before = read(headers, first, []);
      const alone = read(headers, second, []);
      const rings = wouldRing(second, read(headers, second, [before]));
      expect(wouldRing(second, alone)).toEqual(expect.arrayContaining(rings));
      // What was undecided in the first list may be decided in the second.
      if (before.unclear?.length === 0)
        expect(wouldRing(second, before)).toEqual(expect.arrayContaining(rings));
    }),
    { numRuns: examples(400) },
  );
});

test('what a person chose holds for the same columns in another order, with a new one among them', () => {
  const rows = [['1', aPhone(1), 'yes']];
  const chosen = read(
    ['Id', 'Line', 'Robin'],
    rows,
    [],
    [
      { target: 'phone', column: 'Line' },
      { target: 'doNotCall', column: 'Robin' },
    ],
  );
  const next = ['Robin', 'City', 'Id', 'Line'];
  const known = alignMapping(chosen, ['Id', 'Line', 'Robin'], next);
  expect(known && read(next, [['yes', 'Rome', '1', aPhone(1)]], [known])).toMatchObject({
    phones: [3],
    doNotCall: [0],
    chosen: [
      { target: 'phone', column: 3 },
      { target: 'doNotCall', column: 0 },
    ],
  });
  expect(alignMapping(chosen, ['Id', 'Line', 'Robin'], ['Id', 'Line'])).toBeUndefined();
});

test('a later choice replaces the earlier one for the same column, and the others stay', () => {
  const rows = [[aPhone(1), 'yes', 'no', aPhone(2)]];
  const of = ['Line', 'Robin', 'May', 'Other'];
  const first = read(
    of,
    rows,
    [],
    [
      { target: 'phone', column: 'Line' },
      { target: 'doNotCall', column: 'Robin' },
      { target: 'ignore', column: 'May' },
    ],
  );
  const second = read(
    of,
    rows,
    [first],
    [
      { target: 'ignore', column: 'Robin' },
      { target: 'phone', column: '#4' },
    ],
  );
  expect(second).toMatchObject({ phones: [3], doNotCall: [], ignored: [2, 1] });
});

test('a mapping stored before choices were kept opens no column, and keeps what was ignored', () => {
  const of = ['Phone', 'Agent Phone', 'Consent to call', 'Do Not Call', 'Robin'];
  const before = { phones: [0, 1], fields: {}, doNotCall: [3], ignored: [4] };
  expect(read(of, [[aPhone(1), aPhone(2), 'no', '', 'yes']], [before])).toMatchObject({
    phones: [0],
    doNotCall: [3],
    mayCall: [{ column: 2, emptyIsNo: false }],
    notTheirs: [1],
    ignored: [4],
  });
});
