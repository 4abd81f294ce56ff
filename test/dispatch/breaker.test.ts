import { describe, expect, it } from 'vitest';
import { Breaker } from '../../src/dispatch/service-gate.ts';

const MINUTE = 60_000;

describe('a breaker', () => {
  it.each(['lost', 'unsent'] as const)('opens at the first dial that is %s, for a read', (end) => {
    const breaker = new Breaker();
    breaker.record('placed', 1);

    expect(breaker.record(end, 2)).toBe(0);

    expect([breaker.isOpen, breaker.readAt]).toEqual([true, 2]);
  });

  it('reads after 5 s, then after twice as long each time, after a minute at most', () => {
    const breaker = suspected();
    const gaps = [];
    for (let now = 0; gaps.length < 6; now = breaker.readAt) {
      breaker.recordRead(false, now);
      gaps.push(breaker.readAt - now);
    }

    expect(gaps).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
  });

  it('lasts once a read has failed ten minutes after the first one that did', () => {
    const breaker = suspected();
    breaker.recordRead(false, 0);
    expect(breaker.lasts(599_999)).toBe(false);

    expect(breaker.lasts(600_000)).toBe(true);
  });

  it('is on trial after a good read, until the service has taken a call', () => {
    const breaker = suspected();
    breaker.recordRead(true, 5_000);
    expect([breaker.isOpen, breaker.isOnTrial]).toEqual([false, true]);

    breaker.record('placed', 6_000);

    expect([breaker.isOpen, breaker.isOnTrial]).toEqual([false, false]);
  });

  it('rests for minutes at the second dial that fails after a good read, and gives up at the third', () => {
    const breaker = new Breaker();
    breaker.record('lost', 0);
    breaker.recordRead(true, 1);

    expect(breaker.record('lost', 2)).toBe(2 * MINUTE);
    expect(breaker.readAt).toBe(2 * MINUTE + 2);
    expect(breaker.failsForGood).toBe(false);

    breaker.recordRead(true, 3 * MINUTE);
    breaker.record('lost', 4 * MINUTE);
    expect(breaker.failsForGood).toBe(true);
  });

  it('rests twice as long the next time, unless twenty dials went well in between', () => {
    const breaker = new Breaker();
    const fail = () => {
      breaker.record('lost', 0);
      breaker.recordRead(true, 0);
      const restMs = breaker.record('lost', 0);
      breaker.recordRead(true, 0);
      return restMs;
    };
    const placed = (count: number) => {
      for (let n = 0; n < count; n++) breaker.record('placed', 0);
    };

    const rests = [fail(), (placed(5), fail()), (placed(19), fail()), (placed(20), fail())];

    expect(rests.map((ms) => ms / MINUTE)).toEqual([2, 4, 8, 2]);
  });

  it('counts dials that were in flight together once, and none whose failure left nobody in doubt', () => {
    const breaker = new Breaker();
    for (let n = 0; n < 16; n++) breaker.record('lost', 0);
    breaker.recordRead(true, 0);
    for (let n = 0; n < 8; n++) {
      breaker.record('unsent', 0);
      breaker.recordRead(true, 0);
    }

    expect(breaker.failsForGood).toBe(false);
    expect(breaker.record('lost', 0)).toBe(2 * MINUTE);
  });

  it('stays on trial while half of the last twenty dials have failed', () => {
    const breaker = new Breaker();
    for (let n = 0; n < 9; n++) breaker.record('placed', 0);
    for (let n = 0; n < 10; n++) breaker.record('lost', 0);
    breaker.recordRead(true, 0);

    breaker.record('placed', 0);
    expect(breaker.isOnTrial).toBe(true);
    for (let n = 0; n < 9; n++) breaker.record('placed', 0);
    expect(breaker.isOnTrial).toBe(true);

    breaker.record('placed', 0);
    expect(breaker.isOnTrial).toBe(false);
  });

  it('takes no other failure for a failed dial', () => {
    const breaker = suspected();
    for (let n = 0; n < 5; n++) {
      breaker.recordRead(true, 0);
      breaker.suspect(0);
    }

    expect([breaker.isOpen, breaker.failsForGood]).toEqual([true, false]);
  });
});

function suspected(): Breaker {
  const breaker = new Breaker();
  breaker.suspect(0);
  return breaker;
}
