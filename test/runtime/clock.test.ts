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
  it('wakes sleepers in the order of their times, each at its own time', async () => {
    const clock = new VirtualClock();
    const woken: [string, number][] = [];
    for (const [name, ms] of [
      ['late', 300],
      ['early', 100],
      ['middle', 200],
    ] as const) {
      void clock.sleep(ms).then(() => woken.push([name, clock.now() - START]));
    }

    await clock.advance(250);
    expect(woken).toEqual([
      ['early', 100],
      ['middle', 200],
    ]);
    await clock.advance(50);
    expect(woken.at(-1)).toEqual(['late', 300]);
  });

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

  it('can have its wall time set without any time passing', () => {
    const clock = new VirtualClock();

    clock.setWall(START - 3_600_000);

    expect(clock.now()).toBe(START - 3_600_000);
    expect(clock.monotonic()).toBe(0);
  });
});
