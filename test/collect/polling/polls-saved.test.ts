import { describe, expect, it } from 'vitest';
import { createPollScheduler } from '../../../src/collect/polling/poller.ts';
import type { Campaign } from '../../../src/store/port.ts';
import { play } from '../../bench/polling/model.ts';
import { aScene, addCampaign } from '../../helpers/campaign-run.ts';

/** All at once. */
const BUSY = { concurrency: 24, requests: 24 };

describe('a campaign without webhooks', () => {
  it('takes hardly more than one poll where all calls are of one length', async () => {
    const scene = await aScene({
      leads: 300,
      settings: {
        concurrency: 50,
        requests: 50,
        polling: { floorMs: 20, ceilingMs: 60_000, deadlineMs: 7_200_000 },
      },
      dial: () => ({ answerMs: 1, talkMs: 50 }),
      readMs: 1,
    });

    await scene.run();

    const { polls, calls } = scene.service;
    expect(polls.length / calls.length).toBeLessThan(1.6);
    const foundAt = new Map(polls.map(({ callId, at }) => [callId, at]));
    const lateMs = calls.map(({ callId, settledAt }) => Number(foundAt.get(callId)) - settledAt);
    expect(lateMs.reduce((sum, ms) => sum + ms, 0) / calls.length).toBeLessThan(30);
  });

  it('begins with what the calls of an earlier run of the agent were like', async () => {
    const talkMs = 20_000;
    const scene = await aScene({ leads: 24, settings: BUSY, dial: () => ({ talkMs }) });
    await scene.run();
    const { service, store } = scene;
    const earlier = { polls: service.polls.length, calls: service.calls.length };
    const campaign = await addCampaign(store, {
      name: 'summer',
      from: 100,
      leads: 12,
      settings: BUSY,
    });

    await scene.run({ campaign });

    expect(earlier.polls / earlier.calls).toBeGreaterThan(4);
    const polls = service.polls.length - earlier.polls;
    expect(polls / (service.calls.length - earlier.calls)).toBeLessThan(2.5);
  });

  it('polls often for a single test call, for which somebody waits', async () => {
    const scene = await aScene({ leads: 24, settings: BUSY, dial: () => ({ talkMs: 20_000 }) });
    await scene.run();
    const campaign: Campaign = { ...scene.campaign, kind: 'call' };

    const { store, notices } = scene;
    const plan = await createPollScheduler({
      store,
      campaign,
      notify: (notice) => notices.push(notice),
    });

    expect(plan.nextIn('a1', 8_000)).toBe(2_000);
  });

  it('says so when webhooks stop coming', async () => {
    const { store, campaign, notices } = await aScene({ leads: 1 });
    const plan = await createPollScheduler({
      store,
      campaign,
      notify: (notice) => notices.push(notice),
    });

    plan.settled({ attemptId: 'told', polls: 0 }, 30_000, 'delivery');
    for (let i = 0; i < 7; i++)
      plan.settled({ attemptId: `a${i}`, polls: 0, placedAt: i * 3_000 }, 30_000, 'poll');

    expect(notices).toEqual([{ event: 'webhooks.silent' }]);
  });

  it('plans its polls nearly as well as if it had known all calls beforehand (seed summer)', () => {
    const { polls, meanDelayMs, cost, bestCost } = play({
      calls: 10_000,
      seed: 'summer',
      webhooks: null,
    });
    expect(polls).toBeLessThan(4.4);
    expect(meanDelayMs).toBeLessThan(9_000);
    expect(cost / bestCost).toBeLessThan(1.15);
  });
});

describe('a campaign whose webhooks nearly all come', () => {
  it('hardly polls, and still finds the calls that no webhook tells of (seed summer)', () => {
    const { polls, p95DelayMs, p99DelayMs } = play({
      calls: 10_000,
      seed: 'summer',
      webhooks: { share: 0.97, meanMs: 750 },
    });
    expect(polls).toBeLessThan(1.4);
    expect(p95DelayMs).toBeLessThan(3_200);
    expect(p99DelayMs).toBeLessThan(60_000);
  });
});
