import { PollScheduler } from '../../src/domain/polling/poll-scheduler.ts';
import { describe, expect, it } from 'vitest';
import { settle, type SettleContext } from '../../src/collect/settle.ts';
import type { PollResult } from '../../src/service/port.ts';
import type { OpenCall } from '../../src/store/port.ts';
import { aScene, type Scene } from '../helpers/campaign-run.ts';
import { someAnalytics } from '../helpers/factory.ts';

const SETTLED: PollResult = { kind: 'settled', analytics: someAnalytics(), result: null };

describe('what a poll found', () => {
  it('is durable when settle resolves', async () => {
    const { scene, call } = await anOpenCall();

    await keep(scene, call, SETTLED);

    const [row] = await scene.openStore().exportPage(scene.campaign.id, null, 10);
    expect(row).toMatchObject({ result: 'answered', resultSource: 'derived' });
    expect(row?.analytics).toMatchObject({ durationMs: 42_000 });
  });

  it("is the service's own word on the result, where it has one", async () => {
    const { scene, call } = await anOpenCall();

    await keep(scene, call, { ...SETTLED, result: 'voicemail' });

    expect((await scene.rows())[0]).toMatchObject({ result: 'voicemail', resultSource: 'service' });
  });

  it.each<[string, PollResult, number]>([
    ['pending', { kind: 'pending' }, 0],
    ['unreadable', { kind: 'unreadable', detail: '', raw: '' }, 0],
    ['failed', { kind: 'failed', detail: '', retryAfterMs: null, keyRefused: false }, 0],
    ['ended', { kind: 'ended' }, 1],
    ['settled', SETTLED, 1],
  ])('%s: frees the slot only when the line is down', async (_, look, expected) => {
    const { scene, call } = await anOpenCall();

    expect((await keep(scene, call, look)).freed).toBe(expected);
    expect((await scene.store.progress(scene.campaign.id, scene.clock.now())).held).toBe(
      1 - expected,
    );
  });

  it('frees no slot twice', async () => {
    const { scene, call } = await anOpenCall();
    await keep(scene, call, { kind: 'ended' });

    expect((await keep(scene, { ...call, state: 'ended' }, { kind: 'ended' })).freed).toBe(0);
    expect((await keep(scene, { ...call, state: 'ended' }, SETTLED)).freed).toBe(0);
  });

  it.each<PollResult>([SETTLED, { kind: 'ended' }])(
    'teaches the scheduler whether a webhook or a poll was first: $kind',
    async (look) => {
      const { scene, call } = await anOpenCall();
      const nextAfter = async (by: 'poll' | 'delivery') => {
        const scheduler = new PollScheduler(scene.campaign.settings.polling);
        for (let i = 0; i < 30; i++) {
          await keep(scene, call, look, { scheduler, by, now: call.intentAt + 20_000 + i * 1_000 });
          if (look.kind === 'ended') scheduler.settled(call, 90_000, 'poll');
        }
        return scheduler.nextIn('next', 20_000);
      };
      expect(await nextAfter('delivery')).toBeGreaterThan(await nextAfter('poll'));
    },
  );

  it('tells when to poll again, and nothing more once it is settled', async () => {
    const { scene, call } = await anOpenCall();

    const { nextPollAt } = await keep(scene, call, { kind: 'pending' });
    const due = { service: 'main', campaignId: null, limit: 10 };
    expect(await scene.store.duePolls({ ...due, now: Number(nextPollAt) - 1 })).toEqual([]);
    expect(await scene.store.duePolls({ ...due, now: Number(nextPollAt) })).toHaveLength(1);

    expect((await keep(scene, call, SETTLED)).nextPollAt).toBeNull();
  });
});

describe('an answer that nothing proves to be about a call that is over', () => {
  const said = (transcript: string): PollResult => ({
    kind: 'settled',
    analytics: { ...someAnalytics(), transcript },
    result: null,
    isUnproved: true,
    unknown: [{ of: 'no_end', word: '' }],
  });

  /** Polls in turn, each with the ms after the dial at which it is made. @returns whether each settled the call */
  async function polls(state: OpenCall['state'], ...all: [transcript: string, afterMs: number][]) {
    const { scene, call } = await anOpenCall();
    const scheduler = new PollScheduler(scene.campaign.settings.polling);
    const settled: boolean[] = [];
    for (const [transcript, afterMs] of all) {
      const at = { scheduler, now: call.intentAt + afterMs };
      const { nextPollAt } = await keep(scene, { ...call, state }, said(transcript), at);
      settled.push(nextPollAt === null);
    }
    const told = scene.notices.filter(({ event }) => event === 'word.unknown').length;
    return { settled, told };
  }
  const LONGEST = 900_000;

  it('is kept once it stands still over two polls and no call lasts longer', async () => {
    const { settled, told } = await polls(
      'placed',
      ['agent: Hello.', 5_000],
      ['agent: Hello. user: Hi.', 10_000],
      ['agent: Hello. user: Hi.', 70_000],
      ['agent: Hello. user: Hi.', LONGEST - 1],
      ['agent: Hello. user: Hi.', LONGEST],
    );
    expect(settled).toEqual([false, false, false, false, true]);
    expect(told).toBeGreaterThan(0);
  });

  it('is not kept where it still changes, however late it is', async () => {
    const { settled, told } = await polls('placed', ['a', LONGEST], ['b', LONGEST + 60_000]);
    expect([settled, told]).toEqual([[false, false], 0]);
  });

  it('is kept at the second poll where the line is known to be down', async () => {
    const { settled } = await polls('ended', ['a', 5_000], ['a', 6_000]);
    expect(settled).toEqual([false, true]);
  });

  it('is kept at once where the call was given up before', async () => {
    expect((await polls('no_result', ['a', 5_000])).settled).toEqual([true]);
  });
});

it('a transcript that is not there yet is waited for until no call lasts longer; what there is else is kept then', async () => {
  const { scene, call } = await anOpenCall();
  const look: PollResult = {
    kind: 'settled',
    analytics: { ...someAnalytics(), transcript: null, turns: [] },
    result: 'voicemail',
    transcriptAt: 'https://voice.example.com/t/1',
    unknown: [{ of: 'elsewhere', word: 'https://voice.example.com/t/1' }],
  };
  const before = await keep(scene, call, look, { now: call.holdsUntil - 1 });
  expect(before).toMatchObject({ freed: 1, nextPollAt: expect.any(Number) as number });
  expect(scene.notices.filter(({ event }) => event === 'word.unknown')).toEqual([]);

  const ended = { ...call, state: 'ended' } as const;
  expect((await keep(scene, ended, look, { now: call.holdsUntil })).nextPollAt).toBeNull();
  const [row] = await scene.rows();
  expect(row).toMatchObject({ result: 'voicemail', analytics: { durationMs: 42_000 } });
  expect(scene.notices.filter(({ event }) => event === 'word.unknown')).toHaveLength(1);
});

it('a length whose unit is a guess is in ms where so many seconds are not possible', async () => {
  const lengthOf = async (durationMs: number, afterMs: number) => {
    const { scene, call } = await anOpenCall();
    const analytics = { ...someAnalytics(), durationMs };
    const look: PollResult = { kind: 'settled', analytics, result: null, isGuess: true };
    await keep(scene, call, look, { now: call.intentAt + afterMs });
    return (await scene.rows())[0]?.analytics?.durationMs;
  };
  expect(await lengthOf(83_000_000, 2_000)).toBe(83_000);
  // Asked for days later: no call lasts four times as long as the longest.
  expect(await lengthOf(83_000_000, 400_000_000)).toBe(83_000);
  expect(await lengthOf(83_000, 90_000)).toBe(83_000);
  expect(await lengthOf(1_200_000, 1_300_000)).toBe(1_200_000);
});

async function anOpenCall(): Promise<{ scene: Scene; call: OpenCall }> {
  const scene = await aScene({ leads: 1, dial: () => ({ talkMs: 60_000 }) });
  await scene.run({ collectFrom: [] });
  const now = scene.clock.now() + 3_600_000;
  const query = { service: 'main', campaignId: scene.campaign.id, now, limit: 1 };
  const [call] = await scene.store.duePolls(query);
  if (call === undefined) throw new Error('no call is open');
  return { scene, call };
}

async function keep(
  { store, clock, campaign, notices }: Scene,
  call: OpenCall,
  look: PollResult,
  overrides: Partial<SettleContext> = {},
) {
  let freed = 0;
  const nextPollAt = await settle(call, look, {
    store,
    now: clock.now(),
    scheduler: new PollScheduler(campaign.settings.polling),
    notify: (notice) => notices.push(notice),
    onLineDown: () => {
      freed += 1;
    },
    ...overrides,
  });
  return { freed, nextPollAt };
}
