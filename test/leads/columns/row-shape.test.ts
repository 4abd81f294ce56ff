import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ListMapping } from '../../../src/domain/lists/list-mapping.ts';
import type { ListRow } from '../../../src/leads/rows/list-row.ts';
import { readRows } from '../../../src/leads/rows/add-rows.ts';
import { rowAlignment, rowShape } from '../../../src/leads/columns/row-shape.ts';
import { scanList } from '../../../src/leads/rows/first-reading.ts';
import { tempList } from '../temp-list.ts';
import { examples } from '../../helpers/properties.ts';

const MAPPING: ListMapping = { phones: [0], fields: {}, doNotCall: [2] };
const HEADINGS = ['phone', 'name', 'do not call', 'notes'];
const ROW = ['+12125550100', 'Al', '', ''];

function fitsIn(data: string[][], cells: string[], delimiter: string | null = ',') {
  const fit = rowAlignment(rowShape(HEADINGS, data, delimiter), MAPPING)(cells);
  return typeof fit === 'object' ? fit.kind : fit;
}

describe('a row', () => {
  test.each<[string, string[], string]>([
    ['of as many cells as headings fits', ROW, 'fits'],
    ['with empty cells at its end fits', [...ROW, '', ' '], 'fits'],
    ['with another cell is shifted', [...ROW, 'x'], 'shifted'],
    ['without its notes has few cells', ROW.slice(0, 3), 'few'],
    ['without the answer is short', ROW.slice(0, 2), 'short'],
    [
      'that ends with an empty cell and has a yes among the notes is shifted',
      ['+12125550100', 'Smith', 'John', 'yes', ''],
      'shifted',
    ],
    [
      'that ends with an empty cell and has a number beside its column is shifted',
      ['x', '+12125550100', '', '', ''],
      'shifted',
    ],
    [
      'that ends with an empty cell and has one that goes on after a comma is shifted',
      ['+12125550100', 'Smith', ' John', '', ''],
      'shifted',
    ],
    ['whose answer stands before its column is shifted', ['+12125550100', 'yes', ''], 'shifted'],
  ])('%s', (_what, cells, expected) => {
    expect(fitsIn([ROW, ROW], cells)).toBe(expected);
  });

  test('of a workbook may leave out empty cells, and has none beyond the headings', () => {
    expect(fitsIn([ROW], ['+12125550100'], null)).toBe('fits');
    expect(fitsIn([ROW], [...ROW, 'x'], null)).toBe('shifted');
  });

  test('ends with a delimiter where most rows do', () => {
    const ended = [...ROW.slice(0, 3), 'yes', ''];
    expect(fitsIn([ended, ended, ROW], ended)).toBe('fits');
  });
});

const phone = fc.constantFrom(
  '+12125550100',
  '(212) 555-0101',
  '212.555.0102',
  '4915123456',
  'n/a',
  '',
);
const text = fc.constantFrom('', 'Al', ' Jr.', 'yes', 'no', '2026-01-05', '"Smith, J"', '"a\nb"');
const row = fc
  .tuple(phone, fc.array(text, { maxLength: 5 }))
  .map((cells) => cells.flat().join(','));

async function fates(list: string): Promise<[line: number, fate: string][]> {
  const scanned = await scanList(tempList(list));
  const rows: ListRow[] = [];
  for await (const some of readRows(scanned, { country: 'US', refuseFictional: false }))
    rows.push(...some);
  return rows.map((one) => [one.line, one.kind === 'good' ? one.phone : one.refusal.text]);
}

test('a row is taken and refused alike, whether csv-parse has read it or the faster reader', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 12 }), async (rows) => {
      const head = `phone,name,do not call,notes\n`;
      // The second one leaves all below it to csv-parse.
      const [plain, bare] = ['+12125550199,Al B,,\n', '+12125550199,Al "B",,\n'];
      const body = rows.join('\n');
      expect(await fates(head + bare + body)).toEqual(await fates(head + plain + body));
    }),
    { numRuns: examples(50), seed: 13 },
  );
});
