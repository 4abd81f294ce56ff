import { expect, it } from 'vitest';
import { isSent } from '../../../src/domain/lists/list-mapping.ts';

const input = { columns: {}, encoding: null, delimiter: null, sheet: null, asOf: null };
const importer = { host: 'here' };

it.each([
  ['was sent and nothing has taken it', { input, importer: null, finishedAt: null }, true],
  ['is being imported', { input, importer, finishedAt: null }, false],
  ['is imported', { input, importer: null, finishedAt: 1 }, false],
  ['was never sent', { input: null, importer: null, finishedAt: null }, false],
])('a list that %s', (_how, list, expected) => {
  expect(isSent(list)).toBe(expected);
});
