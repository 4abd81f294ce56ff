import { describe, expect, it } from 'vitest';
import type { PollEnd } from '../../../src/collect/polling/poller.ts';
import { Lanes } from '../../../src/runtime/lanes.ts';
import type { PollResult, VoiceService } from '../../../src/service/port.ts';
import type { Store } from '../../../src/store/port.ts';
import { aScene, type Plan } from '../../helpers/campaign-run.ts';
import { aPoller, placedCalls } from './open-calls.ts';

const KEY_REFUSED = {
  kind: 'failed',
  detail: 'HTTP 401',
  retryAfterMs: null,
  keyRefused: true,
} as const;

describe('a poller', () => {
  it('drained when nothing is open any more, and not before', async () => {
    const scene = await withOpenCalls(150);
    const poller = aPoller(scene);
    poller.drain();

    const end = await scene.night.pass(poller.run(new AbortController().signal));

    expect(end).toEqual({ drained: true, keyRefused: false });
    expect((await scene.rows()).every(({ result }) => result === 'answered')).toBe(true);
  });

  it('goes on for calls that are still to be placed until it is told that there are none', async () => {
    const scene = await aScene({ leads: 1 });
    const poller = aPoller(scene);
    let end: PollEnd | undefined;
    const run = poller.run(new AbortController().signal).then((result) => (end = result));
    await scene.night.sleep(60_000);
    expect(end).toBeUndefined();

    poller.drain();

    expect(await scene.night.pass(run)).toEqual({ drained: true, keyRefused: false });
  });

  it('is not drained, and leaves the rest for later, when it is stopped', async () => {
    const scene = await withOpenCalls(5, { readMs: 300 });
    const stop = new AbortController();
    const run = aPoller(scene, { lanes: new Lanes(2) }).run(stop.signal);
    const polls = scene.service.polls.length;
    await scene.night.until(() => scene.service.polls.length === polls + 2);
    stop.abort();

    expect(await scene.night.pass(run)).toEqual({ drained: false, keyRefused: false });

    expect(scene.service.polls).toHaveLength(polls + 2);
    expect((await scene.rows()).filter(({ result }) => result === 'answered')).toHaveLength(2);
  });

  it('does not wait for polls that never end when it is stopped, and tells of none that they failed', async () => {
    const scene = await withOpenCalls(5);
    let asked = 0;
    const service: VoiceService = Object.assign(Object.create(scene.service) as VoiceService, {
      readAnalytics: (_callId: string, signal?: AbortSignal) =>
        new Promise<PollResult>((resolve) => {
          asked += 1;
          signal?.addEventListener('abort', () => {
            resolve({ ...KEY_REFUSED, detail: 'it was stopped', keyRefused: false });
          });
        }),
    });
    const stop = new AbortController();
    const run = aPoller(scene, { service }).run(stop.signal);
    await scene.night.until(() => asked > 0);
    stop.abort();

    expect(await scene.night.pass(run)).toEqual({ drained: false, keyRefused: false });
    expect(scene.notices.filter(({ event }) => event === 'poll.failed')).toEqual([]);
  });

  it('ends when the key is refused, and the calls stay open', async () => {
    const scene = await withOpenCalls(5, { read: () => KEY_REFUSED });

    const end = await scene.night.pass(aPoller(scene).run(new AbortController().signal));

    expect(end).toEqual({ drained: false, keyRefused: true });
    expect((await scene.rows()).map(({ attempt }) => attempt?.state)).toEqual(
      Array(5).fill('placed'),
    );
  });

  it('polls calls that another runner places', async () => {
    const scene = await aScene({ leads: 1, dial: () => ({ talkMs: 100 }) });
    const poller = aPoller(scene, { store: scene.openStore() });
    const run = poller.run(new AbortController().signal);
    const dialling = scene.start({ collectFrom: [] });

    await scene.night.until(() => scene.service.polls.length === 1);

    poller.drain();
    await scene.night.pass(Promise.all([run, dialling]));
    expect((await scene.rows())[0]?.result).toBe('answered');
  });

  it('polls within a second a call whose poll was due before the last ones were taken', async () => {
    const scene = await withOpenCalls(1);
    const late = await scene.store.duePolls({
      service: scene.service.name,
      campaignId: null,
      now: Number.MAX_SAFE_INTEGER,
      limit: 1,
    });
    let asked = 0;
    const store: Store = {
      ...scene.store,
      duePolls: (query) => {
        asked += 1;
        return asked === 1 || (query.after ?? 0) > 0 ? Promise.resolve([]) : Promise.resolve(late);
      },
      nextPollAt: () => Promise.resolve(null),
    };
    const stop = new AbortController();
    const run = aPoller(scene, { store }).run(stop.signal);

    await scene.night.until(() => scene.service.polls.length === 1);
    stop.abort();
    await scene.night.pass(run);

    expect(asked).toBe(2);
  });

  it('asks the store a few times a second at most when there is nothing to poll', async () => {
    const scene = await aScene({ leads: 1 });
    let asked = 0;
    const store: Store = {
      ...scene.store,
      duePolls: (query) => {
        asked += 1;
        return scene.store.duePolls(query);
      },
    };
    const stop = new AbortController();
    const run = aPoller(scene, { store }).run(stop.signal);

    await scene.night.sleep(10_000);
    stop.abort();
    await scene.night.pass(run);

    expect(asked).toBeLessThanOrEqual(11);
  });

  it('goes on asking though the wall clock is set back', async () => {
    const scene = await aScene({ leads: 1 });
    const poller = aPoller(scene);
    const run = poller.run(new AbortController().signal);
    await scene.night.sleep(5_000);
    scene.clock.setWall(scene.clock.now() - 3_600_000);
    poller.drain();
    const before = scene.clock.monotonic();

    await scene.night.pass(run);

    expect(scene.clock.monotonic() - before).toBeLessThan(5_000);
  });

  it('that cannot ask the store waits for its polls in flight, keeps them, and tells it', async () => {
    const scene = await withOpenCalls(70, { readMs: 5_000 });
    let asked = 0;
    const store: Store = {
      ...scene.store,
      duePolls: (query) => {
        asked += 1;
        return asked > 1
          ? Promise.reject(new Error('disk I/O error'))
          : scene.store.duePolls(query);
      },
    };
    const run = aPoller(scene, { store, lanes: new Lanes(100) }).run(new AbortController().signal);

    await expect(scene.night.pass(run)).rejects.toThrow('disk I/O error');

    expect((await scene.rows()).filter(({ result }) => result === 'answered')).toHaveLength(64);
  });

  it('of a service that throws tells it instead of waiting for ever', async () => {
    const scene = await withOpenCalls(3);
    const service: VoiceService = Object.assign(Object.create(scene.service) as VoiceService, {
      readAnalytics: () => Promise.reject(new Error('a defect')),
    });
    const run = aPoller(scene, { service }).run(new AbortController().signal);

    await expect(scene.night.pass(run)).rejects.toThrow('a defect');
  });
});

const withOpenCalls = (count: number, plan?: Plan) => placedCalls(count, 5_000, plan);
