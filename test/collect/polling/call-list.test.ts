import { describe, expect, it } from 'vitest';
import type { PollEnd } from '../../../src/collect/polling/poller.ts';
import type { CallListing, ListedCall, VoiceService } from '../../../src/service/port.ts';
import type { OpenCall } from '../../../src/store/port.ts';
import { aScene, type Plan, type Scene } from '../../helpers/campaign-run.ts';
import { withCallList } from '../../helpers/services/listing-service.ts';
import { aPoller, placedCalls } from './open-calls.ts';

const FAILED = {
  kind: 'failed',
  detail: 'HTTP 503',
  retryAfterMs: null,
  keyRefused: false,
} as const;

describe('a poller whose service has a list of calls', () => {
  it('reads one list instead of many calls', async () => {
    const scene = await withOpenCalls(20);
    const { service, lists } = withCallList(scene);

    expect(await collect(scene, service)).toEqual({ drained: true, keyRefused: false });

    expect(await results(scene)).toEqual({ answered: 20 });
    expect(lists).toHaveLength(1);
    expect(scene.service.polls).toEqual([]);
  });

  it('asks for the calls since the oldest of them, and a minute more: clocks differ', async () => {
    const scene = await withOpenCalls(20);
    const { service, lists } = withCallList(scene);

    await collect(scene, service);

    const oldest = Math.min(...scene.service.calls.map(({ startedAt }) => startedAt));
    expect(lists[0]?.since).toBeGreaterThan(oldest - 61_000);
    expect(lists[0]?.since).toBeLessThanOrEqual(oldest - 60_000);
  });

  it('polls a handful of calls one by one', async () => {
    const scene = await withOpenCalls(5);
    const { service, lists } = withCallList(scene);

    await collect(scene, service);

    expect(await results(scene)).toEqual({ answered: 5 });
    expect(lists).toEqual([]);
    expect(scene.service.polls).toHaveLength(5);
  });

  it('reads lists again and again while people wait for the slots of its calls, and polls nobody', async () => {
    const dial = (_: unknown, n: number) => ({ talkMs: 20_000 + (n % 10) * 4_000 });
    const scene = await aScene({ leads: 60, settings: { concurrency: 12 }, dial });
    const { service, lists } = withCallList(scene);

    await scene.run({ dialAt: { service, maxCalls: null }, collectFrom: [service] });

    expect(await results(scene)).toEqual({ answered: 60 });
    // The last ones are polled as usual: nobody waits for their slots.
    expect(scene.service.polls.length).toBeLessThan(60);
    const began = lists.map(({ at }) => at);
    const gaps = began.slice(1).map((at, n) => at - Number(began[n]));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1_000);
    const [last] = scene.service.calls.slice(-13);
    const late = scene.service.calls
      .filter(({ endsAt }) => endsAt < Number(last?.startedAt))
      .map(({ endsAt }) => Math.min(...began.filter((at) => at >= endsAt)) - endsAt);
    expect(Math.max(...late)).toBeLessThanOrEqual(1_400);
  });

  it('polls a call that has lasted for long by itself, so that no list has to reach back to it', async () => {
    const dial = (_: unknown, n: number) => ({ talkMs: n === 0 ? 3_000_000 : 20_000 });
    const settings = { concurrency: 12, longestCallMs: 3_600_000 };
    const scene = await aScene({ leads: 1_200, settings, dial });
    const { service, lists } = withCallList(scene);

    await scene.run({ dialAt: { service, maxCalls: null }, collectFrom: [service] });

    const back = lists.map(({ since, at }) => at - since);
    expect(lists.length).toBeGreaterThan(500);
    expect(Math.max(...back)).toBeLessThan(600_000);
    const [long] = scene.service.calls;
    const polled = scene.service.polls.filter(({ callId }) => callId === long?.callId);
    expect(polled.length).toBeGreaterThan(5);
  });

  it('polls calls by themselves while a list that replaces polls does not answer', async () => {
    const dial = (_: unknown, n: number) => ({ talkMs: 20_000 + (n % 10) * 4_000 });
    const scene = await aScene({ leads: 60, settings: { concurrency: 12 }, dial });
    const { service } = withCallList(scene, undefined, { listMs: 30_000 });

    await scene.run({ dialAt: { service, maxCalls: null }, collectFrom: [service] });

    expect(await results(scene)).toEqual({ answered: 60 });
    expect(scene.service.polls.length).toBeGreaterThan(100);
  });

  it('polls a call that a list only says is over, while lists replace polls', async () => {
    const dial = (_: unknown, n: number) => ({ talkMs: 20_000 + (n % 10) * 4_000 });
    const scene = await aScene({ leads: 60, settings: { concurrency: 12 }, dial });
    const hint = (call: ListedCall): ListedCall =>
      call.found?.kind === 'settled' ? { ...call, found: { kind: 'ended' } } : call;
    const { service } = withCallList(scene, (calls) => listed(calls.map(hint)));

    await scene.run({ dialAt: { service, maxCalls: null }, collectFrom: [service] });

    expect(await results(scene)).toEqual({ answered: 60 });
    const late = scene.service.calls.map(({ callId, settledAt }) => {
      const [first] = scene.service.polls.filter(
        (poll) => poll.callId === callId && poll.at >= settledAt,
      );
      return Number(first?.at) - settledAt;
    });
    expect(Math.max(...late)).toBeLessThan(60_000);
  });

  it('polls a call by itself now and then, as a list may say for ever that it is in progress', async () => {
    const dial = (_: unknown, n: number) => ({ talkMs: 20_000 + (n % 10) * 4_000 });
    const scene = await aScene({ leads: 60, settings: { concurrency: 12 }, dial });
    const lagging = () => scene.service.calls.slice(0, 8).map(({ callId }) => callId);
    const { service } = withCallList(scene, (calls) =>
      listed(
        calls.map((call) =>
          lagging().includes(call.callId) ? { ...call, found: { kind: 'pending' } } : call,
        ),
      ),
    );

    await scene.run({ dialAt: { service, maxCalls: null }, collectFrom: [service] });

    expect(await results(scene)).toEqual({ answered: 60 });
    const late = scene.service.calls.slice(0, 8).map(({ callId, startedAt, endsAt }) => {
      const polls = scene.service.polls.filter((poll) => poll.callId === callId);
      return Number(polls.find(({ at }) => at >= endsAt)?.at) - startedAt;
    });
    expect(Math.max(...late)).toBeLessThan(370_000);
  });

  it('polls the calls that the list leaves out, does not tell of, or tells unreadably', async () => {
    const scene = await withOpenCalls(20);
    const { service } = withCallList(scene, (calls) => listed(calls.slice(1).map(spoil)));

    await collect(scene, service);

    expect(await results(scene)).toEqual({ answered: 20 });
    expect(scene.service.polls).toHaveLength(3);
    expect(scene.notices.filter(({ event }) => event === 'poll.failed')).toEqual([]);
  });

  it('reads one list at a time, however long it takes', async () => {
    const scene = await withOpenCalls(24);
    await postpone(scene, (await open(scene)).slice(12), scene.clock.now() + 3_000);
    const { service, lists } = withCallList(scene, (calls) => listed(calls.slice(0, 12)), {
      listMs: 9_000,
    });

    await collect(scene, service);

    expect(await results(scene)).toEqual({ answered: 24 });
    const overlaps = lists.slice(1).filter(({ at }, n) => at < Number(lists[n]?.doneAt));
    expect(overlaps).toEqual([]);
  });

  it('leaves a call that is being polled to that poll', async () => {
    const scene = await withOpenCalls(11, { readMs: 9_000 });
    await postpone(scene, (await open(scene)).slice(1), scene.clock.now() + 3_000);
    const { service, lists } = withCallList(scene);

    await collect(scene, service);

    expect(lists).toHaveLength(1);
    expect(scene.service.polls.map(({ doneAt }) => doneAt)).not.toContain(Infinity);
    expect(scene.notices.filter(({ event }) => event === 'call.settled')).toHaveLength(11);
  });

  it('polls all calls one by one when the list cannot be read, and tries it again after a minute', async () => {
    const scene = await withOpenCalls(20, { dial: (_, n) => ({ talkMs: n < 10 ? 100 : 200_000 }) });
    const { service, lists } = withCallList(scene, (calls, n) =>
      n === 0 ? FAILED : listed(calls),
    );

    await collect(scene, service);

    expect(await results(scene)).toEqual({ answered: 20 });
    expect(scene.service.polls.length).toBeGreaterThanOrEqual(20);
    expect(Number(lists[1]?.at) - Number(lists[0]?.at)).toBeGreaterThanOrEqual(60_000);
  });

  it('keeps the end of a call that was not due yet', async () => {
    const scene = await withOpenCalls(12, { dial: (_, n) => ({ talkMs: n < 8 ? 100 : 100_000 }) });
    // Six are over and due now; the others will be due in an hour.
    await postpone(scene, (await open(scene)).slice(6), scene.clock.now() + 3_600_000);
    const { service, lists } = withCallList(scene);
    const stop = new AbortController();
    const run = aPoller(scene, { service }).run(stop.signal);

    await scene.night.until(() => lists.length === 1);
    await scene.night.sleep(1_000);
    stop.abort();
    await scene.night.pass(run);

    expect(await results(scene)).toEqual({ answered: 8 });
    expect(lists).toHaveLength(1);
    expect(scene.service.polls).toEqual([]);
  });

  it('ends when the list is refused for the key', async () => {
    const scene = await withOpenCalls(20);
    const { service } = withCallList(scene, () => ({ ...FAILED, keyRefused: true }));

    expect(await collect(scene, service)).toEqual({ drained: false, keyRefused: true });
  });

  it('waits as long as the answer to the list asks for', async () => {
    const scene = await withOpenCalls(20);
    const { service, lists } = withCallList(scene, () => ({ ...FAILED, retryAfterMs: 30_000 }));

    await collect(scene, service);

    const first = Math.min(...scene.service.polls.map(({ at }) => at));
    expect(first - Number(lists[0]?.at)).toBeGreaterThanOrEqual(30_000);
  });

  it('of a list that throws tells it instead of waiting for ever', async () => {
    const scene = await withOpenCalls(20);
    const { service } = withCallList(scene, () => {
      throw new Error('a defect');
    });

    await expect(collect(scene, service)).rejects.toThrow('a defect');
  });
});

/** One is not told of, one only unreadably; two more need a poll. */
function spoil(call: ListedCall, n: number): ListedCall {
  if (n === 3) return { ...call, found: null };
  return n === 7 ? { ...call, found: { kind: 'unreadable', detail: 'short', raw: '{}' } } : call;
}

function listed(calls: ListedCall[]): CallListing {
  return { kind: 'listed', calls, complete: true };
}

const withOpenCalls = (count: number, plan?: Plan) => placedCalls(count, 30_000, plan);

/** Polls until nothing is open any more. */
function collect(scene: Scene, service: VoiceService): Promise<PollEnd> {
  const poller = aPoller(scene, { service });
  poller.drain();
  return scene.night.pass(poller.run(new AbortController().signal));
}

/** As if they had been polled just now. */
async function postpone({ store, clock }: Scene, calls: OpenCall[], until: number): Promise<void> {
  for (const { attemptId } of calls) {
    await store.recordPoll(attemptId, { kind: 'pending', at: clock.now(), nextPollAt: until });
  }
}

function open({ store, service, campaign }: Scene) {
  const all = { now: Number.MAX_SAFE_INTEGER, limit: 100 };
  return store.duePolls({ service: service.name, campaignId: campaign.id, ...all });
}

async function results(scene: Scene): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { result } of await scene.rows()) {
    if (result !== null) counts[result] = (counts[result] ?? 0) + 1;
  }
  return counts;
}
