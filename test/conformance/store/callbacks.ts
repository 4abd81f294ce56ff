import { describe, expect, it } from 'vitest';
import { START } from '../../helpers/clock.ts';
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

    it.each([
      ['a time before the call', { said: 'now', at: START - 1 }, 'which was before the call'],
      [
        'a time more than 30 days away',
        { said: 'in May', at: ENDED + 31 * 24 * HOUR },
        'which is more than 30 days away',
      ],
      ['no time', { said: 'soon' }, 'which is no time that can be read'],
      ['a time of an unknown place', { said: '3 pm', wall: '2026-01-06T15:00' }, 'not known'],
    ])('is not called again at %s, and the results say so', async (_, asked, why) => {
      const store = await onePerson(open);

      await aCall(store, 'answered', { callback: asked });

      const row = await rowOf(store, ME);
      expect(row).toMatchObject({ state: 'done', result: 'answered', callbackAt: null });
      expect(row.reason).toContain(`asked to be called again at "${asked.said}"`);
      expect(row.reason).toContain(why);
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

    it('is not called again when they said in the same call not to be', async () => {
      const store = await onePerson(open);

      await aCall(store, 'opted_out', { callback });

      expect(await rowOf(store, ME)).toMatchObject({ state: 'done', result: 'opted_out' });
    });

    it('is not called again after the last day', async () => {
      const store = await onePerson(open, someRetry({ lastDay: '2026-01-05' }));

      await aCall(store, 'answered', { callback });

      expect(await rowOf(store, ME)).toMatchObject({ state: 'done', result: 'answered' });
    });
  });
}
