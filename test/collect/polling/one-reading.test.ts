import { describe, expect, it } from 'vitest';
import type { PollEnd } from '../../../src/collect/polling/poller.ts';
import type { VoiceService } from '../../../src/service/port.ts';
import type { Store } from '../../../src/store/port.ts';
import { aScene, ME } from '../../helpers/campaign-run.ts';
import { tickingClock } from '../../helpers/ticking-clock.ts';
import { BY_KEY, isFirst, listed, listing, states } from './listing.ts';
import { aPoller, placedCalls } from './open-calls.ts';

/** Longer than any run here takes, and far shorter than a wait that nothing ends. */
const LONG_MS = 20 * 60_000;

describe('while the clock moves on at every reading', () => {
  it.each([1, 7, 15, 37, 59])('a run ends: %d ms', async (ms) => {
    const { scene, start } = await listing({ leads: 6, lost: isFirst }, BY_KEY, () => listed([]));
    const { clock, night } = scene;
    let isOver = false;
    const run = start({ clock: tickingClock(clock, ms) }).finally(() => (isOver = true));
    const latest = clock.monotonic() + LONG_MS;

    await night.until(() => isOver || clock.monotonic() > latest);

    expect(isOver).toBe(true);
    await run;
    expect([...scene.service.rings().values()]).toEqual(Array(6).fill(1));
    expect(await states(scene)).toContain('done answered');
  });
});

describe('a poller', () => {
  it('polls within a moment what the rate limiter had no room for, though it has some whenever it is asked twice', async () => {
    const scene = await placedCalls(3, 10_000);
    let asked = 0;
    const service: VoiceService = Object.assign(Object.create(scene.service) as VoiceService, {
      readAnalytics: (callId: string) => scene.service.readAnalytics(callId),
      roomWithin: () => asked++ % 2,
    });
    const before = scene.service.polls.length;
    const stop = new AbortController();
    const run = aPoller(scene, { service }).run(stop.signal);

    await scene.night.sleep(1_000);

    expect(scene.service.polls.length - before).toBe(3);
    stop.abort();
    await scene.night.pass(run);
  });

  it('asks the store within a second after the wall clock was set back during its query', async () => {
    const scene = await placedCalls(1, 0, { dial: () => ({ talkMs: 60_000 }) });
    const { clock, night } = scene;
    const asked: number[] = [];
    let isBack = false;
    const store: Store = {
      ...scene.store,
      duePolls: async (query) => {
        asked.push(clock.monotonic());
        const found = await scene.store.duePolls(query);
        if (asked.length > 3 && !isBack && found.length === 0) {
          isBack = true;
          clock.setWall(clock.now() - 3_600_000);
        }
        return found;
      },
    };
    const stop = new AbortController();
    const run = aPoller(scene, { store }).run(stop.signal);

    await night.sleep(30_000);

    const gaps = [...asked.slice(1), clock.monotonic()].map((at, n) => at - Number(asked[n]));
    expect(Math.max(...gaps)).toBeLessThanOrEqual(1_000);
    stop.abort();
    await night.pass(run);
  });

  it('that is told during a query that no call will come asks again: another process may have placed one', async () => {
    const settings = { concurrency: 1 };
    const scene = await aScene({ leads: 1, settings, dial: () => ({ talkMs: 60_000 }) });
    const other = scene.openStore();
    let during: (() => Promise<void>) | undefined;
    const store: Store = {
      ...scene.store,
      nextPollAt: async (query) => {
        const next = await scene.store.nextPollAt(query);
        await during?.();
        return next;
      },
    };
    const poller = aPoller(scene, { store });
    const stop = new AbortController();
    let end: PollEnd | undefined;
    const run = poller.run(stop.signal).then((result) => (end = result));
    await scene.night.sleep(3_000);
    during = async () => {
      during = undefined;
      await placeOne(other, scene);
      poller.drain();
    };

    await scene.night.sleep(3_000);

    expect((await scene.store.progress(scene.campaign.id, scene.clock.now())).open).toBe(1);
    expect(end).toBeUndefined();
    stop.abort();
    await scene.night.pass(run);
  });
});

/** As another process would: the call goes on for longer than the test. */
async function placeOne(
  store: Store,
  { campaign, clock, service }: Awaited<ReturnType<typeof aScene>>,
): Promise<void> {
  const { fingerprint, name } = service;
  const now = clock.now();
  const limits = { want: 1, slots: 1, serviceSlots: null };
  const at = { service: name, fingerprint, now };
  const owner = { ...ME, pid: ME.pid + 1 };
  const { intents } = await store.claim({ campaignId: campaign.id, ...limits, ...at, owner });
  await store.recordDial(String(intents[0]?.attemptId), {
    ...{ kind: 'placed', at: now, detail: '', callId: 'call_x', fingerprint },
    nextPollAt: now + 60_000,
  });
}
