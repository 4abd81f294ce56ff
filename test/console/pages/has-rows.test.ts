import { expect, it, vi } from 'vitest';
import { hasRows } from '../../../src/console/pages/results/choice.ts';

// The pages read the address as soon as they are loaded.
vi.hoisted(() => vi.stubGlobal('location', new URL('http://localhost/')));

it.each([
  ['csv', 'name,call_result\n', false],
  ['csv', '"a ""b"",\nc",call_result\r\n', false],
  ['csv', 'name\nAnn\n', true],
  ['excel', '\uFEFFname;call_result\r\n', false],
  ['excel', '\uFEFFname;call_result\r\nAnn;answered\r\n', true],
  ['jsonl', '', false],
  ['jsonl', '{}\n', true],
  [null, 'name\n', false],
  ['xlsx', '', true],
] as const)('a file of %s with %j: whether anybody is in it: %s', async (format, text, is) => {
  expect(await hasRows(new Blob([text]), format)).toBe(is);
});
