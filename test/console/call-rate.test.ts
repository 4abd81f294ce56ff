import { expect, it } from 'vitest';
import { CallRates } from '../../src/console/desk.ts';
import { VirtualClock } from '../helpers/clock.ts';

it('how fast a campaign calls is known after 5 s of asking, and is that of the last minute', async () => {
  const clock = new VirtualClock();
  const rates = new CallRates(clock);
  expect(rates.look('spring', 0)).toBeNull();
  await clock.advance(4_000);
  expect(rates.look('spring', 4)).toBeNull();
  await clock.advance(4_000);
  expect(rates.look('spring', 8)).toBe(60);
  expect(rates.look('autumn', 500)).toBeNull();
  // Nobody looked for a while: what was before is no longer of the last minute.
  await clock.advance(58_000);
  expect(rates.look('spring', 8)).toBe(0);
  await clock.advance(70_000);
  expect(rates.look('spring', 300)).toBeNull();
});

it('many pages that ask at once change nothing of it', async () => {
  const clock = new VirtualClock();
  const rates = new CallRates(clock);
  for (let n = 0; n <= 10; n++) {
    for (let page = 0; page < 50; page++) rates.look('spring', n);
    await clock.advance(1_000);
  }
  expect(rates.look('spring', 11)).toBe(60);
});
