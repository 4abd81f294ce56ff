import { describe, expect, test } from 'vitest';
import { parseJson } from '../../../src/service/http/body.ts';

const nested = (depth: number, inner = '1') => '['.repeat(depth) + inner + ']'.repeat(depth);

test('what is no JSON has no value', () => {
  expect(parseJson('{"a":1')).toBeUndefined();
  expect(parseJson('')).toBeUndefined();
});

describe('an answer that is nested more than 200 deep is not read', () => {
  test.each([
    ['200 deep', nested(200), true],
    ['201 deep', nested(201), false],
    ['a hundred thousand deep', nested(100_000), false],
    ['brackets in a text', JSON.stringify({ a: `"\\${'['.repeat(500)}` }), true],
    ['a text that ends in a backslash', JSON.stringify([`${'x'.repeat(500)}\\`, '[']), true],
    ['side by side', `[${Array.from({ length: 500 }, () => '[1]').join()}]`, true],
  ])('%s', (_what, text, isRead) => {
    expect(parseJson(text) !== undefined).toBe(isRead);
  });
});
