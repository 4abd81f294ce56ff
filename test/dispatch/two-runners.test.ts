import { describe, expect, it } from 'vitest';
import { runCampaign } from '../../src/run-campaign.ts';
import type { Owner } from '../../src/store/port.ts';
import { addCampaign, aScene, ME, type Scene } from '../helpers/campaign-run.ts';
import { busy, mixedAnswers, rejected, unknown } from '../helpers/services/service-double.ts';

const SHE: Owner = { ...ME, pid: 4_712 };

describe('two runs on one database', () => {
  it('ring every phone once and share the concurrency', async () => {
    const settings = { ...busy(6), longestCallMs: 10_000 };
    const scene = await aScene({ leads: 60, settings, dial: mixedAnswers() });

    await both(scene);

    expect(Math.max(...scene.service.rings().values())).toBe(1);
    expect(scene.service.mostCalls).toBeLessThanOrEqual(6);
    const rows = await scene.rows();
    const isOver = rows.every((row) => row.state === 'done' || row.attempt?.state === 'unknown');
    expect(isOver).toBe(true);
  });

  it('share the pace', async () => {
    const settings = { ...busy(50), pace: { count: 2, perMs: 1_000 } };
    const scene = await aScene({ leads: 40, settings });
    const startedAt = scene.clock.now();

    await both(scene);

    expect(scene.service.dials).toHaveLength(40);
    expect(scene.clock.now() - startedAt).toBeGreaterThan(19_000);
    expect(mostWithin(scene, 1_000)).toBeLessThanOrEqual(3);
  });

  it('have one dial in flight until the service has answered one as expected', async () => {
    const settings = busy(8);
    const scene = await aScene({
      leads: 40,
      settings,
      proven: false,
      dial: (_, n) => ({ answerMs: n < 3 ? 4_000 : 20, ...(n < 2 && { answer: unknown() }) }),
    });
    const mostAtTheThird = () => scene.service.mostDials;

    const runs = bothRuns(scene);
    await scene.night.until(() => scene.service.dials.length === 3);
    expect(mostAtTheThird()).toBe(1);
    await scene.night.pass(runs);

    expect(scene.service.mostDials).toBeGreaterThan(1);
    expect(Math.max(...scene.service.rings().values())).toBe(1);
  });

  it('take what one of them has proved for proved', async () => {
    const scene = await aScene({
      leads: 30,
      settings: busy(4),
      proven: false,
      dial: ({ phone }, n) => (n > 0 && Number(phone) % 2 === 0 ? { answer: rejected() } : {}),
    });

    const ends = await both(scene);

    expect(ends.map(({ dispatch }) => dispatch)).toEqual(['none_waiting', 'none_waiting']);
    expect((await scene.store.findCampaign('spring'))?.state).toBe('running');
  });

  it('of two campaigns stay below what the service takes in all', async () => {
    const scene = await aScene({ leads: 40, settings: busy(10) });
    const { service, night } = scene;
    const store = scene.openStore();
    const settings = busy(10);
    const second = await addCampaign(store, { name: 'autumn', from: 100, leads: 40, settings });
    const dialAt = { service, maxCalls: 7 };

    await night.pass(
      Promise.all([
        scene.start({ dialAt }),
        scene.start({ dialAt, store, campaign: second, owner: SHE }),
      ]),
    );

    expect(service.mostCalls).toBe(7);
    expect(service.rings().size).toBe(80);
    expect(Math.max(...service.rings().values())).toBe(1);
  });

  it('poll the calls of both: one reads on what the other has placed', async () => {
    const scene = await aScene({ leads: 6, settings: { concurrency: 3 } });
    const leaves = new AbortController();
    const first = scene.start({ stop: leaves.signal });
    await scene.night.until(() => scene.service.calls.length === 3);
    const second = scene.start({ store: scene.openStore(), owner: SHE });
    leaves.abort();

    await scene.night.pass(first);
    await scene.night.pass(second);

    expect((await scene.rows()).every(({ result }) => result === 'answered')).toBe(true);
    expect(scene.service.mostCalls).toBe(3);
  });
});

function bothRuns(scene: Scene) {
  const second = scene.options({ store: scene.openStore(), owner: SHE });
  return Promise.all([scene.start(), runCampaign(second)]);
}

function both(scene: Scene) {
  return scene.night.pass(bothRuns(scene));
}

/** The most dials that left within any `ms`. */
function mostWithin({ service }: Scene, ms: number): number {
  const times = service.dials.map(({ at }) => at);
  return Math.max(
    ...times.map((from) => times.filter((at) => at >= from && at < from + ms).length),
  );
}
