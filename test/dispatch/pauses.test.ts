import { describe, expect, it } from 'vitest';
import { aScene, cancel, pause, resume, type Plan } from '../helpers/campaign-run.ts';
import { neverSent, refused, unknown } from '../helpers/services/service-double.ts';

const MINUTE = 60_000;

describe("the operator's pause", () => {
  it('is waited out: no call meanwhile, and after it everybody once', async () => {
    const scene = await aScene({ leads: 20, settings: { concurrency: 2 } });
    const run = scene.start();
    await scene.night.until(() => scene.service.dials.length === 4);
    await pause(scene.store, scene.campaign);
    await scene.night.sleep(1_000);
    const dials = scene.service.dials.length;

    await scene.night.sleep(MINUTE);

    expect(scene.service.dials).toHaveLength(dials);
    expect((await scene.rows()).filter(({ result }) => result === 'answered')).toHaveLength(dials);
    await resume(scene.store, scene.campaign);
    expect((await scene.night.pass(run)).dispatch).toBe('none_waiting');
    expect([...scene.service.rings().values()]).toEqual(Array(20).fill(1));
    expect(scene.notices.filter(({ event }) => event.startsWith('campaign.'))).toEqual([
      { event: 'campaign.paused', reason: 'operator', detail: 'lunch' },
      { event: 'campaign.resumed' },
    ]);
  });

  it('is not asked after more than twice a second', async () => {
    const scene = await aScene({ leads: 20 });
    await pause(scene.store, scene.campaign);
    let claims = 0;
    const store = {
      ...scene.store,
      claim: (...request: Parameters<typeof scene.store.claim>) => {
        claims += 1;
        return scene.store.claim(...request);
      },
    };
    const stop = new AbortController();
    const run = scene.start({ store, stop: stop.signal });

    await scene.night.sleep(10_000);
    stop.abort();
    await scene.night.pass(run);

    expect(claims).toBeLessThanOrEqual(21);
  });

  it('ends with the first stop', async () => {
    const scene = await aScene({ leads: 20 });
    await pause(scene.store, scene.campaign);
    const stop = new AbortController();
    const run = scene.start({ stopDialling: stop.signal });
    await scene.night.sleep(5_000);
    stop.abort();

    expect(await scene.night.pass(run)).toMatchObject({ dispatch: 'stopped', drained: true });
  });

  it('is not waited out where nobody is left to call', async () => {
    const scene = await aScene({ leads: 3, dial: () => ({ talkMs: 20_000 }) });
    const startedAt = scene.clock.now();
    const run = scene.start();
    await scene.night.until(() => scene.service.dials.length === 3);
    await pause(scene.store, scene.campaign);

    expect(await scene.night.pass(run)).toMatchObject({ dispatch: 'none_waiting', drained: true });

    expect(scene.clock.now() - startedAt).toBeLessThan(5 * MINUTE);
    expect(await scene.store.findCampaign('spring')).toMatchObject({ state: 'paused' });
    expect((await scene.rows()).map(({ state }) => state)).toEqual(['done', 'done', 'done']);
  });

  it('is waited out while a dial is in flight that may be given back', async () => {
    const dial: Plan['dial'] = (_, n) =>
      n === 0 ? { answer: refused(1_000), answerMs: 5_000 } : {};
    const scene = await aScene({ leads: 1, dial });
    const run = scene.start();
    await scene.night.until(() => scene.service.dials.length === 1);
    await pause(scene.store, scene.campaign);
    await scene.night.sleep(30_000);
    await resume(scene.store, scene.campaign);

    expect((await scene.night.pass(run)).dispatch).toBe('none_waiting');
    expect((await scene.rows())[0]).toMatchObject({ state: 'done' });
  });

  it('outlasts a pause of the program', async () => {
    const scene = await aScene({
      leads: 20,
      dial: () => ({ answer: unknown(302), answerMs: 2_000 }),
      proven: false,
    });
    const run = scene.start();
    await scene.night.until(() => scene.service.dials.length === 1);
    await pause(scene.store, scene.campaign);

    expect((await scene.night.pass(run)).dispatch).toBe('paused');

    const campaign = await scene.store.findCampaign('spring');
    expect(campaign).toMatchObject({ pauseReason: 'operator', pauseDetail: 'lunch' });
  });

  it('is noticed while the service wants to be left alone', async () => {
    const dial: Plan['dial'] = (_, n) => (n === 0 ? { answer: refused(20_000) } : {});
    const scene = await aScene({ leads: 1, dial });
    const run = scene.start();
    await scene.night.sleep(5_000);
    await pause(scene.store, scene.campaign);
    await scene.night.sleep(1_000);

    expect(scene.notices.at(-1)).toMatchObject({ event: 'campaign.paused' });
    await scene.night.sleep(60_000);
    expect(scene.service.dials).toHaveLength(1);
    await resume(scene.store, scene.campaign);
    await scene.night.pass(run);
    expect(scene.service.dials).toHaveLength(2);
  });
});

describe('a campaign that is cancelled', () => {
  it('is dialled no more, and its calls are collected', async () => {
    const scene = await aScene({ leads: 20, settings: { concurrency: 2 } });
    const run = scene.start();
    await scene.night.until(() => scene.service.dials.length === 4);
    await cancel(scene.store, scene.campaign);

    const end = await scene.night.pass(run);

    expect(end).toMatchObject({ dispatch: 'not_running', drained: true });
    expect(scene.service.dials).toHaveLength(4);
    expect((await scene.rows()).filter(({ result }) => result === 'answered')).toHaveLength(4);
  });

  it('is noticed while the service fails', async () => {
    const scene = await aScene({
      leads: 20,
      dial: () => ({ answer: neverSent() }),
      probe: () => ({ ok: false, keyRefused: false, why: 'down' }),
    });
    const startedAt = scene.clock.now();
    const run = scene.start();
    await scene.night.sleep(20_000);
    await cancel(scene.store, scene.campaign);

    expect((await scene.night.pass(run)).dispatch).toBe('not_running');
    expect(scene.clock.now() - startedAt).toBeLessThan(25_000);
  });

  it('by another runner is over when its own pause is over', async () => {
    const scene = await aScene({ leads: 5 });
    await scene.store.changeCampaign(
      scene.campaign.id,
      { pause: { reason: 'breaker', detail: 'down' } },
      { at: 0, who: 'callsheet', what: 'campaign.paused', detail: {} },
    );

    expect((await scene.run()).dispatch).toBe('paused');
    expect(scene.service.dials).toEqual([]);
  });
});
