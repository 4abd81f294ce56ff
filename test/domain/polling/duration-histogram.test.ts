import { describe, expect, it } from 'vitest';
import { DurationHistogram } from '../../../src/domain/polling/poll-schedule.ts';

/** Half of all calls are assumed to be over after a minute, evenly. */
const assumed = (ageMs: number) => Math.min(1, ageMs / 120_000);

/** The share of calls that ended before an age, the assumed ones included. */
function overBy(times: DurationHistogram, ageMs: number): number {
  const sum = (calls: Float64Array) => calls.reduce((all, some) => all + some, 0);
  return sum(times.calls.slice(0, times.binOf(ageMs))) / sum(times.calls);
}

function learned(ends: number, afterMs: number, byMs: number): DurationHistogram {
  const times = new DurationHistogram(assumed, 1);
  for (let i = 0; i < ends; i++) times.learn({ afterMs, byMs });
  return times;
}

describe('what is known of when calls end', () => {
  it('is what is assumed at first', () => {
    expect(overBy(learned(0, 0, 0), 60_000)).toBeCloseTo(0.5, 1);
  });

  it('is soon what was seen', () => {
    const times = learned(50, 20_000, 25_000);
    expect(overBy(times, 19_000)).toBeLessThan(0.05);
    expect(overBy(times, 28_000)).toBeGreaterThan(0.9);
  });

  it('is exact where a webhook tells it', () => {
    const times = learned(50, 20_000, 20_000);
    expect(times.calls[times.binOf(20_000)]).toBeGreaterThanOrEqual(50);
  });

  it('is not blurred by rare polls: an end lies where others were seen to lie', () => {
    const times = learned(50, 20_000, 22_000);
    for (let i = 0; i < 50; i++) times.learn({ afterMs: 0, byMs: 60_000 });
    const around = overBy(times, 25_000) - overBy(times, 18_000);
    expect(around).toBeGreaterThan(0.8);
  });

  it('moves to shorter calls though no poll is early enough to see one', () => {
    const times = learned(100, 30_000, 33_000);
    for (let i = 0; i < 300; i++) times.learn({ afterMs: 0, byMs: 27_000 });
    expect(overBy(times, 15_000)).toBeGreaterThan(0.2);
  });

  it('counts every call once, also the longest', () => {
    const times = learned(1, 3_000_000, 30_000_000);
    times.learn({ afterMs: 8_000_000, byMs: 9_000_000 });
    const before = learned(0, 0, 0).calls.reduce((all, some) => all + some, 0);
    expect(times.calls.reduce((all, some) => all + some, 0) - before).toBeCloseTo(2, 6);
  });

  it('fades: old calls give way to new ones, and what is assumed stays', () => {
    const times = learned(5_000, 20_000, 20_000);
    times.fade();
    for (let i = 0; i < 700; i++) times.learn({ afterMs: 60_000, byMs: 60_000 });
    expect(overBy(times, 50_000)).toBeLessThan(0.55);
    const few = learned(50, 20_000, 20_000);
    const before = few.calls.slice();
    few.fade();
    expect(few.calls).toEqual(before);
  });

  it('has finer bins where calls are short', () => {
    const short = new DurationHistogram(assumed, 0.02);
    expect(short.edgesMs[1]).toBe(4);
    expect(short.binOf(52) - short.binOf(40)).toBeGreaterThanOrEqual(2);
    expect(overBy(short, 1_200)).toBeCloseTo(0.5, 1);
  });
});
