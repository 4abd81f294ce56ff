import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/runtime/random.ts';
import { WEEKDAYS } from '../../src/domain/calling/policy.ts';
import { START } from '../helpers/clock.ts';
import { someAnalytics } from '../helpers/factory.ts';
import { aScene, cancel, pause, resume, type Plan } from '../helpers/campaign-run.ts';
import {
  neverSent,
  placed,
  refused,
  rejected,
  unknown,
} from '../helpers/services/service-double.ts';

const DAY = 24 * 3_600_000;
const MINUTE = 60_000;
/** A call whose answer was lost: the phone rang all the same. */
const LOST = { answer: unknown(), rings: true };

/** A scene at a service that answers one key with one call, and whose profile says so. */
const idempotent = (plan: Plan) => aScene({ idempotentForMs: DAY, ...plan });

describe('at a service that answers one key with one call', () => {
  it('a lost answer is asked for again: everybody rings once, and nobody is left in doubt', async () => {
    const random = seededRandom('replays');
    const tries = new Map<string, number>();
    const settings = { concurrency: 20, requests: 20 };
    const scene = await idempotent({
      leads: 60,
      settings,
      dial: ({ phone }) => {
        const n = (tries.get(phone) ?? 0) + 1;
        tries.set(phone, n);
        // The request itself was lost now and then: nobody rang, and nobody can know.
        if (n > 2 || random() > 0.1) return { talkMs: 900 };
        return random() < 0.3 ? { answer: unknown(), rings: false } : { ...LOST, talkMs: 900 };
      },
    });

    const end = await scene.run();

    expect(end).toMatchObject({ dispatch: 'none_waiting', drained: true });
    expect([...scene.service.rings().values()]).toEqual(Array(60).fill(1));
    expect(scene.service.mostCalls).toBeLessThanOrEqual(20);
    expect(scene.service.dials.length).toBeGreaterThan(62);
    expect((await scene.rows()).map(({ result }) => result)).toEqual(Array(60).fill('answered'));
  });

  it('it is asked for after a second, with number, agent and key of the first time', async () => {
    const scene = await idempotent({ leads: 1, dial: (_, n) => (n === 0 ? LOST : {}) });

    await scene.run();

    const [first, second, ...others] = scene.service.dials;
    expect(others).toEqual([]);
    expect({ ...second, at: 0 }).toEqual({ ...first, at: 0 });
    expect(Number(second?.at) - Number(first?.at)).toBeGreaterThanOrEqual(1_000);
    expect(Number(second?.at) - Number(first?.at)).toBeLessThan(2_000);
    expect((await scene.rows())[0]).toMatchObject({ attempts: 1, result: 'answered' });
  });

  it('it is not asked for after the hours have closed: the phone may not have rung before', async () => {
    const minute = Math.floor((START % DAY) / MINUTE);
    const hours = { days: WEEKDAYS, from: minute - 60, to: minute + 1, timezone: 'UTC' };
    const policy = { rules: [], holidays: [], unknownZones: 'skip', zoneOverrides: [] } as const;
    const scene = await idempotent({
      leads: 1,
      settings: { policy: { ...policy, hours, marginMs: 59_500 } },
      dial: () => ({ answer: unknown(), rings: false }),
    });

    await scene.run();

    expect(scene.service.dials).toHaveLength(1);
  });

  it('the gap before the next call counts from when it was asked for again', async () => {
    const gapMs = 30_000;
    const retry = { attempts: 2, perDay: null, gapMs, after: { busy: 0 }, otherTimeOfDay: false };
    const lost = { answer: unknown(), rings: false };
    const scene = await idempotent({
      leads: 1,
      settings: { retry: { ...retry, lastDay: null, alternatives: null } },
      dial: (_, n) => (n < 3 ? lost : { talkMs: 500 }),
      read: () => ({ kind: 'settled', analytics: someAnalytics({ turns: [] }), result: 'busy' }),
    });

    await scene.run();

    const [first, second] = scene.service.calls;
    expect(scene.service.calls).toHaveLength(2);
    expect(Number(second?.startedAt) - Number(first?.startedAt)).toBeGreaterThanOrEqual(gapMs);
  });

  it.each([
    ['a refusal', refused(1_000)],
    ['a rejection', rejected(409)],
    ['a connection that failed', neverSent()],
    ['another lost answer', unknown(500)],
    ['a 2xx without an id', unknown(200)],
  ])('%s proves nothing about the first time: nobody rings again', async (_, answer) => {
    const scene = await idempotent({
      leads: 1,
      settings: { reconcileForMs: 3 * MINUTE },
      dial: (_dial, n) => (n === 0 ? { ...LOST, talkMs: 10 } : { answer, rings: false }),
    });
    await scene.run();
    await scene.night.sleep(6 * MINUTE);
    await scene.run();

    expect(scene.service.rings().size).toBe(1);
    expect((await scene.rows())[0]).toMatchObject({ state: 'done', result: 'unconfirmed' });
    expect(scene.notices.filter(({ event }) => event === 'call.unknown')).toHaveLength(1);
    expect(scene.notices.some(({ event }) => event === 'replay.failed')).toBe(true);
  });

  it('a breaker that is open, a pause and the end of a campaign hold for it as for any dial', async () => {
    const scene = await idempotent({ leads: 1, dial: (_, n) => (n === 0 ? LOST : {}) });
    const run = scene.start();
    await scene.night.until(() => scene.service.dials.length === 1);
    await pause(scene.store, scene.campaign);
    await scene.night.sleep(10_000);
    expect(scene.service.dials).toHaveLength(1);
    await resume(scene.store, scene.campaign);
    await scene.night.pass(run);

    const other = await idempotent({ leads: 1, dial: () => LOST });
    const cancelled = other.start();
    await other.night.until(() => other.service.dials.length === 1);
    await cancel(other.store, other.campaign);
    await other.night.pass(cancelled);
    await other.night.sleep(10_000);
    expect(other.service.dials).toHaveLength(1);
  });

  it('it is not sent once its permission has expired', async () => {
    const scene = await idempotent({
      leads: 1,
      dial: (_, n) => (n === 0 ? LOST : n === 1 ? { connectMs: 6_000 } : {}),
    });

    await scene.run();

    expect(scene.service.dials).toHaveLength(2);
    expect(scene.service.rings().size).toBe(1);
    expect((await scene.rows())[0]?.result).toBe('answered');
  });

  it('does not count against the limit of calls', async () => {
    // Paced, so that it is sent again before the limit is reached.
    const settings = { pace: { count: 1, perMs: 2_000 } };
    const dial: Plan['dial'] = (_, n) => (n === 0 ? LOST : { talkMs: 10 });
    const scene = await idempotent({ leads: 5, settings, dial });

    await scene.run({ limit: 3 });

    expect(scene.service.dials).toHaveLength(4);

    expect(scene.service.rings().size).toBe(3);
  });

  it('a second call under one key is a contradiction, and stops the campaign', async () => {
    const scene = await idempotent({
      leads: 2,
      settings: { concurrency: 1 },
      dial: (_, n) =>
        [{}, LOST, { answer: placed('call_main_1'), rings: false }][n] ?? { talkMs: 10 },
    });

    expect((await scene.run()).dispatch).toBe('paused');

    expect(await scene.store.findCampaign('spring')).toMatchObject({ pauseReason: 'profile' });
  });

  it('who runs it next asks for what a process that died had sent', async () => {
    const scene = await idempotent({ leads: 3, dial: (_, n) => (n < 3 ? LOST : {}) });
    const stop = new AbortController();
    const run = scene.start({ stop: stop.signal });
    await scene.night.until(() => scene.service.dials.length === 3);
    stop.abort();
    await scene.night.pass(run);

    await scene.run();

    expect([...scene.service.rings().values()]).toEqual([1, 1, 1]);
    expect((await scene.rows()).every(({ result }) => result === 'answered')).toBe(true);
  });

  it('only dialling asks for it, never collecting', async () => {
    const scene = await idempotent({ leads: 1, dial: () => LOST });
    await scene.run({ limit: 1 });
    const dials = scene.service.dials.length;

    await scene.run({ dialAt: null });

    expect(scene.service.dials).toHaveLength(dials);
  });
});

describe('without that promise in the profile', () => {
  it('nothing is ever sent again', async () => {
    const scene = await aScene({
      leads: 20,
      settings: { concurrency: 30, longestCallMs: MINUTE, reconcileForMs: 5 * MINUTE },
      dial: (_, n) => (n % 10 === 0 ? LOST : { talkMs: 10 }),
    });

    await scene.run();
    await scene.night.sleep(6 * MINUTE);
    await scene.run();

    expect(scene.service.dials).toHaveLength(20);
    const results = (await scene.rows()).map(({ result }) => result);
    expect(results.filter((result) => result === 'unconfirmed')).toHaveLength(2);
  });
});
