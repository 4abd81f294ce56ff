import { expect, test } from 'vitest';
import { likelyLength } from '../../src/domain/lead.ts';

test.each([
  ['a call made two seconds ago did not last 83,000 s', 83_000_000, 2_000, 83_000],
  ['nor did one of which so much is not possible', 2_000_000, 1_999_999, 2_000],
  ['a long call was possible', 2_000_000, 2_000_000, 2_000_000],
  ['999 ms are hardly a call', 999_000, 2_000, 999_000],
  ['nothing is nothing', 0, 2_000, 0],
])('%s', (_, readMs, possibleMs, likely) => {
  expect(likelyLength(readMs, possibleMs)).toBe(likely);
});
