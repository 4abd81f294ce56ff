import { describe, expect, it } from 'vitest';
import type { Intent, Store } from '../../../src/store/port.ts';
import { aDoubt, LATER, notPlaced } from './dialling/resolve.ts';
import {
  aClaim,
  aSweep,
  claimedOne,
  placed,
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
      const again = await claimedOne(store, { now: LATER });
      await store.recordDial(again.attemptId, unknown(LATER));
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

    it('leaves the result of the second call as it is', async () => {
      const { store } = await open();
      const doubt = await aDoubt(store, 1);
      await store.resolve(doubt.attemptId, notPlaced());
      const again = await claimedOne(store, { now: LATER });
      await store.recordDial(again.attemptId, placed('call_2', LATER));
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

type Fact = ReturnType<typeof placed> | ReturnType<typeof settled>;

async function tell(store: Store, { attemptId }: Intent, fact: Fact): Promise<void> {
  const told =
    fact.kind === 'settled'
      ? store.recordPoll(attemptId, fact)
      : store.recordDial(attemptId, fact as ReturnType<typeof placed>);
  expect(await told).toBe('moved');
}
