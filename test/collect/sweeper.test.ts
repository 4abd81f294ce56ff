import { describe, expect, it } from 'vitest';
import { sweepUntil, type SweepOptions } from '../../src/collect/sweeper.ts';
import { aScene, ME, type Scene } from '../helpers/campaign-run.ts';

describe('the sweeper', () => {
  it('tells of every call that is presumed to be over', async () => {
    const settings = { concurrency: 4, longestCallMs: 10_000 };
    const scene = await aScene({ leads: 3, settings, dial: () => ({ talkMs: 60_000 }) });
    await scene.run({ collectFrom: [] });
    const { freed, stop, sweeping } = start(scene);

    await scene.night.sleep(9_000);
    expect(freed()).toBe(0);
    await scene.night.sleep(4_000);

    expect(freed()).toBe(3);
    stop();
    await scene.night.pass(sweeping);
  });

  it('says every two seconds that this process works on the campaign, and at the end that it has left', async () => {
    const scene = await aScene({ leads: 1 });
    const { stop, sweeping } = start(scene);

    await scene.night.sleep(7_000);

    const [runner] = await scene.store.runners(scene.campaign.id);
    expect(runner).toMatchObject(ME);
    expect(scene.clock.now() - Number(runner?.seenAt)).toBeLessThanOrEqual(2_000);
    stop();
    await scene.night.pass(sweeping);
    expect(await scene.store.runners(scene.campaign.id)).toEqual([]);
  });

  it('takes the place of processes that were killed, unless it only collects', async () => {
    const scene = await aScene({ leads: 1 });
    const other = (n: number) => ({ ...ME, pid: ME.pid + n });
    const isGone = ({ pid }: { pid: number }) => pid === ME.pid + 1;
    const { store, campaign, clock, night } = scene;
    const seen = async (...some: number[]) => {
      for (const n of some) await store.runnerSeen(campaign.id, other(n), clock.now());
    };
    await seen(1, 2, 3);
    await night.sleep(20_000);
    await seen(1, 3);
    const pids = async () => (await store.runners(campaign.id)).map(({ pid }) => pid - ME.pid);
    for (const [dialAt, left] of [
      [null, [0, 1, 2, 3]],
      [{}, [0, 3]],
    ] as const) {
      const { stop, sweeping } = start(scene, { isGone, dialAt });
      await night.sleep(3_000);
      expect((await pids()).toSorted()).toEqual(left);
      stop();
      await night.pass(sweeping);
    }
  });

  it('says that it has left when it fails, too', async () => {
    const scene = await aScene({ leads: 1 });
    const sweep = () => Promise.reject(new Error('database is locked'));
    const { sweeping } = start({ ...scene, store: { ...scene.store, sweep } });

    await expect(scene.night.pass(sweeping)).rejects.toThrow('database is locked');

    expect(await scene.store.runners(scene.campaign.id)).toEqual([]);
  });
});

function start({ store, campaign, clock }: Scene, more: Partial<SweepOptions> = {}) {
  const controller = new AbortController();
  let freed = 0;
  const options = { store, campaign, clock, owner: ME, dialAt: null, isGone: () => false, ...more };
  const sweeping = sweepUntil(controller.signal, options, () => {
    freed += 1;
  });
  return {
    sweeping,
    freed: () => freed,
    stop: () => {
      controller.abort();
    },
  };
}
