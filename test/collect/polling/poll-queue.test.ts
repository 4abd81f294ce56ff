import { describe, expect, it } from 'vitest';
import { createPollQueue, type PollQueue } from '../../../src/collect/polling/poll-queue.ts';
import type { OpenCall, Store } from '../../../src/store/port.ts';
import { START, VirtualClock } from '../../helpers/clock.ts';
import { aPhone } from '../../helpers/factory.ts';

describe('the queue of due calls', () => {
  it('asks again from where news came while a full batch was on its way', async () => {
    const { due, clock, asked, answer } = aQueue();
    await due.refill();
    due.expect(START + 300);
    await clock.advance(300);
    answer((limit) => {
      // A webhook tells of a call whose poll has long been due.
      due.expect(START - 50);
      return Array.from({ length: limit }, (_, i) => aCall(`a${i}`));
    });
    await due.refill();
    expect(asked.at(-1)).toBe(START);
    takeAll(due);

    await due.refill();

    expect(asked.at(-1)).toBe(START - 50);
  });

  it('asks for the rest of a full batch as soon as it is taken', async () => {
    const { due, asked, answer } = aQueue();
    answer((limit) => Array.from({ length: limit }, (_, i) => aCall(`a${i}`)));
    await due.refill();
    await due.refill();
    expect(asked).toHaveLength(1);
    takeAll(due);

    expect(due.askAt).toBeLessThanOrEqual(START);
    await due.refill();

    expect(asked).toHaveLength(2);
  });

  it('holds a call once: one that is being polled is skipped', async () => {
    const { due, answer } = aQueue();
    answer(() => [aCall('a1')]);
    await due.refill();
    const call = due.next();
    expect(due.inHand).toBe(1);
    answer(() => [aCall('a1'), aCall('a2')]);
    due.drain();
    await due.refill();

    expect(due.queue.map(({ attemptId }) => attemptId)).toEqual(['a2']);
    expect(due.begin(aCall('a1'))).toBe(false);
    if (call !== undefined) due.done(call);
    expect(due.begin(aCall('a1'))).toBe(true);
  });
});

function aQueue() {
  const clock = new VirtualClock();
  const asked: (number | undefined)[] = [];
  let give: (limit: number) => OpenCall[] = () => [];
  const store: Pick<Store, 'duePolls' | 'nextPollAt'> = {
    duePolls: async ({ after, limit }) => {
      asked.push(after);
      const calls = give(limit);
      give = () => [];
      return calls;
    },
    nextPollAt: async () => null,
  };
  const service = { name: 'main' };
  const due = createPollQueue({ store, service, campaignId: null, clock, togetherMs: 200 });
  return { due, clock, asked, answer: (next: typeof give) => (give = next) };
}

function takeAll(due: PollQueue): void {
  for (let call = due.next(); call !== undefined; call = due.next()) due.done(call);
}

function aCall(attemptId: string): OpenCall {
  const callId = `call_${attemptId}`;
  return {
    attemptId,
    campaignId: 'cmp',
    callId,
    state: 'placed',
    intentAt: START,
    placedAt: START,
    holdsUntil: START + 900_000,
    key: 'key_1',
    phone: aPhone(0),
    agent: 'ag_1',
    rivals: [],
    polls: 0,
  };
}
