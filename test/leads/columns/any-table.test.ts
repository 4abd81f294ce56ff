import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvLine } from '../../../src/domain/lists/spreadsheet.ts';
import { readRows } from '../../../src/leads/rows/add-rows.ts';
import { countRow, newCounts, type ListRow } from '../../../src/leads/rows/list-row.ts';
import { scanList } from '../../../src/leads/rows/first-reading.ts';
import { tempList } from '../temp-list.ts';
import { examples } from '../../helpers/properties.ts';

const cell = fc
  .oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: fc.constantFrom('"', ',', ';', '\r', '\n', "'", '=', ' ', 'a', '+') }),
  )
  .filter((text) => !text.includes('\0'));
const phone = fc.oneof(
  cell,
  fc.integer({ min: 100, max: 130 }).map((n) => `+121255501${String(n % 100).padStart(2, '0')}`),
  fc.constantFrom(
    '',
    '212-555-0100',
    '9.1E+10',
    '911',
    '+1 800 555 0199',
    '2125550100; 2125550101',
  ),
);
const table = fc.array(fc.tuple(phone, cell, fc.oneof(fc.constant(''), cell)), {
  minLength: 1,
  maxLength: 30,
});

async function imported(rows: string[][]) {
  const header = csvLine(['phone', 'note', 'Do Not Call']);
  const list = await scanList(tempList(header + rows.map((row) => csvLine(row)).join('')));
  const read: ListRow[] = [];
  for await (const row of readRows(list, { country: 'US', refuseFictional: false }))
    read.push(...row);
  return { list, read };
}

test('whatever a table holds, its cells come in as they were written out', async () => {
  await fc.assert(
    fc.asyncProperty(table, async (rows) => {
      const { read } = await imported(rows);
      expect(read.map(({ cells }) => cells)).toEqual(rows);
    }),
    { numRuns: examples(80) },
  );
});

test('whatever a table holds, every row is one of good, rejected, duplicate and suppressed, at its own line', async () => {
  await fc.assert(
    fc.asyncProperty(table, async (rows) => {
      const { read, list } = await imported(rows);
      const counts = newCounts();
      for (const row of read) countRow(counts, row);
      const { good, rejected, duplicates, suppressed } = counts;
      expect(good + rejected + duplicates + suppressed).toBe(rows.length);
      expect(list.rows).toBe(rows.length);
      expect(new Set(read.map(({ line }) => line)).size).toBe(rows.length);
      const called = read.flatMap((row) => (row.kind === 'good' ? [row.phone] : []));
      expect(new Set(called).size).toBe(called.length);
    }),
    { numRuns: examples(60) },
  );
});
