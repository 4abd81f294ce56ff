import { describe, expect, it } from 'vitest';
import type { Owner, Store } from '../src/store/port.ts';
import { aScene, ME, type Scene } from './helpers/campaign-run.ts';
import { aPhone } from './helpers/factory.ts';
import { busy, mixedAnswers, ServiceDouble } from './helpers/services/service-double.ts';

const SHE: Owner = { ...ME, pid: 4_712 };

describe('a run', () => {
  it('rings every phone once, whatever the service answers, and every lead ends', async () => {
    const settings = { ...busy(12), longestCallMs: 10_000 };
    const scene = await aScene({ leads: 300, settings, dial: mixedAnswers() });

    const end = await scene.run();

    expect(end).toEqual({
      dispatch: 'none_waiting',
      nextAt: null,
      drained: true,
      keyRefused: false,
    });
    expect(Math.max(...scene.service.rings().values())).toBe(1);
    const rows = await scene.rows();
    expect(rows).toHaveLength(300);
    const answered = rows.filter(({ result }) => result === 'answered');
    const called = new Set(answered.map(({ phone }) => phone));
    const read = new Set(scene.service.calls.filter(isPlaced).map(({ phone }) => phone));
    expect(called).toEqual(read);
    for (const { phone, analytics } of answered) {
      expect(analytics?.summary).toBe(scene.service.calls.find((c) => c.phone === phone)?.callId);
    }
    const others = rows.filter(({ result }) => result !== 'answered');
    expect(new Set(others.map((row) => row.result ?? row.attempt?.state))).toEqual(
      new Set(['rejected', 'unknown']),
    );
  });

  it('places no call when it is run again', async () => {
    const scene = await aScene({ leads: 20, dial: mixedAnswers() });
    await scene.run();
    const dials = scene.service.dials.length;

    const end = await scene.run();

    expect(end.dispatch).toBe('none_waiting');
    expect(scene.service.dials).toHaveLength(dials);
  });

  it('uses all of its concurrency and never more', async () => {
    const scene = await aScene({ leads: 60, settings: busy(7) });

    await scene.run();

    expect(scene.service.mostCalls).toBe(7);
    expect(scene.service.calls).toHaveLength(60);
  });

  it('records that it only collects as soon as it calls nobody else', async () => {
    const scene = await aScene({ leads: 3 });
    const seen: (boolean | undefined)[] = [];
    const runnerSeen: Store['runnerSeen'] = (id, owner, at, dials) => {
      seen.push(dials);
      return scene.store.runnerSeen(id, owner, at, dials);
    };

    await scene.run({ store: { ...scene.store, runnerSeen }, othersEveryMs: 1_000_000 });

    expect(seen).toEqual([true, false]);
  });

  it('never has more requests in flight than lanes, dials and reads together', async () => {
    const settings = { concurrency: 20, requests: 3 };
    const scene = await aScene({
      leads: 60,
      settings,
      readMs: 300,
      dial: () => ({ answerMs: 300 }),
    });

    await scene.run();

    expect(scene.service.mostRequests).toBe(3);
    expect(scene.service.calls).toHaveLength(60);
  });

  it('only collects when it has nowhere to dial', async () => {
    const scene = await aScene({ leads: 3, settings: { concurrency: 2 } });
    const stop = new AbortController();
    const first = scene.start({ stop: stop.signal });
    await scene.night.until(() => scene.service.calls.length === 2);
    stop.abort();
    await scene.night.pass(first);

    const end = await scene.run({ dialAt: null });

    expect(end).toEqual({ dispatch: null, nextAt: null, drained: true, keyRefused: false });
    expect(scene.service.calls).toHaveLength(2);
    expect((await scene.rows()).map(({ result }) => result)).toEqual([
      'answered',
      'answered',
      null,
    ]);
  });

  it('collects what is in progress after dialling was stopped', async () => {
    const scene = await aScene({ leads: 30, settings: { concurrency: 4 } });
    const stopDialling = new AbortController();
    const run = scene.start({ stopDialling: stopDialling.signal });
    await scene.night.until(() => scene.service.calls.length === 4);
    stopDialling.abort();

    const end = await scene.night.pass(run);

    expect(end).toEqual({ dispatch: 'stopped', nextAt: null, drained: true, keyRefused: false });
    expect(scene.service.calls).toHaveLength(4);
    expect((await scene.rows()).filter(({ result }) => result === 'answered')).toHaveLength(4);
  });

  it('leaves open calls to the next one when everything was stopped', async () => {
    const scene = await aScene({ leads: 2 });
    const stop = new AbortController();
    const run = scene.start({ stop: stop.signal });
    await scene.night.until(() => scene.service.calls.length === 2);
    stop.abort();

    const end = await scene.night.pass(run);
    await scene.run();

    expect(end).toEqual({ dispatch: 'stopped', nextAt: null, drained: false, keyRefused: false });
    expect(scene.service.calls).toHaveLength(2);
    expect((await scene.rows()).map(({ result }) => result)).toEqual(['answered', 'answered']);
  });

  it('makes the orphaned intents of a process that is gone unknown, and calls nobody again', async () => {
    const scene = await aScene({ leads: 3 });
    await claimOne(scene, SHE);

    await scene.run({ isGone: ({ pid }) => pid === SHE.pid });

    expect([...scene.service.rings().keys()]).toEqual([aPhone(1), aPhone(2)]);
    expect((await scene.rows()).map(({ attempt }) => attempt?.state)).toEqual([
      'unknown',
      'settled',
      'settled',
    ]);
  });

  it('makes the intent of a process that still lives unknown after two minutes only', async () => {
    const scene = await aScene({ leads: 1 });
    await claimOne(scene, SHE);

    await scene.run();
    expect((await scene.rows())[0]?.attempt?.state).toBe('intent');
    await scene.night.sleep(120_000);
    await scene.run();

    expect((await scene.rows())[0]?.attempt?.state).toBe('unknown');
    expect(scene.service.dials).toHaveLength(0);
  });

  it('says while it works that it does, and that it has left', async () => {
    const scene = await aScene({ leads: 1, dial: () => ({ talkMs: 30_000 }) });
    const startedAt = scene.clock.now();
    const run = scene.start();
    await scene.night.until(() => scene.clock.now() - startedAt >= 10_000);

    const [runner, ...others] = await scene.store.runners(scene.campaign.id);
    expect(others).toEqual([]);
    expect(runner).toMatchObject({ ...ME, since: startedAt });
    expect(runner?.seenAt).toBeGreaterThan(startedAt + 7_000);

    await scene.night.pass(run);
    expect(await scene.store.runners(scene.campaign.id)).toEqual([]);
  });

  it('reads calls where they were placed, when a campaign has moved to another service', async () => {
    const scene = await aScene({ leads: 4, settings: { concurrency: 2 } });
    const { clock } = scene;
    const stop = new AbortController();
    const first = scene.start({ stop: stop.signal });
    await scene.night.until(() => scene.service.calls.length === 2);
    stop.abort();
    await scene.night.pass(first);
    const newService = new ServiceDouble({ clock, name: 'other' });

    await scene.run({
      dialAt: { service: newService, maxCalls: null },
      collectFrom: [newService, scene.service],
    });

    expect((await scene.rows()).map(({ attempt }) => attempt?.service)).toEqual([
      'main',
      'main',
      'other',
      'other',
    ]);
    expect((await scene.rows()).every(({ result }) => result === 'answered')).toBe(true);
  });
});

describe('a run that fails', () => {
  it('on a database that cannot be swept at the start tells it and has dialled nobody', async () => {
    const scene = await aScene();
    const store = { ...scene.store, sweep: fails };

    await expect(scene.run({ store })).rejects.toThrow('database is locked');

    expect(scene.service.dials).toEqual([]);
  });

  it('on a sweep later keeps the answers in flight, stops dialling, and tells it', async () => {
    const scene = await aScene({ leads: 50, dial: () => ({ answerMs: 4_000, talkMs: 20_000 }) });
    let sweeps = 0;
    const store = {
      ...scene.store,
      sweep: (...request: Parameters<typeof scene.store.sweep>) =>
        ++sweeps > 1 ? fails() : scene.store.sweep(...request),
    };

    await expect(scene.run({ store })).rejects.toThrow('database is locked');

    expect(scene.service.dials).toHaveLength(1);
    const states = (await scene.rows()).slice(0, 2).map(({ attempt }) => attempt?.state);
    expect(states).toEqual(['placed', undefined]);
    expect(await scene.store.runners(scene.campaign.id)).toEqual([]);
  });

  it('in dialling ends collecting, too', async () => {
    const scene = await aScene({ leads: 50, settings: { concurrency: 2 } });
    let claims = 0;
    const store = {
      ...scene.store,
      claim: (...request: Parameters<typeof scene.store.claim>) =>
        ++claims > 3 ? fails() : scene.store.claim(...request),
    };

    await expect(scene.run({ store })).rejects.toThrow('database is locked');
  });

  it('in collecting ends dialling, and the dials in flight are kept', async () => {
    const scene = await aScene({ leads: 50, settings: { concurrency: 2 } });
    const store = { ...scene.store, recordPoll: fails };

    await expect(scene.run({ store })).rejects.toThrow('database is locked');

    expect(scene.service.dials).toHaveLength(2);
    expect((await scene.rows())[1]?.attempt?.state).toBe('placed');
  });

  it('because the key is refused for reading dials no more', async () => {
    const scene = await aScene({
      leads: 50,
      settings: { concurrency: 2 },
      read: () => ({ kind: 'failed', detail: 'HTTP 401', retryAfterMs: null, keyRefused: true }),
    });

    const end = await scene.run();

    expect(end).toEqual({ dispatch: 'stopped', nextAt: null, drained: false, keyRefused: true });
    expect(scene.service.dials).toHaveLength(2);
  });

  it('at an old service dials on at the new one when only the old key is refused', async () => {
    const scene = await aScene({ leads: 3, settings: { concurrency: 1, longestCallMs: 10_000 } });
    const stop = new AbortController();
    const first = scene.start({ stop: stop.signal });
    await scene.night.until(() => scene.service.calls.length === 1);
    stop.abort();
    await scene.night.pass(first);
    const { clock } = scene;
    const old = new ServiceDouble({
      clock,
      read: () => ({ kind: 'failed', detail: 'HTTP 401', retryAfterMs: null, keyRefused: true }),
    });
    const service = new ServiceDouble({ clock, name: 'other' });
    const dialAt = { service, maxCalls: null };

    const end = await scene.run({ dialAt, collectFrom: [service, old] });

    expect(end).toMatchObject({ dispatch: 'none_waiting', keyRefused: true });
    expect(service.calls).toHaveLength(2);
  });
});

describe('a run that reads calls of two services', () => {
  it('ends only when both have written what they read, though one of them fails', async () => {
    const scene = await aScene({ leads: 2, dial: () => ({ talkMs: 100 }), readMs: 20_000 });
    await scene.run({ collectFrom: [] });
    await scene.night.sleep(10_000);
    const second = new ServiceDouble({ clock: scene.clock, name: 'second' });
    let isOver = false;
    let writtenAfter = 0;
    const store: Store = {
      ...scene.store,
      duePolls: (query) =>
        query.service === 'second' && scene.service.polls.length > 0
          ? fails()
          : scene.store.duePolls(query),
      recordPoll: (...of) => {
        if (isOver) writtenAfter += 1;
        return scene.store.recordPoll(...of);
      },
    };
    const run = scene.run({ store, dialAt: null, collectFrom: [scene.service, second] });

    await expect(run.finally(() => (isOver = true))).rejects.toThrow('database is locked');
    await scene.night.sleep(60_000);

    expect(scene.service.polls.length).toBeGreaterThan(0);
    expect(writtenAfter).toBe(0);
  });
});

function isPlaced({ callId }: { callId: string }): boolean {
  return callId.startsWith('call_');
}

async function claimOne({ store, campaign, service, clock }: Scene, owner: Owner): Promise<void> {
  const { name, fingerprint } = service;
  const request = { campaignId: campaign.id, want: 1, slots: 1, serviceSlots: null, owner };
  await store.claim({ ...request, service: name, fingerprint, now: clock.now() });
}

function fails(): Promise<never> {
  return Promise.reject(new Error('database is locked'));
}
