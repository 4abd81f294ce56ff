import { expect, it } from 'vitest';
import { bestOf, tryOthers, type Trial } from '../../../src/app/rehearsal/rehearse.ts';

/** A list that keeps one line busy for so many nights, and never takes fewer than `least`. */
function trialOf(concurrency: number, lineNights: number, least = 1): Trial {
  const nights = Math.max(least, Math.ceil(lineNights / concurrency));
  return { concurrency, nights, calls: 100, finishedAt: 0 };
}

it('the smallest concurrency with the fewest nights is found, to a tenth', async () => {
  const first = trialOf(5, 45, 2);
  const trials = await tryOthers(first, 1_000, async (one) => trialOf(one, 45, 2));
  expect(trials.map(({ concurrency }) => concurrency)).toEqual(
    trials.map(({ concurrency }) => concurrency).toSorted((a, b) => a - b),
  );
  expect(first.nights).toBe(9);
  const best = bestOf(trials, first);
  expect(best?.nights).toBe(2);
  expect(best?.concurrency).toBeGreaterThanOrEqual(23);
  expect(best?.concurrency).toBeLessThanOrEqual(26);
});

it('nothing above the limit of the service is tried', async () => {
  const tried: number[] = [];
  await tryOthers(trialOf(5, 45), 12, async (one) => {
    tried.push(one);
    return trialOf(one, 45);
  });
  expect(Math.max(...tried)).toBe(12);
});

it('a list that is done in one night needs no other concurrency', async () => {
  const first = trialOf(5, 4);
  const trials = await tryOthers(first, 100, () => Promise.reject(new Error('was tried')));
  expect([trials, bestOf(trials, first)]).toEqual([[first], null]);
});

it('where hours and retries decide, no concurrency is called better', async () => {
  const first = trialOf(5, 12, 3);
  const trials = await tryOthers(first, 100, async (one) => trialOf(one, 12, 3));
  expect([trials.length, bestOf(trials, first)]).toEqual([2, null]);
});

it('what was rehearsed before the time was up counts', async () => {
  const first = trialOf(5, 45);
  const trials = await tryOthers(first, 100, async (one) => (one > 10 ? null : trialOf(one, 45)));
  expect(bestOf(trials, first)).toMatchObject({ nights: 5 });
});
