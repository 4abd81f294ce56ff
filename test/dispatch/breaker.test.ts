import { describe, expect, it } from 'vitest';
import { Breaker } from '../../src/dispatch/breaker.ts';

describe('a breaker', () => {
  it('opens on the fifth failure in a row', () => {
    const breaker = new Breaker();
    for (let n = 0; n < 4; n++) expect(breaker.record('failure', n)).toBe(false);

    expect(breaker.record('failure', 4)).toBe(true);

    expect(breaker.isOpen).toBe(true);
    expect(breaker.probeAt).toBe(5_004);
  });

  it('does not open while good answers come between fewer failures than every second one', () => {
    const breaker = new Breaker();
    const answers = Array.from({ length: 300 }, (_, n) => (n % 5 < 3 ? 'good' : 'failure'));

    expect(answers.some((answer, n) => breaker.record(answer, n))).toBe(false);
  });

  it('opens when half of the last twenty failed, not before there are twenty', () => {
    const breaker = new Breaker();
    const answers = Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? 'failure' : 'good'));

    expect(answers.findIndex((answer, n) => breaker.record(answer, n))).toBe(19);
  });

  it('is probed after 5 s, then after twice as long each time, after a minute at most', () => {
    const breaker = opened();
    const gaps = [];
    for (let now = breaker.probeAt, last = 0; gaps.length < 6; now = breaker.probeAt) {
      gaps.push(now - last);
      breaker.recordProbe(false, now);
      last = now;
    }

    expect(gaps).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
  });

  it('gives up once a probe has failed ten minutes after it opened', () => {
    const breaker = opened();
    breaker.recordProbe(false, 599_999);
    expect(breaker.hasGivenUp()).toBe(false);

    breaker.recordProbe(false, 600_000);

    expect(breaker.hasGivenUp()).toBe(true);
  });

  it('is on trial after a good probe: the first failure opens it again, for longer', () => {
    const breaker = opened();
    breaker.recordProbe(true, 5_000);
    expect([breaker.isOpen, breaker.isOnTrial]).toEqual([false, true]);

    expect(breaker.record('failure', 6_000)).toBe(true);

    expect(breaker.isOpen).toBe(true);
    expect(breaker.probeAt).toBe(16_000);
  });

  it('forgets everything with the first good dial of the trial', () => {
    const breaker = opened();
    breaker.recordProbe(false, 5_000);
    breaker.recordProbe(true, 15_000);

    expect(breaker.record('good', 16_000)).toBe(false);

    expect([breaker.isOpen, breaker.isOnTrial]).toEqual([false, false]);
    for (let n = 0; n < 4; n++) expect(breaker.record('failure', 700_000)).toBe(false);
    expect(breaker.record('failure', 700_000)).toBe(true);
    expect(breaker.probeAt).toBe(705_000);
    expect(breaker.hasGivenUp()).toBe(false);
  });

  it('gives up too when for ten minutes every probe was good and every dial failed', () => {
    const breaker = opened();
    let now = 0;
    for (; !breaker.hasGivenUp() && now < 3_600_000;) {
      now = breaker.probeAt;
      breaker.recordProbe(true, now);
      breaker.record('failure', now);
    }

    expect(now).toBeGreaterThanOrEqual(600_000);
    expect(now).toBeLessThanOrEqual(660_000);
  });

  it('takes answers that were in flight when it opened for nothing', () => {
    const breaker = opened();

    expect(breaker.record('good', 1)).toBe(false);
    expect(breaker.record('failure', 1)).toBe(false);

    expect(breaker.isOpen).toBe(true);
    expect(breaker.probeAt).toBe(5_000);
  });
});

/** Open since 0. */
function opened(): Breaker {
  const breaker = new Breaker();
  for (let n = 0; n < 5; n++) breaker.record('failure', 0);
  return breaker;
}
