import { describe, expect, it } from 'vitest';
import { aScene } from '../helpers/campaign-run.ts';
import { aPhone } from '../helpers/factory.ts';
import { neverSent, refused, rejected, unknown } from '../helpers/services/service-double.ts';

const ONE_BY_ONE = { concurrency: 1, requests: 1, longestCallMs: 60_000 };

describe('an answer that speaks of the configuration', () => {
  it.each([
    [401, 'key'],
    [404, 'profile'],
  ])('%i pauses the campaign (%s) and gives the lead back', async (status, reason) => {
    const detail = `HTTP ${status} on the way`;
    const scene = await aScene({
      leads: 20,
      settings: ONE_BY_ONE,
      dial: (_, n) => (n === 2 ? { answer: rejected(status, detail) } : { talkMs: 100 }),
    });

    const end = await scene.run();

    expect(end.dispatch).toBe('paused');
    expect(scene.service.dials).toHaveLength(3);
    expect(await scene.store.findCampaign('spring')).toMatchObject({
      state: 'paused',
      pauseReason: reason,
      pauseDetail: detail,
    });
    expect((await scene.rows())[2]).toMatchObject({ state: 'waiting', attempts: 0 });
    expect(scene.notices.filter(({ event }) => event === 'campaign.paused')).toEqual([
      { event: 'campaign.paused', reason, detail },
    ]);
  });

  it('pauses once, whatever else was in flight and whatever ended the run', async () => {
    const scene = await aScene({ leads: 20, dial: () => ({ answer: rejected(401) }) });

    const end = await scene.run({ limit: 5 });

    expect(end.dispatch).toBe('paused');
    const history = await scene.store.history(scene.campaign.id);
    expect(history.filter(({ what }) => what === 'campaign.paused')).toHaveLength(1);
  });

  it('five equal 400s in a row pause and give all five leads back, however their numbers and request ids differ', async () => {
    const scene = await aScene({
      leads: 20,
      settings: ONE_BY_ONE,
      dial: ({ phone }, n) => ({
        answer: rejected(400, `HTTP 400: no such agent (to ${phone}, request f${n}c-0a${n}e)`),
      }),
    });

    const end = await scene.run();

    expect(end.dispatch).toBe('paused');
    expect(scene.service.dials).toHaveLength(5);
    const rows = (await scene.rows()).slice(0, 5);
    expect(rows.map(({ state, attempts }) => [state, attempts])).toEqual(
      Array(5).fill(['waiting', 0]),
    );
  });

  it('400s with a placed call between them, or of different kinds, do not', async () => {
    const scene = await aScene({
      leads: 20,
      settings: ONE_BY_ONE,
      dial: (_, n) => {
        if (n === 4) return { talkMs: 10 };
        return { answer: rejected(400, n < 9 ? 'HTTP 400' : `HTTP 400 ${'ab'[n % 2]}`) };
      },
    });

    const end = await scene.run();

    expect(end.dispatch).toBe('none_waiting');
    expect(scene.service.dials).toHaveLength(20);
  });

  it.each([
    [200, 'without a call id'],
    [302, 'to another place'],
  ])('five times %i %s in a row pause before the list has lost its certainty', async (status) => {
    const scene = await aScene({
      leads: 20,
      settings: { concurrency: 20, requests: 1 },
      dial: () => ({ answer: unknown(status) }),
    });

    const end = await scene.run();

    expect(end.dispatch).toBe('paused');
    expect(scene.service.dials).toHaveLength(5);
    expect((await scene.store.findCampaign('spring'))?.pauseReason).toBe('profile');
  });
});

describe('until the first good answer', () => {
  it('one request is in flight', async () => {
    const scene = await aScene({
      leads: 20,
      proven: false,
      settings: { concurrency: 10, requests: 10 },
      dial: (_, n) => ({ answerMs: 3_000, ...(n < 2 && { answer: unknown() }) }),
    });

    const run = scene.start();
    await scene.night.until(() => scene.service.dials.length === 3);
    expect(scene.service.mostDials).toBe(1);
    await scene.night.pass(run);

    expect(scene.service.mostDials).toBeGreaterThan(3);
  });

  it.each([
    [422, rejected(422), 'profile', 'waiting'],
    [200, unknown(200), 'profile', 'calling'],
  ])('%i pauses at once', async (_, answer, reason, lead) => {
    const scene = await aScene({ leads: 20, proven: false, dial: () => ({ answer }) });

    const end = await scene.run();

    expect(end.dispatch).toBe('paused');
    expect(scene.service.dials).toHaveLength(1);
    const campaign = await scene.store.findCampaign('spring');
    expect(campaign).toMatchObject({ pauseReason: reason, pauseDetail: answer.detail });
    expect((await scene.rows())[0]?.state).toBe(lead);
  });

  it.each([
    ['429', refused()],
    ['500', unknown(500)],
    ['a lost connection', neverSent()],
  ])('%s does not', async (_, answer) => {
    let tries = 0;
    const scene = await aScene({
      leads: 4,
      proven: false,
      dial: () => (++tries === 1 ? { answer } : { talkMs: 10 }),
    });

    const end = await scene.run();

    expect(end.dispatch).toBe('none_waiting');
    expect(scene.service.rings().size).toBeGreaterThanOrEqual(3);
  });

  it('a call to an expected answer later is only that call', async () => {
    const scene = await aScene({
      leads: 4,
      proven: false,
      dial: (_, n) => (n === 1 ? { answer: rejected() } : { talkMs: 10 }),
    });

    expect((await scene.run()).dispatch).toBe('none_waiting');
    expect((await scene.rows()).map(({ phone, result }) => [phone, result])).toContainEqual([
      aPhone(1),
      'rejected',
    ]);
  });
});
