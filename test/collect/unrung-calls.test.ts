import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../src/domain/time-units.ts';
import type { PollResult } from '../../src/service/port.ts';
import { aScene } from '../helpers/campaign-run.ts';
import { aPhone, someAnalytics } from '../helpers/factory.ts';

const MINUTE = 60_000;

/** What the service says of a call that it ended without ringing. */
const unrung = (said: string, result: 'not_called' | 'not_called_pause'): PollResult => ({
  kind: 'settled',
  analytics: someAnalytics({ transcript: '', turns: [], durationMs: 0 }),
  result,
  said,
});

describe('a call that the service takes and ends without ringing', () => {
  it('lets its person wait again and be called in the same run, without an attempt spent', async () => {
    const ended = new Set<string>();
    const scene = await aScene({
      leads: 10,
      endsUnrung: true,
      settings: { concurrency: 5, requests: 5 },
      dial: (_, n) => ({ rings: n % 3 !== 0 }),
      read: (callId) => {
        if (scene.service.calls.some((call) => call.callId === callId)) return undefined;
        ended.add(callId);
        return unrung('concurrency_limit_reached', 'not_called');
      },
    });

    const end = await scene.run();

    expect(end).toMatchObject({ dispatch: 'none_waiting', drained: true });
    expect(ended.size).toBeGreaterThan(2);
    const rows = await scene.rows();
    expect(rows.map(({ result, attempts }) => [result, attempts])).toEqual(
      Array(10).fill(['answered', 1]),
    );
    expect([...scene.service.rings().values()]).toEqual(Array(10).fill(1));
    // The service knows the key of the call that it did not make: the next one has another.
    const keys = scene.service.dials.map(({ attemptKey }) => attemptKey);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('is found by the last run of a list, too: nobody is left waiting', async () => {
    const scene = await aScene({
      leads: 1,
      endsUnrung: true,
      dial: (_, n) => ({ rings: n > 0 }),
      read: (callId) =>
        scene.service.calls.some((call) => call.callId === callId)
          ? undefined
          : unrung('no line', 'not_called'),
    });

    await scene.run();

    expect(scene.service.dials).toHaveLength(2);
    expect((await scene.rows())[0]).toMatchObject({ result: 'answered' });
  });

  it('pauses the campaign where money or configuration ended it, and costs its lead nothing', async () => {
    const scene = await aScene({
      leads: 30,
      endsUnrung: true,
      settings: { concurrency: 2, requests: 2 },
      dial: ({ phone }) => ({ rings: phone !== aPhone(5) }),
      read: (callId) =>
        scene.service.calls.some((call) => call.callId === callId)
          ? undefined
          : unrung('no_valid_payment', 'not_called_pause'),
    });

    const end = await scene.run();

    expect(end.dispatch).toBe('paused');
    const paused = await scene.store.findCampaign('spring');
    expect(paused).toMatchObject({ state: 'paused', pauseReason: 'profile' });
    expect(paused?.pauseDetail).toContain('"no_valid_payment"');
    const rows = await scene.rows();
    const waiting = rows.filter(({ state }) => state === 'waiting');
    expect(waiting.map(({ phone }) => phone)).toContain(aPhone(5));
    expect(waiting.every(({ attempts }) => attempts === 0)).toBe(true);
    expect(rows.filter(({ result }) => result === 'answered').length + waiting.length).toBe(30);
  });

  it('lets the last person wait, as other programs may use all lines, and gives up the evening after', async () => {
    const scene = await aScene({
      leads: 1,
      endsUnrung: true,
      dial: () => ({ rings: false }),
      read: () => unrung('no line', 'not_called'),
    });

    expect(await scene.run()).toMatchObject({ dispatch: 'later' });
    expect(scene.service.dials).toHaveLength(21);
    expect((await scene.rows())[0]).toMatchObject({ state: 'waiting', attempts: 0 });

    await scene.night.pass(scene.clock.sleep(DAY_MS));
    await scene.run();

    expect(scene.service.dials).toHaveLength(22);
    expect((await scene.rows())[0]).toMatchObject({ state: 'done', result: 'rejected' });
    expect((await scene.rows())[0]?.reason).toContain('"no line"');
  });
});

describe('a call that the service has not begun', () => {
  it('is given up when no call lasts so long, and holds no run until the deadline', async () => {
    const scene = await aScene({
      leads: 1,
      settings: { longestCallMs: 5 * MINUTE },
      read: () => ({ kind: 'pending', notBegun: { word: 'initiated', startsAt: null } }),
    });
    const startedAt = scene.clock.now();

    const end = await scene.run();

    expect(end.drained).toBe(true);
    expect(scene.clock.now() - startedAt).toBeLessThan(7 * MINUTE);
    expect((await scene.rows())[0]).toMatchObject({ result: 'no_result' });
    expect((await scene.rows())[0]?.reason).toContain('"initiated"');
  });

  it('and has put off keeps its slot until then and is read', async () => {
    const beginsAt = 6 * MINUTE;
    const scene = await aScene({
      leads: 2,
      settings: {
        concurrency: 1,
        requests: 1,
        // Calls end, and are given up, long before.
        longestCallMs: MINUTE,
        polling: { floorMs: 1_000, ceilingMs: 15_000, deadlineMs: 2 * MINUTE },
      },
      dial: (_, n) => (n === 0 ? { talkMs: beginsAt + 10_000 } : {}),
      read: (callId) => {
        const begins = scene.service.calls[0];
        if (callId !== begins?.callId || scene.clock.now() >= begins.startedAt + beginsAt)
          return undefined;
        return {
          kind: 'pending',
          notBegun: { word: 'rescheduled', startsAt: begins.startedAt + beginsAt },
        };
      },
    });

    const end = await scene.run();

    expect(end.drained).toBe(true);
    expect(scene.service.mostCalls).toBe(1);
    expect(
      scene.service.polls.filter(({ callId }) => callId === scene.service.calls[0]?.callId).length,
    ).toBeLessThan(40);
    expect((await scene.rows()).map(({ result }) => result)).toEqual(['answered', 'answered']);
  });
});
