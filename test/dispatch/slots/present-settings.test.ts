import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CampaignSettings } from '../../../src/domain/campaign.ts';
import { aScene, type Scene } from '../../helpers/campaign-run.ts';
import { busy, refused } from '../../helpers/services/service-double.ts';
import { examples } from '../../helpers/properties.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** What follows a change on its way to the service: the claim and the dial. */
const ON_THE_WAY = 100;

describe('concurrency that is raised during a run', () => {
  it('holds within a second, although no call ends meanwhile', async () => {
    const scene = await aScene({ leads: 10, settings: busy(2), dial: longCall });
    const run = scene.start();
    await scene.night.until(() => scene.service.inProgress === 2);
    await scene.night.sleep(10 * SECOND);

    await set(scene, busy(6));
    await scene.night.sleep(SECOND);

    expect(scene.service.inProgress).toBe(6);
    await scene.night.pass(run);
    expect(scene.service.mostCalls).toBe(6);
    expect([...scene.service.rings().values()]).toEqual(Array(10).fill(1));
  });

  it('holds within a second whenever it is changed, however long ago the store was asked', async () => {
    for (let waits = 0; waits < 1_200; waits += 300) {
      const scene = await aScene({ leads: 10, settings: busy(1), dial: longCall });
      const stop = new AbortController();
      const run = scene.start({ stop: stop.signal });
      await scene.night.until(() => scene.service.inProgress === 1);
      await scene.night.sleep(10 * SECOND + waits);

      await set(scene, busy(3));
      await scene.night.sleep(SECOND);

      expect(scene.service.inProgress).toBe(3);
      stop.abort();
      await scene.night.pass(run);
    }
  });

  it('holds while the only lane waits for an answer', async () => {
    const scene = await aScene({
      leads: 4,
      settings: busy(1),
      dial: () => ({ answerMs: 30 * SECOND }),
    });
    const run = scene.start();
    await scene.night.until(() => scene.service.dials.length === 2);
    await scene.night.sleep(3 * SECOND);

    await set(scene, busy(4));
    await scene.night.sleep(SECOND);

    expect(scene.service.dials).toHaveLength(3);
    await scene.night.pass(run);
  });

  it('does not make the run ask the store more often', async () => {
    const scene = await aScene({ leads: 4, settings: busy(2), dial: longCall });
    const asked = watchStore(scene);
    const run = scene.start({ store: asked.store });
    await scene.night.until(() => scene.service.inProgress === 2);
    await scene.night.sleep(5 * SECOND);
    const before = { ...asked.count };
    await scene.night.sleep(10 * SECOND);

    expect(asked.count.claims - before.claims).toBeLessThanOrEqual(11);
    expect(asked.count.looks - before.looks).toBeLessThanOrEqual(21);
    await scene.night.pass(run);
  });
});

describe('concurrency that is lowered during a run', () => {
  it('starts no call above it, and lets those in progress end by themselves', async () => {
    const talkMs = 20 * SECOND;
    const scene = await aScene({ leads: 24, settings: busy(6), dial: () => ({ talkMs }) });
    const run = scene.start();
    await scene.night.until(() => scene.service.inProgress === 6);

    await set(scene, busy(2));
    const changedAt = scene.clock.now();
    await scene.night.pass(run);

    expect(mostAfter(scene, changedAt)).toBe(2);
    expect(scene.service.rings().size).toBe(24);
    for (const { startedAt, endsAt } of scene.service.calls)
      expect(endsAt - startedAt).toBe(talkMs);
  });

  it('and raised again is used to the full', async () => {
    const scene = await aScene({ leads: 20, settings: busy(5), dial: longCall });
    const run = scene.start();
    await scene.night.until(() => scene.service.inProgress === 5);

    await set(scene, busy(1));
    await scene.night.until(() => scene.service.inProgress === 1);
    await set(scene, busy(8));
    await scene.night.sleep(SECOND);

    expect(scene.service.inProgress).toBe(8);
    await scene.night.pass(run);
  });
});

describe('pace that is changed during a run', () => {
  it('holds from the next call on: none, then slow, then fast', async () => {
    const scene = await aScene({ leads: 60, settings: busy(10), dial: () => ({ talkMs: 500 }) });
    const { service, night } = scene;
    const run = scene.start();
    await night.until(() => service.dials.length === 10);

    await set(scene, { pace: { count: 1, perMs: 10 * SECOND } });
    const slowFrom = scene.clock.now();
    await night.sleep(MINUTE);
    const slow = service.dials.filter(({ at }) => at > slowFrom + ON_THE_WAY);
    expect(slow.length).toBeGreaterThanOrEqual(5);
    expect(slow.length).toBeLessThanOrEqual(7);

    await set(scene, { pace: { count: 2, perMs: SECOND } });
    const fastFrom = scene.clock.now();
    await night.sleep(10 * SECOND);
    const fast = service.dials.filter(({ at }) => at > fastFrom);
    expect((fast[0]?.at ?? Infinity) - fastFrom).toBeLessThanOrEqual(SECOND);
    expect(fast.length).toBeGreaterThanOrEqual(18);
    expect(fast.length).toBeLessThanOrEqual(21);

    await set(scene, { pace: null });
    const freeFrom = scene.clock.now();
    await night.pass(run);
    expect((service.dials.at(-1)?.at ?? Infinity) - freeFrom).toBeLessThan(15 * SECOND);
  });
});

describe('requests that are changed during a run', () => {
  it('are more at once', async () => {
    const scene = await aScene({
      leads: 40,
      settings: { concurrency: 20, requests: 1 },
      dial: slow,
    });
    const run = scene.start();
    await scene.night.until(() => scene.service.dials.length === 5);
    expect(scene.service.mostRequests).toBe(1);

    await set(scene, { requests: 5 });
    await scene.night.sleep(SECOND + ON_THE_WAY);

    expect(scene.service.mostRequests).toBe(5);
    await scene.night.pass(run);
    expect(scene.service.mostRequests).toBe(5);
    expect(scene.service.rings().size).toBe(40);
  });

  it('are fewer once those in flight are answered', async () => {
    const scene = await aScene({
      leads: 40,
      settings: { concurrency: 20, requests: 8 },
      dial: slow,
    });
    const run = scene.start();
    await scene.night.until(() => scene.service.mostDials === 8);

    await set(scene, { requests: 2 });
    await scene.night.sleep(4 * SECOND);
    scene.service.mostRequests = 0;
    await scene.night.pass(run);

    expect(scene.service.mostRequests).toBe(2);
    expect(scene.service.rings().size).toBe(40);
  });

  it('hold for polls, too, once everybody is called', async () => {
    const scene = await aScene({
      leads: 6,
      settings: {
        concurrency: 6,
        requests: 1,
        polling: { floorMs: 1, ceilingMs: 10, deadlineMs: MINUTE },
      },
      readMs: 3 * SECOND,
      dial: () => ({ talkMs: 30 * SECOND }),
    });
    const run = scene.start();
    await scene.night.until(() => scene.service.dials.length === 6);
    await scene.night.sleep(5 * SECOND);
    expect(scene.service.mostRequests).toBe(1);

    await set(scene, { requests: 4 });
    await scene.night.sleep(SECOND);

    expect(scene.service.mostRequests).toBe(4);
    await scene.night.pass(run);
  });
});

describe('a service that refuses calls', () => {
  it('is not sent more at once when the operator raises concurrency', async () => {
    const scene = await aScene({
      leads: 60,
      settings: busy(6),
      capacity: 3,
      dial: () => ({ talkMs: 2 * SECOND }),
    });
    const { service, night } = scene;
    const run = scene.start();
    await night.until(() => service.refusals.length > 0);
    await night.sleep(2 * SECOND);
    const before = service.refusals.length;

    await set(scene, busy(30));
    await night.sleep(3 * SECOND);

    // The one more that is tried now and then.
    expect(service.refusals.length).toBeLessThanOrEqual(before + 1);
    service.capacity = Infinity;
    await night.until(() => service.inProgress === 30);
    await night.pass(run);
    expect(service.rings().size).toBe(60);
  });
});

describe('whatever is set at any time', () => {
  it('no claim gives a slot above the concurrency that is set by then, and everybody is called once', async () => {
    const change = fc.record({
      afterMs: fc.integer({ min: 0, max: 2_000 }),
      concurrency: fc.integer({ min: 1, max: 12 }),
      requests: fc.integer({ min: 1, max: 12 }),
    });
    const plan = fc.array(change, { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(plan, fc.constantFrom(0, 7, 3), async (changes, refusesEach) => {
        const leads = 16;
        const dial = (_: unknown, n: number) => ({
          talkMs: 200 + ((n * 737) % 3_000),
          ...(refusesEach > 0 && n % refusesEach === 1 && { answer: refused() }),
        });
        const scene = await aScene({ leads, settings: busy(3), dial });
        const tooMany: number[] = [];
        const run = scene.start({ store: watchSlots(scene, tooMany) });
        for (const { afterMs, ...settings } of changes) {
          await scene.night.sleep(afterMs);
          await set(scene, settings);
        }
        await scene.night.pass(run);

        expect(tooMany).toEqual([]);
        expect([...scene.service.rings().values()]).toEqual(Array(leads).fill(1));
      }),
      { numRuns: examples(12) },
    );
  });
});

function longCall() {
  return { talkMs: MINUTE };
}

/** An answer that is slow, so that requests are in flight together. */
function slow() {
  return { answerMs: 3 * SECOND };
}

/** Changes settings as `callsheet set` does in another process. */
async function set({ store, campaign, clock }: Scene, changed: Partial<CampaignSettings>) {
  const found = await store.findCampaign(campaign.name);
  const settings = { ...campaign.settings, ...found?.settings, ...changed };
  const entry = { at: clock.now(), who: 'operator', what: 'campaign.changed', detail: {} };
  await store.changeCampaign(campaign.id, { settings }, entry);
}

/** The most calls in progress at the start of one that began a moment after `since`, or later. */
function mostAfter({ service: { calls } }: Scene, since: number): number {
  const later = calls.filter(({ startedAt }) => startedAt > since + ON_THE_WAY);
  const inProgressAt = (at: number) =>
    calls.filter(({ startedAt, endsAt }) => startedAt <= at && at < endsAt).length;
  return Math.max(...later.map(({ startedAt }) => inProgressAt(startedAt)));
}

/** The scene's store, and how often it was asked for leads and for the campaign. */
function watchStore({ store }: Scene) {
  const count = { claims: 0, looks: 0 };
  return {
    count,
    store: {
      ...store,
      claim: (...request: Parameters<typeof store.claim>) => {
        count.claims += 1;
        return store.claim(...request);
      },
      findCampaign: (name: string) => {
        count.looks += 1;
        return store.findCampaign(name);
      },
    },
  };
}

/** The scene's store; notes claims that gave leads while more slots were held than concurrency allows. */
function watchSlots({ store, campaign, clock }: Scene, tooMany: number[]) {
  return {
    ...store,
    claim: async (...request: Parameters<typeof store.claim>) => {
      const claim = await store.claim(...request);
      const held = await store.heldSlots(campaign.id, clock.now());
      const { concurrency } = claim.settings ?? { concurrency: 0 };
      const isNew = claim.intents.some(({ replayed }) => replayed !== true);
      if (isNew && held.length > concurrency) tooMany.push(held.length - concurrency);
      return claim;
    },
  };
}
