import { describe, expect, it } from 'vitest';
import { createRateLimiter } from '../../../src/service/http/send-permit.ts';
import { VirtualClock } from '../../helpers/clock.ts';

const closing = new AbortController().signal;

describe('turns of requests', () => {
  it('come evenly spaced, in the order in which they were asked for', async () => {
    const clock = new VirtualClock();
    const turns = createRateLimiter(4, clock, closing);
    const sent: [string, number][] = [];
    for (const name of ['first', 'second', 'third']) {
      void turns?.take().then(() => sent.push([name, clock.monotonic()]));
    }

    await clock.advance(0);
    await clock.advance(1_000);

    expect(sent).toEqual([
      ['first', 0],
      ['second', 250],
      ['third', 500],
    ]);
  });

  it('tell how many requests would be sent within a time', async () => {
    const clock = new VirtualClock();
    const turns = createRateLimiter(2, clock, closing);
    expect(turns?.within(0)).toBe(1);
    expect(turns?.within(1_000)).toBe(3);
    for (let i = 0; i < 5; i++) void turns?.take();
    expect(turns?.within(2_000)).toBe(0);
    expect(turns?.within(2_500)).toBe(1);
    await clock.advance(5_000);
    expect(turns?.within(0)).toBe(1);
  });

  it('are not needed without a limit', () => {
    expect(createRateLimiter(undefined, new VirtualClock(), closing)).toBeNull();
  });
});
