import { describe, expect, it } from 'vitest';
import { aScene } from '../helpers/campaign-run.ts';
import { neverSent, placed, refused, unknown } from '../helpers/services/service-double.ts';

const ONE_BY_ONE = { concurrency: 1, requests: 1, longestCallMs: 60_000 };

describe('the answer of a dial', () => {
  it('placed: the call is read and the lead done with its result', async () => {
    const scene = await aScene({ leads: 1 });

    await scene.run();

    const [row] = await scene.rows();
    expect(row).toMatchObject({ state: 'done', result: 'answered', attempts: 1 });
    expect(row?.attempt).toMatchObject({
      state: 'settled',
      callId: scene.service.calls[0]?.callId,
    });
  });

  it('refused: the lead waits again, has lost no attempt, and keeps its key', async () => {
    const scene = await aScene({
      leads: 1,
      dial: (_, n) => (n === 0 ? { answer: refused() } : {}),
    });

    await scene.run();

    const [first, second, ...others] = scene.service.dials;
    expect(others).toEqual([]);
    expect(second?.attemptKey).toBe(first?.attemptKey);
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(1_000);
    expect((await scene.rows())[0]).toMatchObject({ result: 'answered', attempts: 1 });
  });

  it('never sent, for want of a connection: the lead waits a second and is called', async () => {
    let tries = 0;
    const scene = await aScene({
      leads: 1,
      dial: () => (++tries === 1 ? { answer: neverSent() } : {}),
    });
    const startedAt = scene.clock.now();

    await scene.run();

    expect(scene.service.dials).toHaveLength(1);
    expect((scene.service.dials[0]?.at ?? 0) - startedAt).toBeGreaterThanOrEqual(1_000);
    expect((await scene.rows())[0]).toMatchObject({ result: 'answered', attempts: 1 });
  });

  it('never sent, for the permit had expired: the lead has not rung, and is claimed anew', async () => {
    const scene = await aScene({
      leads: 2,
      settings: ONE_BY_ONE,
      dial: () => ({ connectMs: 5_001 }),
    });
    const stop = new AbortController();
    const run = scene.start({ stopDialling: stop.signal });
    await scene.night.until(() => scene.notices.some(({ event }) => event === 'call.released'));
    stop.abort();
    await scene.night.pass(run);

    expect(scene.service.dials).toEqual([]);
    const [row] = await scene.rows();
    expect(row).toMatchObject({ state: 'waiting', attempts: 0 });
  });

  it('unknown: nobody is dialled again for it, by this run or the next', async () => {
    const scene = await aScene({
      leads: 3,
      dial: (_, n) => (n === 1 ? { answer: unknown() } : {}),
    });

    await scene.run();
    await scene.run();

    expect(scene.service.dials).toHaveLength(3);
    const [, row] = await scene.rows();
    expect(row).toMatchObject({ state: 'calling', result: null });
    expect(row?.attempt).toMatchObject({ state: 'unknown' });
    await scene.night.sleep(600_000);
    await scene.run();
    expect(scene.service.dials).toHaveLength(3);
    expect((await scene.rows())[1]).toMatchObject({ state: 'done', result: 'unconfirmed' });
  });

  it('with the call id of another call: unknown, and the campaign is paused for its profile', async () => {
    const scene = await aScene({
      leads: 30,
      settings: ONE_BY_ONE,
      dial: () => ({ answer: placed('acc_1'), talkMs: 100 }),
    });

    const end = await scene.run();

    expect(end.dispatch).toBe('paused');
    expect(scene.service.dials).toHaveLength(2);
    expect((await scene.rows())[1]?.attempt?.state).toBe('unknown');
    const campaign = await scene.store.findCampaign('spring');
    expect(campaign).toMatchObject({ state: 'paused', pauseReason: 'profile' });
    expect(campaign?.pauseDetail).toContain('"acc_1"');
  });
});

describe('429', () => {
  it('with Retry-After holds every dial until then and spends no attempt', async () => {
    const scene = await aScene({
      leads: 12,
      settings: { concurrency: 4, requests: 4 },
      dial: (_, n) => (n === 0 ? { answer: refused(30_000) } : { talkMs: 200 }),
    });

    await scene.run();

    const [first, ...later] = scene.service.dials;
    const answeredAt = (first?.at ?? 0) + 20;
    const sentInBetween = later.filter(({ at }) => at > answeredAt && at < answeredAt + 30_000);
    expect(sentInBetween).toEqual([]);
    expect((await scene.rows()).every(({ attempts, result }) => attempts === 1 && result)).toBe(
      true,
    );
  });

  it('longer than two minutes is waited out by a run that was asked to stay', async () => {
    const scene = await aScene({
      leads: 1,
      dial: (_, n) => (n === 0 ? { answer: refused(300_000) } : {}),
    });

    const end = await scene.run({ waitUntil: scene.clock.now() + 400_000 });

    expect(end.dispatch).toBe('none_waiting');
    expect(scene.service.dials).toHaveLength(2);
  });

  it('without Retry-After leaves the service alone for a second', async () => {
    const settings = { concurrency: 1, requests: 1 };
    const scene = await aScene({
      leads: 50,
      settings,
      dial: (_, n) => (n < 5 ? { answer: refused() } : { talkMs: 10 }),
    });

    await scene.run({ limit: 1 });

    const times = scene.service.dials.map(({ at }) => at);
    const gaps = times.slice(1).map((at, i) => at - (times[i] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1_000);
    expect(times).toHaveLength(6);
  });

  it('lets fewer calls be in progress, and all again once it has gone well for some seconds', async () => {
    const scene = await aScene({
      leads: 200,
      settings: { concurrency: 10, requests: 10 },
      dial: (_, n) => (n >= 10 && n < 14 ? { answer: refused() } : { talkMs: 2_000 }),
    });

    await scene.run();

    const shrunk = scene.notices.flatMap((n) => (n.event === 'slots.shrunk' ? [n.limit] : []));
    expect(shrunk[0]).toBe(9);
    const { calls } = scene.service;
    const afterwards = calls
      .slice(10, 18)
      .map(({ startedAt }) => inProgressAt(scene.service, startedAt));
    expect(Math.max(...afterwards)).toBeLessThan(10);
    expect(Math.max(...calls.slice(-40).map((c) => inProgressAt(scene.service, c.startedAt)))).toBe(
      10,
    );
    expect(scene.service.rings().size).toBe(200);
  });

  it('lets as many calls be in progress as before where it was for the rate of requests', async () => {
    const scene = await aScene({
      leads: 40,
      settings: { concurrency: 10, requests: 10 },
      dial: (_, n) => (n >= 10 && n < 14 ? { answer: refused() } : { talkMs: 2_000 }),
    });
    Object.assign(scene.service, { isTooFast: () => true });

    await scene.run();

    expect(scene.notices.filter(({ event }) => event === 'slots.shrunk')).toEqual([]);
    const starts = scene.service.calls.slice(10, 22).map(({ startedAt }) => startedAt);
    expect(Math.max(...starts.map((at) => inProgressAt(scene.service, at)))).toBe(10);
  });
});

function inProgressAt(
  { calls }: { calls: { startedAt: number; endsAt: number }[] },
  time: number,
): number {
  return calls.filter(({ startedAt, endsAt }) => startedAt <= time && time < endsAt).length;
}
