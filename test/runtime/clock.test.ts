import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/runtime/clock.ts';
import { START, VirtualClock } from '../helpers/clock.ts';

const A_CENTURY_MS = 100 * 365 * 86_400_000;

describe('systemClock', () => {
  it('tells the wall time as epoch ms', () => {
    const before = Date.now();
    const now = systemClock.now();

    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(Date.now());
  });

  it('has a monotonic clock that never goes back', () => {
    const first = systemClock.monotonic();

    expect(systemClock.monotonic()).toBeGreaterThanOrEqual(first);
  });

  it('ends a sleep by itself, and takes a negative time for none', async () => {
    await systemClock.sleep(1);
    await systemClock.sleep(-A_CENTURY_MS);

    expect(systemClock.now()).toBeGreaterThan(START);
  });

  it('ends a sleep of any length at once when its signal aborts, without an error', async () => {
    const controller = new AbortController();
    const sleep = systemClock.sleep(A_CENTURY_MS, controller.signal);

    controller.abort();

    await sleep;
  });

  it('does not begin to sleep when its signal has aborted already', async () => {
    await systemClock.sleep(A_CENTURY_MS, AbortSignal.abort());
  });
});

describe('VirtualClock', () => {
  it('wakes those too that go to sleep while it moves', async () => {
    const clock = new VirtualClock();
    const beats: number[] = [];
    const beat = async () => {
      for (let i = 0; i < 10; i++) {
        await clock.sleep(100);
        beats.push(clock.monotonic());
      }
    };
    const beating = beat();

    await clock.advance(1_000);
    await beating;

    expect(beats).toEqual([100, 200, 300, 400, 500, 600, 700, 800, 900, 1_000]);
  });

  it('wakes those who sleep for the same time in the order in which they came, but for those who woke before', async () => {
    const clock = new VirtualClock();
    const woken: number[] = [];
    const cancels = Array.from({ length: 100 }, (_, n) =>
      clock.after(1 + (n % 7), () => woken.push(n)),
    );
    for (const n of [0, 7, 50]) cancels[n]?.();
    expect(clock.sleeping).toBe(97);

    await clock.advance(10);

    const due = (n: number) => 1 + (n % 7);
    const left = Array.from({ length: 100 }, (_, n) => n).filter((n) => ![0, 7, 50].includes(n));
    expect(woken).toEqual(left.toSorted((a, b) => due(a) - due(b) || a - b));
    expect(clock.sleeping).toBe(0);
  });

  it('wakes nobody early in steps, and together those who are due within one', () => {
    const clock = new VirtualClock();
    const woken: [number, number][] = [];
    for (const ms of [1_500, 200, 900, 1_000, 7_001])
      clock.after(ms, () => woken.push([ms, clock.monotonic()]));

    expect(clock.wakeTogether(1_000)).toBe(true);
    expect(woken).toEqual([200, 900, 1_000].map((ms) => [ms, 1_000]));
    while (clock.wakeTogether(1_000));
    expect(woken.slice(3)).toEqual([
      [1_500, 2_000],
      [7_001, 8_000],
    ]);
    expect(clock.now()).toBe(START + 8_000);
  });

  it('can have its wall time set without any time passing', () => {
    const clock = new VirtualClock();

    clock.setWall(START - 3_600_000);

    expect(clock.now()).toBe(START - 3_600_000);
    expect(clock.monotonic()).toBe(0);
  });
});
