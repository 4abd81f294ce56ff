import { describe, expect, test } from 'vitest';
import { callKind } from '../../../src/leads/columns/permission-columns.ts';
import { readRefusal } from '../../../src/leads/columns/words/read-refusal.ts';
import { HARMLESS, HEADERS, HERE, REFUSING, UNCLEAR, UNTIL } from './refusal-table.ts';

const TODAY = '2026-11-27';

test('the table has 500 texts in 30 languages at least, each with its source', () => {
  const all = [REFUSING, HARMLESS, HERE, UNTIL, UNCLEAR, ...Object.values(HEADERS)].flat();
  expect(all.length).toBeGreaterThanOrEqual(500);
  for (const table of [REFUSING, HARMLESS, HERE])
    expect(new Set(table.map(({ language }) => language)).size).toBeGreaterThanOrEqual(30);
});

describe('a cell', () => {
  test.each(REFUSING)('refuses calls, $language: $text ($source)', ({ text }) => {
    expect(readRefusal(text, TODAY)).toEqual({ kind: 'forever' });
  });
  test.each(HARMLESS)('refuses nothing, $language: $text ($source)', ({ text }) => {
    expect(readRefusal(text, TODAY)).toBeNull();
  });
  test.each(HERE)('holds in this campaign, $language: $text ($source)', ({ text }) => {
    expect(readRefusal(text, TODAY)).toEqual({ kind: 'here' });
  });
  test.each(UNTIL)('holds until a day, $language: $text', ({ text }) => {
    expect(readRefusal(text, TODAY)).toEqual({ kind: 'until', day: '2027-03-01' });
    expect(readRefusal(text, '2027-03-02')).toBeNull();
  });
  test.each(UNCLEAR)('is for a person to read, $language: $text', ({ text }) => {
    expect(readRefusal(text, TODAY)).toEqual({ kind: 'unclear' });
  });
});

describe.each(Object.entries(HEADERS))('a header is %s', (kind, headers) => {
  test.each(headers)('$language: $text ($source)', ({ text }) => {
    const found = callKind(text);
    expect(kind === 'none' ? [undefined, 'state', 'bare'] : [kind]).toContain(found);
  });
});

test('of two readings of a day the later one holds a refusal', () => {
  expect(readRefusal('Do not call until 03/01/2027', TODAY)).toEqual({
    kind: 'until',
    day: '2027-03-01',
  });
});
