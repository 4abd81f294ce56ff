import { describe, expect, it } from 'vitest';
import { aScene, type Scene } from '../helpers/campaign-run.ts';
import { mixedAnswers, neverSent, refused, unknown } from '../helpers/services/service-double.ts';

const HOUR_MS = 3_600_000;
const LEADS = 40;

const SETTINGS = { concurrency: 6, requests: 6, longestCallMs: 10_000, reconcileForMs: 10_000 };

describe.each([
  ['set back by an hour', -HOUR_MS],
  ['set forward by an hour', HOUR_MS],
])('while calls are made the wall clock is %s', (_what, jump) => {
  it('and the run goes on at its speed after a minute at most, and every call is brought in', async () => {
    const scene = await aScene({ leads: LEADS, settings: SETTINGS });
    const quiet = await durationOf(await aScene({ leads: LEADS, settings: SETTINGS }));

    const took = await durationOf(scene, jump);

    expect(took).toBeLessThan(quiet + 70_000);
    const rows = await scene.rows();
    expect(rows.map(({ result }) => result)).toEqual(Array(LEADS).fill('answered'));
    expect([...scene.service.rings().values()]).toEqual(Array(LEADS).fill(1));
  });

  it('and nobody rings twice, whatever was in flight, in doubt or refused', async () => {
    const scene = await aScene({ leads: LEADS, settings: SETTINGS, dial: mixedAnswers() });

    await durationOf(scene, jump);
    await scene.night.sleep(2 * HOUR_MS);
    await scene.run();
    await scene.night.sleep(2 * HOUR_MS);
    await scene.run();

    expect(Math.max(...scene.service.rings().values())).toBe(1);
    const rows = await scene.rows();
    expect(rows.filter(({ state }) => state !== 'done')).toEqual([]);
  });

  it('and a pace is kept all the same', async () => {
    const pace = { count: 2, perMs: 1_000 };
    const scene = await aScene({ leads: 30, settings: { ...SETTINGS, concurrency: 30, pace } });

    const took = await durationOf(scene, jump);

    // 15 s, and what the last calls take that seem to be an hour old: `polling.ceiling`.
    expect(took).toBeLessThan(90_000);
    const times = scene.service.dials.map(({ at }) => at).slice(12);
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(8_000);
    expect(scene.service.rings().size).toBe(30);
  });

  it('and a service that wants to be left alone is, for its time and no longer', async () => {
    const scene = await aScene({
      leads: 4,
      settings: { ...SETTINGS, concurrency: 1, requests: 1 },
      dial: (_, n) => (n === 0 ? { answer: refused(20_000) } : {}),
    });
    const run = scene.start();
    await scene.night.until(() => scene.notices.some(({ event }) => event === 'call.released'));
    const refusedAt = scene.clock.monotonic();
    scene.clock.setWall(scene.clock.now() + jump);

    await scene.night.until(() => scene.service.calls.length > 0);

    const waited = scene.clock.monotonic() - refusedAt;
    expect(waited).toBeGreaterThanOrEqual(19_900);
    expect(waited).toBeLessThanOrEqual(41_000);
    await scene.night.pass(run);
  });

  it('and dials that were claimed before it are not sent', async () => {
    let jumped = false;
    const scene: Scene = await aScene({
      leads: 3,
      settings: { ...SETTINGS, concurrency: 3 },
      dial: () => {
        if (!jumped) scene.clock.setWall(scene.clock.now() + jump);
        jumped = true;
        return {};
      },
    });

    await scene.run();

    const released = scene.notices.filter(({ event }) => event === 'call.released');
    expect(released.length).toBeGreaterThan(0);
    expect([...scene.service.rings().values()]).toEqual([1, 1, 1]);
  });
});

describe('a wall clock that is set back by an hour at a bad moment', () => {
  it('holds nobody: while the service is probed', async () => {
    const scene: Scene = await aScene({
      leads: 20,
      settings: SETTINGS,
      dial: (_, n) => (n < 6 ? { answer: neverSent() } : {}),
      probe: (n) => {
        if (n === 0) scene.clock.setWall(scene.clock.now() - HOUR_MS);
        return n === 0 ? { ok: false, keyRefused: false, why: 'HTTP 503' } : { ok: true };
      },
    });
    const run = scene.start();

    await scene.night.until(() => scene.service.calls.length > 0);

    expect(scene.clock.monotonic()).toBeLessThan(60_000);
    await scene.night.pass(run);
  });
});

describe('a laptop that sleeps for a night in the middle of a run', () => {
  it('wakes up, brings in the calls that ended meanwhile, and calls the rest once', async () => {
    const scene = await aScene({
      leads: LEADS,
      settings: SETTINGS,
      dial: (_, n) => (n === 7 ? { answer: unknown(), rings: true } : {}),
    });

    const run = scene.start();
    await scene.night.until(() => scene.service.dials.length >= 10);
    // The monotonic clock stands still while the machine sleeps.
    scene.clock.setWall(scene.clock.now() + 9 * HOUR_MS);
    scene.service.goOnAlone(9 * HOUR_MS);
    await scene.night.pass(run);
    await scene.night.sleep(20_000);
    await scene.run();

    expect([...scene.service.rings().values()]).toEqual(Array(LEADS).fill(1));
    const results = (await scene.rows()).map(({ result }) => result);
    expect(results.filter((result) => result === 'answered')).toHaveLength(LEADS - 1);
    expect(results).toContain('unconfirmed');
  });
});

/** Runs it, with a jump of the wall clock at a third of the way. @returns monotonic ms */
async function durationOf(scene: Scene, jump = 0): Promise<number> {
  const startedAt = scene.clock.monotonic();
  const run = scene.start();
  await scene.night.until(() => scene.service.dials.length >= 10);
  scene.clock.setWall(scene.clock.now() + jump);
  await scene.night.pass(run);
  return scene.clock.monotonic() - startedAt;
}
