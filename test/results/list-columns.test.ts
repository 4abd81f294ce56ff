import { expect, test } from 'vitest';
import { ownColumns } from '../../src/results/columns.ts';
import type { ExportRow, List } from '../../src/store/port.ts';
import { START } from '../helpers/clock.ts';

const aList = (number: number, headers: string[]): List => ({
  id: `list_${number}`,
  path: `${number}.csv`,
  sha256: `${number}`,
  at: START,
  finishedAt: START,
  good: 1,
  rejected: 0,
  duplicates: 0,
  suppressed: 0,
  mapping: null,
  asOf: null,
  added: [],
  bytes: null,
  input: null,
  file: null,
  delimiter: null,
  encoding: null,
  sheet: null,
  complete: false,
  importer: null,
  number,
  headers,
});

const aRow = (list: number, cells: string[]) => ({ cursor: { list, line: 2 }, cells }) as ExportRow;

test('several lists share one set of columns, in order of first appearance', () => {
  const own = ownColumns([aList(1, ['name', 'phone']), aList(2, ['phone', 'city', 'name'])]);
  expect(own.headers).toEqual(['name', 'phone', 'city']);
  expect(own.cellsOf(aRow(1, ['A', '1']))).toEqual(['A', '1', '']);
  expect(own.cellsOf(aRow(2, ['2', 'X', 'B']))).toEqual(['B', '2', 'X']);
});

test('a header that a list has twice is two columns', () => {
  const own = ownColumns([aList(1, ['note', 'phone', 'note']), aList(2, ['note', 'note', 'note'])]);
  expect(own.headers).toEqual(['note', 'phone', 'note', 'note']);
  expect(own.cellsOf(aRow(1, ['a', '1', 'b']))).toEqual(['a', '1', 'b', '']);
  expect(own.cellsOf(aRow(2, ['x', 'y', 'z']))).toEqual(['x', '', 'y', 'z']);
});
