import { describe, expect, it } from 'vitest';
import { addLeads, aScene, cancel, ME, type Scene } from '../helpers/campaign-run.ts';
import { aPhone } from '../helpers/factory.ts';
import { refused, unknown } from '../helpers/services/service-double.ts';

const HOUR = 3_600_000;

describe('dialling', () => {
  it('puts an intent on the wire at once: none waits for a lane', async () => {
    const settings = { concurrency: 20, requests: 2 };
    const scene = await aScene({ leads: 12, settings, dial: () => ({ answerMs: 3_000 }) });
    const intents = watchClaims(scene);

    await scene.run({ store: intents.store });

    for (const { phone, at } of scene.service.dials) expect(intents.at(phone)).toBe(at);
    expect(scene.service.dials).toHaveLength(12);
  });

  it('asks for no more leads than lanes are free', async () => {
    const settings = { concurrency: 20, requests: 3 };
    const scene = await aScene({ leads: 12, settings, dial: () => ({ answerMs: 3_000 }) });
    const claims = watchClaims(scene);

    await scene.run({ store: claims.store });

    expect(Math.max(...claims.wanted)).toBeLessThanOrEqual(3);
    expect(scene.service.mostDials).toBe(3);
  });

  it('takes a freed lane at once', async () => {
    const settings = { concurrency: 20, requests: 1 };
    const scene = await aScene({
      leads: 5,
      settings,
      dial: () => ({ answerMs: 3_000, talkMs: 60_000 }),
    });

    await scene.run();

    const times = scene.service.dials.map(({ at }) => at - (scene.service.dials[0]?.at ?? 0));
    expect(times.every((ms, n) => ms - n * 3_000 < 100)).toBe(true);
  });

  it('takes a freed slot at once', async () => {
    const settings = { concurrency: 1, polling: { floorMs: 1, ceilingMs: 10, deadlineMs: HOUR } };
    const scene = await aScene({ leads: 4, settings, readMs: 1, dial: () => ({ talkMs: 300 }) });

    await scene.run();

    const { calls } = scene.service;
    const gaps = calls.slice(1).map(({ startedAt }, n) => startedAt - (calls[n]?.endsAt ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...gaps)).toBeLessThan(100);
  });

  it.each([
    ['nobody waits', {}, 1],
    ['the pace allows none', { pace: { count: 1, perMs: 60_000 } }, 3],
  ])(
    'does not ask the store over and over while a dial is in flight and %s',
    async (_, more, leads) => {
      const scene = await aScene({ leads, settings: more, dial: () => ({ answerMs: 10_000 }) });
      const claims = watchClaims(scene);
      const stop = new AbortController();
      const run = scene.start({ store: claims.store, stopDialling: stop.signal });
      await scene.night.until(() => scene.service.dials.length === 1);
      const before = claims.wanted.length;

      await scene.night.sleep(5_000);

      expect(claims.wanted.length - before).toBeLessThanOrEqual(11);
      stop.abort();
      await scene.night.pass(run);
    },
  );
});

describe('dialling ends', () => {
  it('at the limit', async () => {
    const scene = await aScene({ leads: 20 });

    const end = await scene.run({ limit: 7 });

    expect(end).toMatchObject({ dispatch: 'limit', drained: true });
    expect(scene.service.dials).toHaveLength(7);
  });

  it('at the limit of calls, not counting dials that were given back', async () => {
    const scene = await aScene({
      leads: 20,
      dial: (_, n) => (n < 3 ? { answer: refused(1_000) } : {}),
    });

    await scene.run({ limit: 7 });

    expect(scene.service.rings().size).toBe(7);
  });

  it('at the limit counting dials whose answer was lost', async () => {
    const scene = await aScene({ leads: 20, dial: () => ({ answer: unknown() }) });

    await scene.run({ limit: 3 });

    expect(scene.service.dials).toHaveLength(3);
  });

  it('at the time it was given, with the calls in progress collected', async () => {
    const scene = await aScene({ leads: 50, settings: { concurrency: 2 } });
    const until = scene.clock.now() + 12_000;

    const end = await scene.run({ until });

    expect(end).toMatchObject({ dispatch: 'until', drained: true });
    const times = scene.service.dials.map(({ at }) => at);
    expect(times.length).toBeGreaterThan(2);
    expect(Math.max(...times)).toBeLessThan(until);
  });

  it('at the time it was given while it waits for the service', async () => {
    const scene = await aScene({ leads: 5, dial: () => ({ answer: refused(100_000) }) });
    const startedAt = scene.clock.now();

    const end = await scene.run({ until: startedAt + 10_000 });

    expect(end.dispatch).toBe('until');
    expect(scene.clock.now() - startedAt).toBeLessThan(11_000);
  });

  it('when those who wait are due in more than two minutes', async () => {
    const scene = await aScene({ leads: 1 });
    await postpone(scene, 10 * 60_000);

    const end = await scene.run();

    expect(end.dispatch).toBe('later');
    expect(scene.service.dials).toEqual([]);
  });

  it('not before those who are due within two minutes were called', async () => {
    const scene = await aScene({ leads: 1 });
    await postpone(scene, 90_000);

    expect((await scene.run()).dispatch).toBe('none_waiting');
    expect(scene.service.dials).toHaveLength(1);
  });

  it('not before those who are due within the time it was asked to stay were called', async () => {
    const scene = await aScene({ leads: 1 });
    await postpone(scene, 3 * 60_000);

    const end = await scene.run({ waitUntil: scene.clock.now() + 4 * 60_000 });

    expect(end.dispatch).toBe('none_waiting');
    expect(scene.service.dials).toHaveLength(1);
  });

  it('when the campaign is cancelled meanwhile, also while it waits for a time', async () => {
    const scene = await aScene({ leads: 1 });
    await postpone(scene, HOUR);
    const startedAt = scene.clock.now();
    const run = scene.start({ waitUntil: startedAt + 2 * HOUR });
    await scene.night.sleep(5_000);

    await cancel(scene.store, scene.campaign);

    expect((await scene.night.pass(run)).dispatch).toBe('not_running');
    expect(scene.clock.now() - startedAt).toBeLessThan(10_000);
  });

  it('not while a list that joins meanwhile can be called', async () => {
    const scene = await aScene({ leads: 1 });
    await postpone(scene, 60_000);
    const run = scene.start();
    await scene.night.sleep(5_000);

    await addLeads(scene.store, scene.campaign.id, { from: 10, leads: 1 });
    await scene.night.pass(run);

    const [first] = scene.service.dials;
    expect(first?.phone).toBe(aPhone(10));
    expect(scene.service.dials).toHaveLength(2);
  });

  it('at once where an import was broken off', async () => {
    const scene = await aScene({ leads: 1 });
    const { campaign, store } = scene;
    const list = { id: 'half', path: 'half.csv', sha256: 'half', headers: ['phone'], at: 0 };
    await store.beginList(campaign.id, list);
    const startedAt = scene.clock.now();

    const end = await scene.run();

    expect(end.dispatch).toBe('list_unfinished');
    expect(scene.clock.now() - startedAt).toBeLessThan(10_000);
    expect(scene.service.dials).toEqual([]);
  });

  it('never by an import that ends', async () => {
    const scene = await aScene({ leads: 1 });
    const { campaign, store } = scene;
    const list = { id: 'half', path: 'half.csv', sha256: 'half', headers: ['phone'], at: 0 };
    const importer = { ...ME, seenAt: scene.clock.now() };
    await store.beginList(campaign.id, { ...list, importer });
    const run = scene.start();
    for (let s = 0; s < 30; s += 5) {
      await store.importSeen('half', ME, scene.clock.now());
      await scene.night.sleep(5_000);
    }
    expect(scene.service.dials).toEqual([]);

    await store.finishList('half', { good: 0, rejected: 0, duplicates: 0 });

    expect((await scene.night.pass(run)).dispatch).toBe('none_waiting');
    expect(scene.service.dials).toHaveLength(1);
  });
});

/** Makes the first lead wait for `ms`, as a refusal with Retry-After in an earlier run does. */
async function postpone({ store, campaign, service, clock }: Scene, ms: number): Promise<void> {
  const { name, fingerprint } = service;
  const owner = { host: 'h', boot: 'b', pid: 1 };
  const now = clock.now();
  const slots = { slots: 5, serviceSlots: null, service: name, fingerprint };
  const { intents } = await store.claim({ campaignId: campaign.id, want: 1, ...slots, now, owner });
  const reason = 'refused_without_effect';
  for (const { attemptId } of intents) {
    const notBefore = now + ms;
    await store.recordDial(attemptId, { kind: 'released', reason, at: now, notBefore, detail: '' });
  }
}

/** The scene's store, and what is asked of it. */
function watchClaims({ store, clock }: Scene) {
  const wanted: number[] = [];
  const claimedAt = new Map<string, number>();
  return {
    wanted,
    at: (phone: string) => claimedAt.get(phone),
    store: {
      ...store,
      claim: async (request: Parameters<typeof store.claim>[0]) => {
        wanted.push(request.want);
        const claim = await store.claim(request);
        for (const { phone } of claim.intents) claimedAt.set(phone, clock.now());
        return claim;
      },
    },
  };
}
