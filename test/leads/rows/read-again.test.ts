import { expect, test } from 'vitest';
import type { ListRow } from '../../../src/leads/rows/list-row.ts';
import { readRows } from '../../../src/leads/rows/add-rows.ts';
import { scanList } from '../../../src/leads/rows/first-reading.ts';
import { tempList } from '../temp-list.ts';

test('a list that is read again gives the same rows, also under another country', async () => {
  const lines = [
    '212-555-0100',
    '+12125550101',
    'n/a',
    '212-555-0100',
    '2125550102.0',
    '020 7946 0123',
  ];
  const list = await scanList(tempList(`phone\n${lines.join('\n')}\n`));
  const read = async (country: 'US' | 'GB') => {
    const rows: ListRow[] = [];
    for await (const row of readRows(list, { country, refuseFictional: false })) rows.push(...row);
    return rows;
  };
  const first = await read('US');
  expect(await read('US')).toEqual(first);
  const british = await read('GB');
  expect(british[5]).toMatchObject({ kind: 'good', phone: '+442079460123' });
  expect(british[0]).not.toMatchObject({ phone: '+12125550100' });
  expect(await read('US')).toEqual(first);
});
