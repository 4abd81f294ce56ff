import { describe, expect, it } from 'vitest';
import { aScene } from '../helpers/campaign-run.ts';
import { neverSent, refused, unknown } from '../helpers/services/service-double.ts';

const MINUTE = 60_000;

describe('a service that fails', () => {
  it.each([
    ['a lost answer', unknown()],
    ['a 500', unknown(500)],
    ['a connection refused', neverSent()],
  ])('is left alone after five in a row of %s', async (_, answer) => {
    let tries = 0;
    const scene = await aScene({
      leads: 30,
      settings: { concurrency: 20, requests: 1, longestCallMs: MINUTE },
      dial: () => (++tries <= 5 ? { answer } : { talkMs: 10 }),
      probe: (n) => (n < 2 ? { ok: false, keyRefused: false, why: 'down' } : { ok: true }),
    });

    const end = await scene.run();

    expect(end.dispatch).toBe('none_waiting');
    const [first, second, third, ...others] = scene.service.probes;
    expect(others).toEqual([]);
    expect([Number(second) - Number(first), Number(third) - Number(second)]).toEqual([
      10_000, 20_000,
    ]);
    const open = scene.service.dials.filter(
      ({ at }) => at > Number(first) - 5_000 && at < Number(third),
    );
    expect(open).toEqual([]);
    expect(scene.notices.map(({ event }) => event).filter((e) => e.startsWith('breaker'))).toEqual([
      'breaker.opened',
      'breaker.closed',
    ]);
  });

  it('is left alone after failing half of twenty', async () => {
    const scene = await aScene({
      leads: 60,
      settings: { concurrency: 30, requests: 1, longestCallMs: MINUTE },
      dial: (_, n) => (n % 2 === 0 && n < 20 ? { answer: unknown(500) } : { talkMs: 10 }),
    });

    await scene.run();

    expect(scene.notices.filter(({ event }) => event === 'breaker.opened')).toHaveLength(1);
    const before = scene.service.dials.filter(({ at }) => at < Number(scene.service.probes[0]));
    expect(before).toHaveLength(20);
  });

  it('is not left alone for refusals', async () => {
    const scene = await aScene({
      leads: 5,
      settings: { concurrency: 1 },
      dial: (_, n) => (n < 15 ? { answer: refused() } : { talkMs: 10 }),
    });

    await scene.run();

    expect(scene.service.probes).toEqual([]);
  });

  it('for ten minutes pauses the campaign for a person, at the cost of five leads', async () => {
    const scene = await aScene({
      leads: 100,
      settings: { concurrency: 5, requests: 5, longestCallMs: MINUTE },
      dial: () => ({ answer: unknown() }),
      probe: () => ({ ok: false, keyRefused: false, why: 'GET /v1/agents: no answer' }),
    });
    const startedAt = scene.clock.now();

    const end = await scene.run();

    expect(end.dispatch).toBe('paused');
    expect(scene.clock.now() - startedAt).toBeGreaterThanOrEqual(10 * MINUTE);
    expect(scene.clock.now() - startedAt).toBeLessThan(12 * MINUTE);
    expect(scene.service.dials).toHaveLength(5);
    expect(await scene.store.findCampaign('spring')).toMatchObject({
      pauseReason: 'breaker',
      pauseDetail: 'GET /v1/agents: no answer',
    });
  });

  it('for dials only, and answers every GET, costs few leads before the campaign is paused', async () => {
    const scene = await aScene({
      leads: 200,
      settings: { concurrency: 100, requests: 5, longestCallMs: MINUTE },
      dial: () => ({ answer: unknown(500) }),
    });
    const startedAt = scene.clock.now();

    const end = await scene.run();

    expect(end.dispatch).toBe('paused');
    expect(scene.clock.now() - startedAt).toBeLessThan(12 * MINUTE);
    expect(scene.service.dials.length).toBeLessThan(30);
    expect((await scene.store.findCampaign('spring'))?.pauseReason).toBe('breaker');
  });

  it('is called as before once a dial has gone well again', async () => {
    let tries = 0;
    const scene = await aScene({
      leads: 60,
      settings: { concurrency: 20, requests: 4, longestCallMs: MINUTE },
      dial: () => (++tries <= 8 ? { answer: neverSent() } : { answerMs: 2_000, talkMs: 10 }),
    });

    await scene.run();

    const [first, second] = scene.service.dials;
    expect(Number(second?.at) - Number(first?.at)).toBeGreaterThanOrEqual(2_000);
    expect(scene.service.mostDials).toBe(4);
    expect(scene.service.rings().size).toBe(60);
  });

  it('because it refuses the key pauses the campaign at once', async () => {
    const scene = await aScene({
      leads: 30,
      dial: () => ({ answer: unknown() }),
      probe: () => ({ ok: false, keyRefused: true, why: 'HTTP 401' }),
    });

    const end = await scene.run();

    expect(end.dispatch).toBe('paused');
    expect(scene.service.probes).toHaveLength(1);
    expect((await scene.store.findCampaign('spring'))?.pauseReason).toBe('key');
  });

  it('is tried again in time though the wall clock is set back', async () => {
    let tries = 0;
    const scene = await aScene({
      leads: 8,
      dial: () => (++tries <= 5 ? { answer: neverSent() } : { talkMs: 10 }),
    });
    const run = scene.start();
    await scene.night.until(() => scene.notices.some(({ event }) => event === 'breaker.opened'));
    scene.clock.setWall(scene.clock.now() - 60 * MINUTE);
    const before = scene.clock.monotonic();

    await scene.night.until(() => scene.service.probes.length === 1);

    expect(scene.clock.monotonic() - before).toBeLessThan(6_000);
    await scene.store.changeCampaign(
      scene.campaign.id,
      { state: 'cancelled' },
      { at: 0, who: 'operator', what: 'campaign.cancelled', detail: {} },
    );
    await scene.night.pass(run);
  });
});
