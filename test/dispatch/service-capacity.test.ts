import { describe, expect, it } from 'vitest';
import { aScene, type Scene } from '../helpers/campaign-run.ts';
import { busy } from '../helpers/services/service-double.ts';

const CAPACITY = 3;

describe('a service that says how many calls it would take', () => {
  it('is never asked for more, whatever the operator allows', async () => {
    const scene = await aRun(({ service }) => CAPACITY - service.inProgress);

    expect(scene.service.refusals).toEqual([]);
    expect(scene.service.mostCalls).toBe(CAPACITY);
    expect([...scene.service.rings().values()]).toEqual(Array.from({ length: 30 }, () => 1));
  });

  it('is asked every two seconds while no call ends', async () => {
    const scene = await aRun(({ service }) => CAPACITY - service.inProgress, 8, 30_000);

    const { slotsAskedAt, calls } = scene.service;
    const firstEnd = Math.min(...calls.map(({ endsAt }) => endsAt));
    const gaps = slotsAskedAt
      .filter((at) => at < firstEnd)
      .flatMap((at, i, all) => (i === 0 ? [] : at - Number(all[i - 1])));
    expect(gaps.length).toBeGreaterThan(3);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(2_000);
  });

  it('is asked at the start and when a call has ended: the next dial goes out with its answer', async () => {
    const scene = await aRun(({ service }) => CAPACITY - service.inProgress);

    const { slotsAskedAt, dials, polls, calls } = scene.service;
    const [first = 0] = slotsAskedAt;
    expect(Number(dials[0]?.at) - first).toBeLessThan(60);
    const found = calls.map(({ callId, endsAt }) =>
      Math.min(
        ...polls.flatMap((poll) =>
          poll.callId === callId && poll.at >= endsAt ? poll.doneAt : Infinity,
        ),
      ),
    );
    const idle = found
      .toSorted((one, other) => one - other)
      .slice(0, -CAPACITY)
      .map((at, n) => Number(dials[CAPACITY + n]?.at) - at);
    expect(Math.max(...idle)).toBeLessThan(200);
  });

  it('is called as far as the operator allows where that is less', async () => {
    const scene = await aRun(() => 1_000, 2);

    expect(scene.service.mostCalls).toBe(2);
    const [first = 0, second = Infinity] = scene.service.slotsAskedAt;
    expect(second - first).toBeGreaterThanOrEqual(15_000);
  });

  it('is called all the same when it does not say: a refusal is understood, too', async () => {
    const scene = await aRun(() => null);

    expect(scene.service.rings().size).toBe(30);
    expect(scene.service.refusals.length).toBeGreaterThan(0);
  });

  it('is waited for while others hold all of it, which is told', async () => {
    const scene = await aRun((_, n) => (n < 5 ? 0 : 10));

    const [first = 0] = scene.service.slotsAskedAt;
    expect(Number(scene.service.dials[0]?.at) - first).toBeGreaterThanOrEqual(10_000);
    expect(scene.notices.filter(({ event }) => event === 'service.full')).toHaveLength(1);
    expect(scene.service.rings().size).toBe(30);
  });

  it('holds up no pause while it has no room', async () => {
    const scene: Scene = await aScene({ leads: 5, settings: busy(4), freeSlots: () => 0 });
    const run = scene.start();
    await scene.night.until(() => scene.service.slotsAskedAt.length === 2);
    await scene.store.changeCampaign(
      scene.campaign.id,
      { pause: { reason: 'key', detail: 'the key' } },
      { at: 0, who: 'callsheet', what: 'campaign.paused', detail: {} },
    );

    expect(await scene.night.pass(run)).toMatchObject({ dispatch: 'paused' });
    expect(scene.service.dials).toEqual([]);
  });
});

async function aRun(
  freeSlots: (scene: Scene, n: number) => number | null,
  concurrency = 8,
  talkMs = 2_500,
): Promise<Scene> {
  const scenes: Scene[] = [];
  const scene = await aScene({
    leads: 30,
    settings: busy(concurrency),
    capacity: CAPACITY,
    dial: (_, n) => ({ talkMs: talkMs + 100 * (n % 7) }),
    freeSlots: (n) => (scenes[0] === undefined ? null : freeSlots(scenes[0], n)),
  });
  scenes.push(scene);
  const end = await scene.run();
  expect(end).toMatchObject({ dispatch: 'none_waiting', drained: true });
  return scene;
}
