import { beforeEach, describe, expect, it } from 'vitest';
import type { NewMessage, OutboxBody, OutboxReceiver, Store } from '../../../../src/store/port.ts';
import { START } from '../../../helpers/clock.ts';
import { aRunningCampaign, CAMPAIGN, claimedOne, placed, type OpenStore } from '../setup.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const OPS = { target: 'aa', shown: 'command tell' };
const CHAT = { target: 'bb', shown: 'https://chat.example.com' };

const aMessage = (
  id = 'ntc_1',
  to: readonly OutboxReceiver[] = [OPS],
  body: Partial<OutboxBody> = {},
  at = START,
): NewMessage => {
  const about = { event: 'attention', night: '2026-01-05', reason: 'key' } as const;
  const whole = { id, ...about, campaign: CAMPAIGN, text: `text of ${id}`, ...body };
  return { campaignId: CAMPAIGN, at, body: whole, to };
};

export function outboxRules(open: OpenStore): void {
  describe('the outbox', () => {
    let store: Store;
    let beside: () => Promise<Store>;
    let reopen: () => Promise<Store>;
    beforeEach(async () => {
      ({ store, beside, reopen } = await open());
      await aRunningCampaign(store);
    });
    const due = async (now: number, of = store) =>
      (await of.outboxDue(now)).map(({ id, target }) => `${id} ${target}`);
    /** Takes the next message for a receiver. */
    const take = async (now: number, of = store, target = 'aa') => {
      const next = (await of.outboxDue(now)).find((each) => each.target === target);
      return next === undefined ? null : of.outboxTake(next, now);
    };
    const taken = async (now: number, of = store) => {
      const message = await take(now, of);
      if (message === null) throw new Error('nothing was taken');
      return message;
    };
    const came = { at: START, why: null, due: null };

    it('gives each receiver one message at a time, in the order in which they were written', async () => {
      await store.outboxPut(aMessage('ntc_1', [OPS, CHAT]));
      await store.outboxPut(aMessage('ntc_2'));
      expect(await due(START)).toEqual(['ntc_1 aa', 'ntc_1 bb']);

      const first = await taken(START);
      expect(first).toMatchObject({ id: 'ntc_1', shown: 'command tell', at: START, tries: 1 });
      expect(first.body).toEqual(aMessage().body);
      expect(await due(START)).toEqual(['ntc_1 bb']);
      await store.outboxTried(first, came);
      expect(await due(START)).toEqual(['ntc_1 bb', 'ntc_2 aa']);
      await store.outboxTried(await taken(START), came);
      expect(await due(START + DAY)).toEqual(['ntc_1 bb']);
    });

    it('gives a message to one process, and to another one after a minute, as the first has died', async () => {
      await store.outboxPut(aMessage());
      const other = await beside();
      const [seen] = await other.outboxDue(START);
      if (seen === undefined) throw new Error('nothing is due');
      await taken(START);
      expect(await other.outboxTake(seen, START)).toBeNull();
      expect(await due(START + MINUTE - 1, other)).toEqual([]);
      expect(await take(START + MINUTE, other)).toMatchObject({ id: 'ntc_1', tries: 2 });
    });

    it('says the same to a receiver that only another machine knows, later', async () => {
      await store.outboxPut(aMessage());
      const [first] = await store.outboxDue(START);
      const other = await beside();
      await other.outboxPut(aMessage('ntc_1', [OPS, CHAT], { text: 'later' }, START + MINUTE));
      const bodies = (await other.outboxDue(START + MINUTE)).map(({ body }) => body);
      expect(bodies).toEqual([first?.body, first?.body]);
    });

    it('survives the end of the process that wrote to it', async () => {
      await store.outboxPut(aMessage());
      expect(await due(START, await reopen())).toEqual(['ntc_1 aa']);
    });

    it('gives a message again at the time that was set for it, and others meanwhile', async () => {
      await store.outboxPut(aMessage());
      await store.outboxPut(aMessage('ntc_2'));
      const end = { at: START, why: 'HTTP 503', due: START + 10_000 };
      await store.outboxTried(await taken(START), end);
      expect(await due(START + 9_999)).toEqual(['ntc_2 aa']);
      expect(await due(START + 10_000)).toEqual(['ntc_1 aa']);
      expect(await store.undelivered(0)).toMatchObject([
        { id: 'ntc_1', givenUp: false, tries: 1, why: 'HTTP 503' },
      ]);
      await taken(START + 10_000);
      expect(await store.undelivered(0)).toMatchObject([{ tries: 2, why: null }]);
    });

    it('never gives again what was given up, and lists it', async () => {
      await store.outboxPut(aMessage());
      expect(await store.undelivered(0)).toEqual([]);
      await store.outboxTried(await taken(START), { at: START, why: 'HTTP 500', due: null });
      expect(await due(START + DAY)).toEqual([]);
      const { body } = aMessage();
      expect(await store.undelivered(START)).toEqual([
        { ...{ id: 'ntc_1', shown: 'command tell', at: START, tries: 1 }, body, givenUp: true, why: 'HTTP 500' }, // prettier-ignore
      ]);
      expect(await store.undelivered(START + 1)).toEqual([]);
    });

    it('takes a failure only from the process that has the message, a success from any', async () => {
      await store.outboxPut(aMessage());
      const slow = await taken(START);
      const second = await taken(START + MINUTE);
      const failed = { at: START, why: 'late', due: null };
      await store.outboxTried(slow, failed);
      expect(await store.undelivered(0)).toMatchObject([{ givenUp: false }]);
      await store.outboxTried(slow, came);
      await store.outboxTried(second, failed);
      expect(await due(START + DAY)).toEqual([]);
      expect(await store.undelivered(0)).toEqual([]);
    });

    it('gives what was broken off at once, as if it had not been tried, if nobody else has it', async () => {
      await store.outboxPut(aMessage());
      const slow = await taken(START);
      await store.outboxTried(slow, { at: START, why: null, due: START });
      expect(await store.outboxDue(START)).toMatchObject([{ id: 'ntc_1', tries: 0 }]);
      expect(await store.undelivered(0)).toEqual([]);
      const [late] = [await taken(START), await taken(START + MINUTE)];
      await store.outboxTried(late, { at: START, why: null, due: START });
      expect(await due(START + MINUTE)).toEqual([]);
    });

    it('gives messages although the clock was set back since they were taken or put off', async () => {
      await store.outboxPut(aMessage());
      await taken(START + DAY);
      const again = await taken(START);
      await store.outboxTried(again, { at: START, why: 'x', due: START + DAY });
      expect(await due(START + 1)).toEqual(['ntc_1 aa']);
    });

    it('keeps one of equal messages for each receiver', async () => {
      await store.outboxPut(aMessage());
      await store.outboxTried(await taken(START), came);
      await store.outboxPut(aMessage());
      expect(await due(START)).toEqual([]);
      await store.outboxPut(aMessage('ntc_1', [OPS, CHAT]));
      expect(await due(START)).toEqual(['ntc_1 bb']);
    });

    it('forgets messages ninety days after they came, and none before', async () => {
      await store.outboxPut(aMessage());
      await store.outboxTried(await taken(START), came);
      await store.outboxPut(aMessage('ntc_2'));
      const late = START + 91 * DAY;
      await store.outboxPut(aMessage('ntc_3', [], {}, late));
      await store.outboxPut(aMessage('ntc_1', [OPS], {}, late));
      expect(await due(late)).toEqual(['ntc_2 aa']);
      await store.outboxTried(await taken(late), { ...came, at: late });
      expect(await due(late)).toEqual(['ntc_1 aa']);
    });

    it('knows a night as open from its first call until something is written of its end', async () => {
      expect(await store.openNights(null)).toEqual([]);
      await store.outboxPut(aMessage('ntc_1', [OPS, CHAT], { event: 'started', reason: 'calls' }));
      const isOpen = { campaignId: CAMPAIGN, night: '2026-01-05' };
      expect(await store.openNights(null)).toEqual([{ ...isOpen, toldCalls: null }]);
      expect(await store.openNights('cmp_other')).toEqual([]);
      const end = { event: 'finished', tonight: { calls: 7 } } as const;
      await store.outboxPut(aMessage('ntc_2', [], { ...end, reason: 'run' }));
      expect(await store.openNights(CAMPAIGN)).toEqual([{ ...isOpen, toldCalls: 7 }]);
      await store.outboxPut(aMessage('ntc_3', [], { ...end, reason: 'night' }));
      expect(await store.openNights(null)).toEqual([]);
    });

    it('nights are found by their last call', async () => {
      const { attemptId } = await claimedOne(store);
      const nights = async (since: number) =>
        (await store.nightsSince(since)).filter(({ campaignId }) => campaignId === CAMPAIGN);
      expect(await nights(0)).toEqual([]);
      await store.recordDial(attemptId, placed('call_1'));
      const [{ night } = { night: '' }] = await store.nights(CAMPAIGN);
      expect(await nights(START)).toEqual([{ campaignId: CAMPAIGN, night, beganAt: START }]);
      expect(await nights(START + 1)).toEqual([]);
    });
  });
}
