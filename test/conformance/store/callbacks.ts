import { describe, expect, it } from 'vitest';
import { aLead, aPhone } from '../../helpers/factory.ts';
import { aCall, ENDED, HOUR, onePerson, someRetry } from './retries.ts';
import { aClaim, aRunningCampaign, claimedOne, released, rowOf, type OpenStore } from './setup.ts';

const ME = { phone: aPhone(0) };
const TOMORROW = ENDED + 24 * HOUR;
const callback = { said: 'tomorrow', at: TOMORROW };

export function callbackRules(open: OpenStore): void {
  describe('a person who asks in a talk to be called again', () => {
    it('waits for that time, once beyond the attempts, also without retry', async () => {
      const store = await onePerson(open);

      await aCall(store, 'answered', { callback });

      expect(await rowOf(store, ME)).toMatchObject({
        state: 'waiting',
        reason: 'asked to be called again at "tomorrow"',
        notBefore: TOMORROW,
        callbackAt: TOMORROW,
      });
      const early = await store.claim(aClaim({ now: TOMORROW - 1 }));
      expect(early.shortfall).toBe('not_yet_due');
      await aCall(store, 'answered', {
        now: TOMORROW,
        callback: { said: 'x', at: TOMORROW + HOUR },
      });
      expect(await rowOf(store, ME)).toMatchObject({
        state: 'done',
        result: 'answered',
        reason: 'asked to be called again at "x", which is beyond what retry allows',
        callbackAt: null,
      });
    });

    it('keeps the talk as the result when nobody answers the second call', async () => {
      const store = await onePerson(open, someRetry());
      await aCall(store, 'answered', { callback });

      await aCall(store, 'no_answer', { now: TOMORROW });

      expect(await rowOf(store, ME)).toMatchObject({
        state: 'done',
        result: 'answered',
        attempts: 2,
        callbackAt: null,
        attempt: { ordinal: 1 },
      });
    });

    it('goes on waiting when the second call comes to nothing without effect', async () => {
      const store = await onePerson(open);
      await aCall(store, 'answered', { callback });
      const again = await claimedOne(store, { now: TOMORROW });

      await store.recordDial(again.attemptId, released());

      expect(await rowOf(store, ME)).toMatchObject({ state: 'waiting', callbackAt: TOMORROW });
    });

    it('is not called again at what is no time, and the results say so', async () => {
      const store = await onePerson(open);

      await aCall(store, 'answered', { callback: { said: 'soon' } });

      expect(await rowOf(store, ME)).toMatchObject({
        ...{ state: 'done', result: 'answered', callbackAt: null },
        reason: 'asked to be called again at "soon", which is no time that can be read',
      });
    });

    it('is called at the time of their own clock where their zone is known and is one', async () => {
      const { store } = await open();
      const wall = { said: '3 pm', wall: '2026-01-06T15:00' };
      await aRunningCampaign(store, {
        leads: [
          aLead(0, { alternatives: [{ phone: aPhone(7), zoneKey: 'America/Chicago;US-TX' }] }),
        ],
      });
      await aCall(store, 'invalid_number');

      await aCall(store, 'answered', { now: ENDED, callback: wall });

      const at = Date.parse('2026-01-06T15:00-06:00');
      expect(await rowOf(store, ME)).toMatchObject({ notBefore: at, callbackAt: at });
    });
  });
}
