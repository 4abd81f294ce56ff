import { describe, expect, it } from 'vitest';
import { Ramp } from '../../../src/dispatch/service-capacity.ts';
import { aScene } from '../../helpers/campaign-run.ts';

const RAMP_MS = 30_000;

/** When each dial of a run goes out, in seconds from its start: as many as are allowed, each call lasts `talkMs`. */
function dialsOf(ramp: Ramp, slots: number, talkMs: number, fromMs = 0, untilMs = 60_000) {
  const ends: number[] = [];
  const dials: number[] = [];
  for (let now = fromMs; now < untilMs; now += 100) {
    while (Number(ends[0]) <= now) {
      ends.shift();
      ramp.ended(now);
    }
    while (ends.length < slots && ramp.left(now, slots, 0) > 0) {
      ramp.began(now);
      dials.push((now - fromMs) / 1_000);
      ends.push(now + talkMs);
    }
  }
  return dials;
}

describe('a ramp', () => {
  it('fills the slots evenly in its time', () => {
    const dials = dialsOf(new Ramp(RAMP_MS), 50, 600_000);

    expect(dials).toHaveLength(50);
    expect(dials.filter((at) => at < 10)).toHaveLength(17);
    expect(dials.at(-1)).toBeCloseTo(29.4, 0);
  });

  it('lets short calls begin at no higher rate', () => {
    const dials = dialsOf(new Ramp(RAMP_MS), 50, 1_000);

    expect(dials.filter((at) => at < 30)).toHaveLength(50);
    expect(dials.filter((at) => at >= 30 && at < 31).length).toBeGreaterThanOrEqual(50);
  });

  it('begins again after a minute without calls, and not while one lasts', () => {
    const ramp = new Ramp(RAMP_MS);
    dialsOf(ramp, 2, 600_000);
    expect(ramp.left(500_000, 50, 0)).toBe(Infinity);

    ramp.ended(500_000);
    ramp.ended(500_000);

    expect(ramp.left(559_999, 50, 0)).toBe(Infinity);
    expect(ramp.left(560_000, 50, 0)).toBe(1);
  });

  it('of no time lets all begin at once', () => {
    expect(new Ramp(0).left(0, 50, 0)).toBe(Infinity);
  });

  it('counts dials without an answer', () => {
    const ramp = new Ramp(RAMP_MS);
    expect([ramp.left(0, 50, 0), ramp.left(0, 50, 1), ramp.left(3_000, 50, 1)]).toEqual([1, 0, 5]);
  });
});

describe('a run of a campaign with a ramp', () => {
  it('fills its slots in that time', async () => {
    const scene = await aScene({
      leads: 60,
      settings: { concurrency: 20, requests: 16, rampMs: RAMP_MS },
      dial: () => ({ talkMs: 120_000 }),
    });
    const startedAt = scene.clock.now();
    const run = scene.start();

    await scene.night.sleep(15_000);
    const half = scene.service.dials.length;
    await scene.night.sleep(20_000);
    const all = scene.service.dials.length;

    expect([half >= 8 && half <= 11, all]).toEqual([true, 20]);
    await scene.night.pass(run);
    expect((await scene.rows()).every(({ result }) => result === 'answered')).toBe(true);
    expect(scene.clock.now() - startedAt).toBeLessThan(3 * 120_000 + RAMP_MS + 10_000);
  });
});
