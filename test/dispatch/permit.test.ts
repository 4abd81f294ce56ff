import { describe, expect, it } from 'vitest';
import { issuePermit } from '../../src/dispatch/dispatcher.ts';
import { VirtualClock } from '../helpers/clock.ts';

describe('a permit to send', () => {
  it('holds for five seconds', async () => {
    const clock = new VirtualClock();
    const permit = issuePermit(clock);

    await clock.advance(5_000);
    expect(permit()).toBe(true);
    await clock.advance(1);
    expect(permit()).toBe(false);
  });

  it('has expired when the wall clock alone has moved on: the machine was asleep', () => {
    const clock = new VirtualClock();
    const permit = issuePermit(clock);

    clock.setWall(clock.now() + 5_001);

    expect(permit()).toBe(false);
  });

  it('has expired when the wall clock was set back', () => {
    const clock = new VirtualClock();
    const permit = issuePermit(clock);

    clock.setWall(clock.now() - 5_001);

    expect(permit()).toBe(false);
  });

  it('has expired when the wall clock was set back by as much as has passed', async () => {
    const clock = new VirtualClock();
    const permit = issuePermit(clock);
    const issuedAt = clock.now();

    await clock.advance(60_000);
    clock.setWall(issuedAt);

    expect(permit()).toBe(false);
  });
});
