import { describe, expect, it } from 'vitest';
import { aScene, ME, type Scene } from '../../helpers/campaign-run.ts';

const OTHER = { host: 'host-2', boot: 'boot-2', pid: 7 };

describe('two processes that collect one campaign', () => {
  it('poll each call once, and both stay until every result is in', async () => {
    const scene = await openCalls(40);
    // Both have written a heartbeat before either polls.
    await scene.store.runnerSeen(scene.campaign.id, OTHER, scene.clock.now());

    const ends = await scene.night.pass(
      Promise.all([collect(scene), collect(scene, { store: scene.openStore(), owner: OTHER })]),
    );

    expect(ends.map(({ drained }) => drained)).toEqual([true, true]);
    expect((await scene.rows()).every(({ result }) => result === 'answered')).toBe(true);
    const polled = scene.service.polls.map(({ callId }) => callId);
    expect(polled).toHaveLength(40);
    expect(new Set(polled).size).toBe(40);
  });

  it('leave no call for 15 s to one that was killed, whatever its clock said', async () => {
    const scene = await openCalls(6, 40_000);
    await scene.store.runnerSeen(scene.campaign.id, OTHER, scene.clock.now() + 3_600_000);
    const begun = scene.clock.now();
    const asked: { of: number | undefined; afterMs: number }[] = [];
    const duePolls: Scene['store']['duePolls'] = (query) => {
      asked.push({ of: query.share?.of, afterMs: scene.clock.now() - begun });
      return scene.store.duePolls(query);
    };

    await scene.night.pass(collect(scene, { store: { ...scene.store, duePolls } }));

    expect(asked[0]).toEqual({ of: 2, afterMs: 0 });
    const late = asked.filter(({ afterMs }) => afterMs >= 15_000);
    expect(late.length).toBeGreaterThan(0);
    expect(late.filter(({ of }) => of !== 1)).toEqual([]);
  });

  it('poll what the other one leaves, though it says that it is there', async () => {
    const scene = await openCalls(6);
    const { id } = scene.campaign;
    const stop = new AbortController();
    const beats = (async () => {
      while (!stop.signal.aborted) {
        await scene.store.runnerSeen(id, OTHER, scene.clock.now());
        await scene.clock.sleep(1_000, stop.signal);
      }
    })();
    const begun = scene.clock.now();

    await scene.night.pass(collect(scene));
    stop.abort();
    await beats;

    expect((await scene.rows()).every(({ result }) => result === 'answered')).toBe(true);
    expect(scene.clock.now() - begun).toBeLessThan(10_000);
  });
});

/** Placed calls that nobody has polled. */
async function openCalls(leads: number, talkMs = 100): Promise<Scene> {
  const settings = { concurrency: leads, requests: 8 };
  const scene = await aScene({ leads, settings, dial: () => ({ talkMs }), readMs: 200 });
  await scene.run({ collectFrom: [] });
  return scene;
}

const collect = (scene: Scene, more: object = {}) =>
  scene.start({ dialAt: null, owner: ME, ...more });
