import { describe, expect, it } from 'vitest';
import { admit, type Pace } from '../../src/domain/time-units.ts';
import { seededRandom } from '../../src/runtime/random.ts';
import { START } from '../helpers/clock.ts';

/** How early a pace may admit, ms: see the module. */
const TOLERANCE_MS = 50;

describe('admit', () => {
  it('admits one at the start, and the next an interval later', () => {
    const perSecond: Pace = { count: 1, perMs: 1_000 };

    const first = admit(perSecond, 0, START, 5);
    expect(first.admitted).toBe(1);

    const tooEarly = admit(perSecond, first.nextDueAt, START + 900, 5);
    expect(tooEarly.admitted).toBe(0);
    expect(admit(perSecond, tooEarly.nextDueAt, tooEarly.askAgainAt, 5).admitted).toBe(1);
  });

  it('admits no more than are wanted', () => {
    expect(admit({ count: 1_000, perMs: 1_000 }, 0, START, 3).admitted).toBe(3);
  });

  it('admits somebody whenever it is asked at the time it named', () => {
    const pace: Pace = { count: 7, perMs: 1_000 };
    let nextDueAt = 0;
    let now = START;
    for (let i = 0; i < 500; i++) {
      const got = admit(pace, nextDueAt, now, 10);
      expect(got.admitted).toBeGreaterThan(0);
      expect(got.askAgainAt).toBeGreaterThan(now);
      ({ nextDueAt, askAgainAt: now } = got);
    }
  });

  it.each<[string, Pace]>([
    ['3/s', { count: 3, perMs: 1_000 }],
    ['60/min', { count: 60, perMs: 60_000 }],
    ['500/h', { count: 500, perMs: 3_600_000 }],
    ['250/s', { count: 250, perMs: 1_000 }],
  ])(
    'never starts more than %s in any window, but for the tolerance (seed "window")',
    (_, pace) => {
      const interval = pace.perMs / pace.count;
      const starts = askAtRandom(pace, interval);

      const excess = starts.flatMap((first, from) =>
        starts.slice(from).map((last, i) => i - (last - first + TOLERANCE_MS) / interval),
      );
      expect(Math.max(...excess)).toBeLessThanOrEqual(1e-6);
    },
  );

  it('keeps its speed although whoever asks is always some milliseconds late', () => {
    const pace: Pace = { count: 10, perMs: 1_000 };
    let nextDueAt = 0;
    let now = START;
    let started = 0;
    while (now < START + 60_000) {
      const got = admit(pace, nextDueAt, now, 1);
      started += got.admitted;
      nextDueAt = got.nextDueAt;
      now = got.askAgainAt + 30;
    }
    expect(started).toBeGreaterThanOrEqual(599);
  });

  it('saves nothing up while nobody asks', () => {
    const pace: Pace = { count: 60, perMs: 60_000 };
    const first = admit(pace, 0, START, 100);

    expect(admit(pace, first.nextDueAt, START + 3_600_000, 100).admitted).toBe(1);
  });

  it('stays shut for one interval at most after the clock was set back', () => {
    const pace: Pace = { count: 1, perMs: 1_000 };
    const { nextDueAt } = admit(pace, 0, START, 1);

    const anHourEarlier = START - 3_600_000;
    const shut = admit(pace, nextDueAt, anHourEarlier, 1);
    expect(shut).toEqual({
      admitted: 0,
      nextDueAt: anHourEarlier + 1_000,
      askAgainAt: anHourEarlier + 1_000,
    });
    expect(admit(pace, shut.nextDueAt, shut.askAgainAt, 1).admitted).toBe(1);
  });
});

/** The times at which calls were started by somebody who asks at random moments for random numbers. */
function askAtRandom(pace: Pace, interval: number): number[] {
  const random = seededRandom('window');
  const starts: number[] = [];
  let nextDueAt = 0;
  for (let now = START; starts.length < 300; now += Math.floor(random() * 3 * interval)) {
    const got = admit(pace, nextDueAt, now, 1 + Math.floor(random() * 8));
    nextDueAt = got.nextDueAt;
    for (let i = 0; i < got.admitted; i++) starts.push(now);
  }
  return starts;
}
