import { expect, it } from 'vitest';
import { csvRows } from '../../../src/leads/read/csv-rows.ts';
import { rowSize } from '../../../src/leads/read/row.ts';
import { tempList } from '../temp-list.ts';

it('rows of very many cells are passed on a few at a time, so that they do not fill the memory', async () => {
  const wide = `a${','.repeat(300_000)}\n`;
  const path = tempList(`phone\n${wide.repeat(12)}`);
  let rows = 0;
  for await (const batch of csvRows(path, { delimiter: ',', encoding: 'utf-8' })) {
    rows += batch.length;
    expect(batch.reduce((sum, row) => sum + rowSize(row), 0)).toBeLessThan(12_000_000);
  }
  expect(rows).toBe(13);
});
