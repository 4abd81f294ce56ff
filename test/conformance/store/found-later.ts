import { describe, expect, it } from 'vitest';
import type { Intent, Store } from '../../../src/store/port.ts';
import { aPhone } from '../../helpers/factory.ts';
import { aDoubt, LATER, notPlaced } from './dialling/resolve.ts';
import { someRetry } from './retries.ts';
import {
  aClaim,
  aRunningStore,
  aSweep,
  CAMPAIGN,
  claimedOne,
  dialled,
  ENTRY,
  placed,
  rejected,
  released,
  rowOf,
  settled,
  unknown,
  type OpenStore,
} from './setup.ts';

const DAY = 86_400_000;

export function foundLaterRules(open: OpenStore): void {
  describe('a call that a person resolved as not placed and that is found after all', () => {
    it.each([
      ['is read', placed('call_1', LATER), 'calling'],
      ['has its result', settled('call_1'), 'done'],
    ])(
      'takes its person out of waiting in the same transaction when it %s',
      async (_, fact, to) => {
        const { store } = await open();
        const doubt = await aDoubt(store, 1);
        await store.resolve(doubt.attemptId, notPlaced());

        await tell(store, doubt, fact);

        expect(await rowOf(store, doubt)).toMatchObject({ state: to });
        expect(await store.claim(aClaim({ now: LATER }))).toMatchObject({
          shortfall: 'none_waiting',
        });
      },
    );

    it('takes the person out of waiting for a third call, too', async () => {
      const { store } = await open();
      const doubt = await aDoubt(store, 1);
      await store.resolve(doubt.attemptId, notPlaced());
      const again = await dialled(store, unknown(LATER), { now: LATER });
      await store.resolve(again.attemptId, notPlaced(LATER + DAY));
      expect(await rowOf(store, doubt)).toMatchObject({ state: 'waiting' });

      await tell(store, doubt, settled('call_1'));

      expect(await rowOf(store, doubt)).toMatchObject({ state: 'done', result: 'answered' });
      const asked = await store.claim(aClaim({ now: LATER + DAY }));
      expect(asked).toMatchObject({ shortfall: 'none_waiting' });
    });

    it.each(['released', 'unconfirmed', 'not_placed'])(
      'decides what becomes of the person when the second call comes to nothing: %s',
      async (how) => {
        const { store } = await open();
        const doubt = await aDoubt(store, 1);
        await store.resolve(doubt.attemptId, notPlaced());
        const again = await claimedOne(store, { now: LATER });
        await tell(store, doubt, settled('call_1', { result: 'declined', source: 'service' }));
        expect(await rowOf(store, doubt)).toMatchObject({ state: 'calling' });

        if (how === 'released') await store.recordDial(again.attemptId, released());
        else await store.recordDial(again.attemptId, unknown(LATER));
        if (how === 'unconfirmed') await store.sweep(aSweep({ now: LATER + DAY }));
        if (how === 'not_placed') await store.resolve(again.attemptId, notPlaced(LATER + DAY));

        const end = { state: 'done', result: 'declined', resultSource: 'service' };
        expect(await rowOf(store, doubt)).toMatchObject(end);
        const asked = await store.claim(aClaim({ now: LATER + DAY }));
        expect(asked).toMatchObject({ shortfall: 'none_waiting' });
      },
    );

    it.each([
      ['was withdrawn', 'cancelled'],
      ['left the list', 'cancelled'],
      ['is suppressed', 'suppressed'],
    ])(
      'is kept beside the end of a person who %s meanwhile, and the end stays',
      async (how, end) => {
        const store = await aRunningStore(open, { leads: 1, settings: { retry: someRetry() } });
        const doubt = await dialled(store, unknown());
        await store.resolve(doubt.attemptId, notPlaced());
        await take(store, how);
        const before = await rowOf(store, doubt);
        expect(before).toMatchObject({ state: 'done', result: end });

        await tell(store, doubt, placed('call_1', LATER));
        expect(await rowOf(store, doubt)).toMatchObject({ state: 'done', result: end });
        await tell(store, doubt, settled('call_1', { result: 'no_answer', source: 'service' }));

        const { state, result, reason } = before;
        const attempt = { state: 'settled', result: 'no_answer', callId: 'call_1' };
        expect(await rowOf(store, doubt)).toMatchObject({ state, result, reason, attempt });
        const asked = await store.claim(aClaim({ now: LATER + 9 * DAY }));
        expect(asked).toMatchObject({ intents: [], shortfall: 'none_waiting' });
      },
    );

    it.each([
      ['is open', placed('call_1', LATER), { state: 'calling' }],
      ['was a talk', settled('call_1'), { state: 'done', result: 'answered' }],
      [
        'rang, and nobody is called twice',
        settled('call_1', { result: 'no_answer', source: 'service' }),
        { state: 'done', result: 'no_answer' },
      ],
      ['was refused', rejected(LATER), { state: 'done', result: 'rejected' }],
    ])('counts when the withdrawal is undone: it %s', async (_, fact, then) => {
      const { store } = await open();
      const doubt = await aDoubt(store, 1);
      await store.resolve(doubt.attemptId, notPlaced());
      await take(store, 'was withdrawn');
      await tell(store, doubt, fact);

      const undone = await store.undoCancelLead(CAMPAIGN, aPhone(0), ENTRY);

      expect(undone).toMatchObject({ kind: 'undone', why: null });
      expect(await rowOf(store, doubt)).toMatchObject(then);
      expect(await store.claim(aClaim({ now: LATER }))).toMatchObject({ intents: [] });
    });

    it.each(['was withdrawn', 'left the list'])(
      'has nobody called again who had ended in doubt before they %s',
      async (how) => {
        const store = await aRunningStore(open, { leads: 1, settings: { retry: someRetry() } });
        const doubt = await dialled(store, unknown());
        await store.sweep(aSweep({ now: LATER + DAY }));
        expect(await store.callingPhones(CAMPAIGN, null, 9)).toEqual([doubt.phone]);
        await take(store, how);

        await tell(store, doubt, settled('call_1', { result: 'no_answer', source: 'service' }));

        const asked = await store.claim(aClaim({ now: LATER + 9 * DAY }));
        expect(asked).toMatchObject({ intents: [], shortfall: 'none_waiting' });
        expect(await rowOf(store, doubt)).toMatchObject({ state: 'done', result: 'no_answer' });
      },
    );

    it.each([
      ['after', 'no_answer'],
      ['before', 'answered'],
    ] as const)(
      'is waited for when it is found %s the next call has ended, and gives its result (%s)',
      async (order, result) => {
        const { store } = await open();
        const doubt = await aDoubt(store, 1);
        await store.resolve(doubt.attemptId, notPlaced());
        const again = await claimedOne(store, { now: LATER });
        const ends = () => store.recordDial(again.attemptId, rejected(LATER));

        if (order === 'after') await ends();
        await tell(store, doubt, placed('call_1', LATER));
        if (order === 'before') await ends();
        expect(await rowOf(store, doubt)).toMatchObject({ state: 'calling', result: null });
        await tell(store, doubt, settled('call_1', { result, source: 'service' }));

        expect(await rowOf(store, doubt)).toMatchObject({ state: 'done', result });
      },
    );

    it('leaves a person done whose next call has ended, when it gives no result either', async () => {
      const { store } = await open();
      const doubt = await aDoubt(store, 1);
      await store.resolve(doubt.attemptId, notPlaced());
      await dialled(store, rejected(LATER), { now: LATER });
      await tell(store, doubt, placed('call_1', LATER));

      const neverBegan = { kind: 'never_began', at: LATER + DAY, detail: 'queued' } as const;
      expect(await store.recordPoll(doubt.attemptId, neverBegan)).toBe('moved');

      expect(await rowOf(store, doubt)).toMatchObject({ state: 'done', result: 'no_result' });
    });

    const noAnswer = { result: 'no_answer', source: 'service' } as const;

    it.each(['a late result', 'a list that stops them'])(
      'has nobody called again who was done by %s after the next call',
      async (how) => {
        const store = await aRunningStore(open, {
          leads: 1,
          settings: { retry: someRetry({ attempts: 5 }) },
        });
        const doubt = await dialled(store, unknown());
        await store.resolve(doubt.attemptId, notPlaced());
        const again = await claimedOne(store, { now: LATER });
        await tell(store, again, placed('call_2', LATER));
        if (how === 'a late result') {
          const never = { kind: 'never_began', at: LATER + DAY, detail: 'queued' } as const;
          await store.recordPoll(again.attemptId, never);
          await tell(store, again, settled('call_2', { ...noAnswer, late: true }));
        } else {
          await tell(store, again, settled('call_2', noAnswer));
          await store.stopLeads(CAMPAIGN, 'two', [{ phone: doubt.phone, why: 'consent is empty' }]);
        }
        const before = await rowOf(store, doubt);
        expect(before).toMatchObject({ state: 'done', result: 'no_answer' });

        await tell(store, doubt, placed('call_1', LATER));
        expect(await rowOf(store, doubt)).toMatchObject({ state: 'calling' });
        await tell(store, doubt, settled('call_1', noAnswer));

        const { state, result, reason } = before;
        expect(await rowOf(store, doubt)).toMatchObject({ state, result, reason });
        const asked = await store.claim(aClaim({ now: LATER + 9 * DAY }));
        expect(asked).toMatchObject({ intents: [], shortfall: 'none_waiting' });
      },
    );

    it('leaves the result of the second call as it is', async () => {
      const { store } = await open();
      const doubt = await aDoubt(store, 1);
      await store.resolve(doubt.attemptId, notPlaced());
      const again = await dialled(store, placed('call_2', LATER), { now: LATER });
      await store.recordPoll(again.attemptId, settled('call_2'));

      await tell(store, doubt, settled('call_1', { result: 'declined', source: 'service' }));

      expect(await rowOf(store, doubt)).toMatchObject({
        state: 'done',
        result: 'answered',
        attempt: { callId: 'call_2' },
      });
    });
  });
}

async function take(store: Store, how: string): Promise<void> {
  const by = { at: LATER, source: 'operator', note: null, who: 'x', expiresAt: null } as const;
  if (how === 'was withdrawn') await store.cancelLead(CAMPAIGN, aPhone(0), ENTRY);
  else if (how === 'left the list') await store.cancelWaiting(CAMPAIGN, [aPhone(0)], 'left_list');
  else await store.suppress([{ ...by, phone: aPhone(0) }]);
}

type Fact = ReturnType<typeof placed | typeof settled | typeof rejected>;

async function tell(store: Store, { attemptId }: Intent, fact: Fact): Promise<void> {
  const told =
    fact.kind === 'settled'
      ? store.recordPoll(attemptId, fact)
      : store.recordDial(attemptId, fact as ReturnType<typeof placed>);
  expect(await told).toBe('moved');
}
