import { describe, expect, it } from 'vitest';
import type { Intent, ResolutionRecord, Store } from '../../../../src/store/port.ts';
import { START } from '../../../helpers/clock.ts';
import {
  aClaim,
  aPlacedCall,
  aRunningCampaign,
  aRunningStore,
  aSweep,
  CAMPAIGN,
  claimedOne,
  dialled,
  placed,
  rowOf,
  settled,
  unknown,
  type OpenStore,
} from '../setup.ts';

const MINUTE = 60_000;
/** The longest call is over. */
export const LATER = START + 15 * MINUTE;
const WHO = { by: 'ada', note: 'asked the carrier' };

const asPlaced = (callId: string, at = LATER): ResolutionRecord => ({
  as: 'placed',
  callId,
  at,
  ...WHO,
});
export const notPlaced = (at = LATER): ResolutionRecord => ({ as: 'not_placed', at, ...WHO });
export const unconfirmed = (at = LATER): ResolutionRecord => ({ as: 'unconfirmed', at, ...WHO });
export const RESOLVED = { kind: 'resolved' };
export const refused = (refusal: object) => ({ kind: 'refused', refusal });

export function resolveRules(open: OpenStore): void {
  describe('doubts', () => {
    it('tell all that a person needs to look a call up', async () => {
      const { store } = await open();
      const doubt = await aDoubt(store);

      expect(await store.doubts(CAMPAIGN)).toEqual([
        {
          attemptId: doubt.attemptId,
          key: doubt.key,
          state: 'unknown',
          phone: doubt.phone,
          line: 2,
          list: 1,
          ...{ cells: ['Person 0', doubt.phone], mapping: null },
          callId: null,
          intentAt: START,
          holdsUntil: LATER,
          detail: 'no answer within 30 s',
          service: 'main',
          owner: aClaim().owner,
          accepted: false,
          calledAgain: false,
          lead: { state: 'calling', result: null },
          resolution: null,
        },
      ]);
    });

    it('still say what failed once nobody looks for evidence any more', async () => {
      const { store } = await open();
      await aDoubt(store);
      await store.sweep(aSweep({ now: LATER }));

      const [doubt] = await store.doubts(CAMPAIGN);
      expect(doubt?.detail).toContain('no answer within 30 s');
    });

    it('are nobody else’s: neither placed calls nor those of another campaign', async () => {
      const store = await aRunningStore(open);
      await aPlacedCall(store);

      expect(await store.doubts(CAMPAIGN)).toEqual([]);
      expect(await store.doubts('cmp_other')).toEqual([]);
    });
  });

  describe('resolve as unconfirmed', () => {
    it('ends the doubt at once; the lead stays exported as unconfirmed and is not called', async () => {
      const { store } = await open();
      const doubt = await aDoubt(store);

      expect(await store.resolve(doubt.attemptId, unconfirmed(START + 200))).toEqual(RESOLVED);

      expect(await rowOf(store, doubt)).toMatchObject({
        state: 'done',
        result: 'unconfirmed',
        resultSource: 'callsheet',
        reason: expect.stringContaining('asked the carrier') as string,
        attempt: { state: 'unconfirmed' },
      });
      expect(await store.progress(CAMPAIGN, START + 200)).toMatchObject({ doubts: 0, held: 1 });
      expect(await store.doubts(CAMPAIGN)).toMatchObject([
        { resolution: { as: 'unconfirmed', at: START + 200, ...WHO } },
      ]);
      const { intents } = await store.claim(aClaim({ want: 9, now: LATER }));
      expect(intents.map(({ phone }) => phone)).not.toContain(doubt.phone);
    });

    it('is kept in the history: who, when, which and why', async () => {
      const { store } = await open();
      const { attemptId, phone } = await aDoubt(store);
      await store.resolve(attemptId, unconfirmed());

      const entry = (await store.history(CAMPAIGN)).at(-1);
      const { note, by: who } = WHO;
      expect(entry).toMatchObject({ at: LATER, who, what: 'attempt.resolved' });
      expect(entry?.detail).toMatchObject({ attempt: attemptId, phone, as: 'unconfirmed', note });
    });

    it('gives way to evidence that comes later', async () => {
      const { store } = await open();
      const doubt = await aDoubt(store);
      await store.resolve(doubt.attemptId, unconfirmed());

      expect(await store.recordDial(doubt.attemptId, placed('call_1', LATER))).toBe('moved');
      expect(await rowOf(store, doubt)).toMatchObject({ state: 'calling', result: null });
    });
  });

  describe('resolve as placed', () => {
    it('is evidence: the lead leaves waiting, and its analytics are read at once', async () => {
      const { store } = await open();
      const doubt = await aDoubt(store);
      await store.resolve(doubt.attemptId, notPlaced());
      expect(await rowOf(store, doubt)).toMatchObject({ state: 'waiting' });

      expect(await store.resolve(doubt.attemptId, asPlaced('call_1'))).toEqual(RESOLVED);

      expect(await rowOf(store, doubt)).toMatchObject({
        state: 'calling',
        attempt: { state: 'placed', callId: 'call_1' },
      });
      expect(await store.progress(CAMPAIGN, LATER)).toMatchObject({ doubts: 0, open: 1 });
      const query = { service: 'main', campaignId: CAMPAIGN, now: LATER, limit: 9 };
      expect(await store.duePolls(query)).toMatchObject([{ callId: 'call_1' }]);
      await store.recordPoll(doubt.attemptId, settled('call_1'));
      expect(await rowOf(store, doubt)).toMatchObject({ state: 'done', result: 'answered' });
    });

    it('is refused for a call that another attempt has, and changes nothing', async () => {
      const { store } = await open();
      const doubt = await aDoubt(store);
      const other = await aPlacedCall(store, 'call_1');
      const before = await store.history(CAMPAIGN);

      expect(await store.resolve(doubt.attemptId, asPlaced('call_1'))).toEqual(
        refused({ why: 'call_taken', attemptId: other.attemptId }),
      );

      expect(await rowOf(store, doubt)).toMatchObject({ attempt: { state: 'unknown' } });
      expect(await store.doubts(CAMPAIGN)).toMatchObject([{ resolution: null }]);
      expect(await store.history(CAMPAIGN)).toEqual(before);
    });

    it.each([asPlaced('call_2'), notPlaced(), unconfirmed()])(
      'or otherwise is refused for what is not in doubt: $as',
      async (record) => {
        const store = await aRunningStore(open);
        const { attemptId } = await aPlacedCall(store, 'call_1');
        const dialling = await claimedOne(store);

        expect(await store.resolve(attemptId, record)).toEqual(
          refused({ why: 'not_in_doubt', state: 'placed' }),
        );
        expect(await store.resolve(dialling.attemptId, record)).toEqual(
          refused({ why: 'not_in_doubt', state: 'intent' }),
        );
      },
    );
  });
}

/** A call whose answer was lost, in a campaign of its own. */
export async function aDoubt(store: Store, leads = 3, answer = unknown()): Promise<Intent> {
  await aRunningCampaign(store, { leads });
  const intent = await dialled(store, answer);
  return intent;
}
