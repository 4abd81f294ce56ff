import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvRows, parseLenientCsv, RegularRows } from '../../../src/leads/read/csv-rows.ts';
import type { CsvRow } from '../../../src/leads/read/row.ts';
import { tempList } from '../temp-list.ts';
import { examples } from '../../helpers/properties.ts';

async function* pieces(...texts: string[]): AsyncGenerator<string> {
  yield* texts;
}

async function all(rows: AsyncIterable<CsvRow[]>): Promise<CsvRow[] | string> {
  const found: CsvRow[] = [];
  try {
    for await (const some of rows) found.push(...some);
  } catch (error) {
    // Which line it names depends on how far csv-parse had come.
    return (error as Error).message.replace(/line \d+/, 'a line');
  }
  return found;
}

/** The same text cut into pieces of so many characters; a decoder halves none either. */
function inParts(text: string, size: number): string[] {
  const characters = Array.from(text);
  const parts: string[] = [];
  for (let at = 0; at < characters.length; at += size)
    parts.push(characters.slice(at, at + size).join(''));
  return parts;
}

/** Reads regular rows piece by piece, and what is left as `csvRows` does. */
async function short(text: string, size: number): Promise<CsvRow[] | string> {
  const reader = new RegularRows(',');
  const found: CsvRow[] = [];
  const parts = [...inParts(text, size), ''];
  for (const [index, part] of parts.entries()) {
    const { rows, irregular } = reader.read(part, index === parts.length - 1);
    found.push(...rows);
    if (irregular === undefined) continue;
    const rest = pieces(...parts.slice(index + 1));
    const others = await all(
      parseLenientCsv('list.csv', ',', { first: irregular, line: reader.line, pieces: rest }),
    );
    return typeof others === 'string' ? others : [...found, ...others];
  }
  return found;
}

const cell = fc.oneof(
  fc.constantFrom('', 'a', ' ', '+1 212', "'=x", '"a"', '"a,b"', '"a\nb"', '"a""b"', '""'),
  fc.constantFrom('"', 'a"b', '"a"b', 'sep=', '"a\r\nb"', 'ü', '"ü\u{1f600}"'),
  fc.string({ maxLength: 4 }),
);
const lineEnd = fc.constantFrom('\n', '\n', '\r\n', '\r', '\n\n');
const text = fc
  .array(fc.tuple(fc.array(cell, { minLength: 1, maxLength: 4 }), lineEnd), { maxLength: 6 })
  .chain((rows) => {
    const whole = rows.map(([cells, end]) => cells.join(',') + end).join('');
    return fc.constantFrom(whole, whole.replace(/[\r\n]+$/, ''));
  });

test('regular rows are read as csv-parse reads them, wherever the text is cut, and the others by csv-parse', async () => {
  let regular = 0;
  await fc.assert(
    fc.asyncProperty(text, fc.integer({ min: 1, max: 9 }), async (whole, size) => {
      const long = await all(
        parseLenientCsv('list.csv', ',', { first: '', line: 1, pieces: pieces(whole) }),
      );
      expect(await short(whole, size)).toEqual(long);
      if (typeof long !== 'string') regular += 1;
    }),
    { numRuns: examples(700), seed: 7 },
  );
  expect(regular).toBeGreaterThan(examples(200));
});

test.each([
  ['a quote inside a cell', 'a"b,c\n', 'a"b,c\n'],
  ['something after a closing quote', '"a"b,c\n', '"a"b,c\n'],
  ['a quote that never closes', '"a,b\n', '"a,b\n'],
])('%s is left to csv-parse, from its row on', (_what, row, left) => {
  const { rows, irregular } = new RegularRows(',').read(`name,phone\n1,2\n${row}`, true);
  expect(rows.map(({ cells }) => cells)).toEqual([
    ['name', 'phone'],
    ['1', '2'],
  ]);
  expect(irregular).toBe(left);
});

test('a row without end is left to csv-parse before it fills the memory', () => {
  const reader = new RegularRows(',');
  const long = `"${'x'.repeat(150_000)}`;
  expect(reader.read(long, false).irregular).toBeUndefined();
  expect(reader.read(long.slice(1), false).irregular).toHaveLength(300_001);
});

test('lines are counted over cells of several lines, blank lines and an irregular row', async () => {
  const path = tempList('phone,note\n\n1,"a\r\nb"\r\n2,x\r3,y"z\n4,w\n');
  const read = await all(csvRows(path, { delimiter: ',', encoding: 'utf-8' }));
  expect(Array.isArray(read) ? read.map(({ line, cells }) => [line, cells[0]]) : read).toEqual([
    [1, 'phone'],
    [3, '1'],
    [5, '2'],
    [6, '3'],
    [7, '4'],
  ]);
});
