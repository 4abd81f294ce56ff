import { describe, expect, it } from 'vitest';
import type { PollResult } from '../../../src/service/port.ts';
import { aScene, type Plan } from '../../helpers/campaign-run.ts';

const FAILED = {
  kind: 'failed',
  detail: 'HTTP 503',
  retryAfterMs: null,
  keyRefused: false,
} as const;

describe('a call', () => {
  it('of an agent of whom nothing is known is polled often, from the floor on', async () => {
    const polling = { floorMs: 1_000, ceilingMs: 4_000, deadlineMs: 7_200_000 };
    const scene = await aScene({
      leads: 1,
      settings: { polling },
      dial: () => ({ talkMs: 60_000 }),
    });

    await scene.run();

    const placedAt = Number(scene.service.dials[0]?.at) + 20;
    const times = scene.service.polls.map(({ at }) => at - placedAt);
    const gaps = times.map((at, n) => at - (times[n - 1] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1_000);
    expect(gaps[0]).toBeLessThan(1_200);
    expect(gaps[10]).toBeGreaterThan(1_500);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(4_200);
  });

  it('that ended has freed its slot before its analytics are there', async () => {
    const scene = await aScene({
      leads: 2,
      settings: { concurrency: 1 },
      dial: () => ({ talkMs: 2_000, lagMs: 60_000 }),
    });

    await scene.run();

    const [first, second] = scene.service.calls;
    expect(second?.startedAt).toBeLessThan(Number(first?.endsAt) + 5_000);
    expect((await scene.rows()).map(({ result }) => result)).toEqual(['answered', 'answered']);
    const [row] = await scene.rows();
    expect(row?.attempt?.endedAt).toBeLessThan(Number(first?.endsAt) + 5_000);
  });

  it('whose answers cannot be read is polled until the deadline, and keeps the last as it came', async () => {
    const polling = { floorMs: 1_000, ceilingMs: 5_000, deadlineMs: 30_000 };
    const read: Plan['read'] = (_, n) => {
      return { kind: 'unreadable', detail: 'no transcript', raw: `<html>${n}` };
    };
    const scene = await aScene({ leads: 1, settings: { polling }, read });
    const startedAt = scene.clock.now();

    const end = await scene.run();

    expect(end.drained).toBe(true);
    const [row] = await scene.rows();
    expect(row).toMatchObject({ state: 'done', result: 'no_result', resultSource: 'callsheet' });
    const { polls } = scene.service;
    expect(row?.attempt?.unreadable).toBe(`<html>${polls.length - 1}`);
    expect(scene.clock.now() - startedAt).toBeGreaterThanOrEqual(30_000);
    expect(scene.clock.now() - startedAt).toBeLessThan(40_000);
    expect(scene.notices).toContainEqual({
      event: 'poll.failed',
      attempt: expect.any(String) as string,
      detail: 'no transcript',
    });
  });

  it('that the service never completes frees its slot after the longest call and is read on', async () => {
    const settings = { concurrency: 1, longestCallMs: 20_000 };
    const dial: Plan['dial'] = (_, n) => ({ talkMs: n === 0 ? 90_000 : 500 });
    const scene = await aScene({ leads: 2, settings, dial });

    await scene.run();

    const [first, second] = scene.service.dials;
    const waited = Number(second?.at) - Number(first?.at);
    expect(waited).toBeGreaterThanOrEqual(20_000);
    expect(waited).toBeLessThan(23_000);
    expect((await scene.rows()).map(({ result }) => result)).toEqual(['answered', 'answered']);
  });

  it('is polled again after a second when a poll failed, or when the service says', async () => {
    const polling = { floorMs: 100, ceilingMs: 60_000, deadlineMs: 7_200_000 };
    const polls: (PollResult | undefined)[] = [FAILED, { ...FAILED, retryAfterMs: 9_000 }];
    const scene = await aScene({
      leads: 1,
      settings: { polling },
      dial: () => ({ talkMs: 50 }),
      read: (_, n) => polls[n],
    });

    await scene.run();

    const times = scene.service.polls.map(({ at }) => at);
    const gaps = times.slice(1).map((at, n) => at - Number(scene.service.polls[n]?.doneAt));
    expect(gaps).toHaveLength(2);
    expect(gaps[0]).toBeGreaterThanOrEqual(1_000);
    expect(gaps[0]).toBeLessThan(1_100);
    expect(gaps[1]).toBeGreaterThanOrEqual(9_000);
    expect(gaps[1]).toBeLessThan(10_100);
    expect(scene.notices).toContainEqual(expect.objectContaining({ detail: 'HTTP 503' }));
  });

  it('is not polled by two lanes at once, however long a poll takes', async () => {
    const polling = { floorMs: 500, ceilingMs: 1_000, deadlineMs: 7_200_000 };
    const settings = { concurrency: 3, requests: 10, polling };
    const scene = await aScene({ leads: 3, settings, readMs: 7_000 });

    await scene.run();

    for (const { callId } of scene.service.calls) {
      const polls = scene.service.polls.filter((poll) => poll.callId === callId);
      const overlaps = polls.slice(1).filter(({ at }, n) => at < Number(polls[n]?.doneAt));
      expect(overlaps).toEqual([]);
    }
  });
});
