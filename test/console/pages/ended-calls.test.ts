import { expect, it } from 'vitest';
import { withEnded } from '../../../src/console/pages/campaign/ended-calls.ts';

const call = (n: number) => ({
  ...{ phone: `+121255501${n}`, line: n, result: 'answered' },
  ...{ sentiment: null, durationSeconds: 5, endedAt: n },
});
const lines = (calls: ReturnType<typeof withEnded>) => calls.map(({ line }) => line);

it('calls that ended stand newest first, the last twenty of them', () => {
  const first = withEnded([], [call(1), call(2)]);
  expect(lines(first)).toEqual([2, 1]);
  const many = Array.from({ length: 30 }, (_, n) => call(10 + n));
  expect(lines(withEnded(first, many))).toEqual(Array.from({ length: 20 }, (_, n) => 39 - n));
});

it('calls that a stream brings once more, as it began anew, stand once', () => {
  const first = withEnded([], [call(1), call(2), call(3)]);
  expect(lines(withEnded(first, [call(2), call(3), call(4)]))).toEqual([4, 3, 2, 1]);
});
