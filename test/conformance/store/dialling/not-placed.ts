import { describe, expect, it } from 'vitest';
import { DAY_MS as DAY } from '../../../../src/domain/time-units.ts';
import { START } from '../../../helpers/clock.ts';
import { aCall, onePerson, someRetry } from '../retries.ts';
import { aLead, aPhone } from '../../../helpers/factory.ts';
import { aDoubt, LATER, notPlaced, refused, RESOLVED, unconfirmed } from './resolve.ts';
import {
  aClaim,
  addList,
  aSweep,
  CAMPAIGN,
  claimedOne,
  dialled,
  ENTRY,
  released,
  rowOf,
  unknown,
  type OpenStore,
} from '../setup.ts';

export function notPlacedRules(open: OpenStore): void {
  describe('resolve as not placed', () => {
    it('lets the person be called again, exactly once, as their next attempt', async () => {
      const { store } = await open();
      const doubt = await aDoubt(store, 1);

      expect(await store.resolve(doubt.attemptId, notPlaced())).toEqual(RESOLVED);

      expect(await rowOf(store, doubt)).toMatchObject({
        state: 'waiting',
        result: null,
        attempt: { state: 'unconfirmed' },
      });
      expect(await store.progress(CAMPAIGN, LATER)).toMatchObject({ waiting: 1, doubts: 0 });
      const again = await claimedOne(store, { now: LATER });
      expect(again).toMatchObject({ phone: doubt.phone, ordinal: 2 });
      expect(again.key).not.toBe(doubt.key);
      expect(await store.claim(aClaim({ now: LATER }))).toMatchObject({
        shortfall: 'none_waiting',
      });
      expect(await store.resolve(doubt.attemptId, notPlaced())).toEqual(
        refused({ why: 'called_again' }),
      );
    });

    it('is refused while the call may still be on the line', async () => {
      const { store } = await open();
      const doubt = await aDoubt(store);

      expect(await store.resolve(doubt.attemptId, notPlaced(LATER - 1))).toEqual(
        refused({ why: 'too_early', until: LATER }),
      );
      expect(await rowOf(store, doubt)).toMatchObject({ attempt: { state: 'unknown' } });
    });

    it('is refused for a dial that the service has accepted, not for one that it failed', async () => {
      const { store } = await open();
      const accepted = await aDoubt(store, 2, unknown(START + 100, true, true));
      const failed = await dialled(store, unknown(START + 100, true, false));

      expect(await store.resolve(accepted.attemptId, notPlaced())).toEqual(
        refused({ why: 'accepted' }),
      );
      expect(await store.resolve(failed.attemptId, notPlaced())).toEqual(RESOLVED);
    });

    it('is refused for a person who was withdrawn meanwhile', async () => {
      const { store } = await open();
      const doubt = await aDoubt(store);
      await store.resolve(doubt.attemptId, notPlaced());
      await store.cancelLead(CAMPAIGN, aPhone(0), ENTRY);

      expect(await store.resolve(doubt.attemptId, notPlaced())).toEqual(
        refused({ why: 'person_done', result: 'cancelled' }),
      );
    });

    it('takes away the end that the doubt itself has brought, that of a better call before it, too', async () => {
      const store = await onePerson(open, someRetry());
      await aCall(store, 'voicemail');
      const again = await dialled(store, unknown(START + 2 * DAY), { now: START + 2 * DAY });
      await store.sweep(aSweep({ now: START + 3 * DAY }));
      expect(await rowOf(store, again)).toMatchObject({ state: 'done', result: 'voicemail' });

      expect(await store.resolve(again.attemptId, notPlaced(START + 3 * DAY))).toEqual(RESOLVED);

      expect(await rowOf(store, again)).toMatchObject({ state: 'waiting', result: null });
      const third = await claimedOne(store, { now: START + 3 * DAY });
      expect(third).toMatchObject({ phone: again.phone, ordinal: 3 });
    });

    it('has a later list counted that came while the person had ended in doubt', async () => {
      const { store } = await open();
      const doubt = await aDoubt(store, 1);
      await store.sweep(aSweep({ now: LATER + DAY }));
      expect(await rowOf(store, doubt)).toMatchObject({ state: 'done', result: 'unconfirmed' });
      const cells = ['Person with a new name', doubt.phone];
      await addList(store, CAMPAIGN, [aLead(0, { cells })], { id: 'two', sha256: 'two' });
      await store.resolve(doubt.attemptId, notPlaced(LATER + DAY));
      expect(await rowOf(store, doubt)).toMatchObject({ state: 'waiting', cells });
    });

    it('lets nobody be called whom a later list has stopped meanwhile', async () => {
      const { store } = await open();
      const doubt = await aDoubt(store, 1);
      await store.sweep(aSweep({ now: LATER + DAY }));
      await store.stopLeads(CAMPAIGN, 'two', [{ phone: doubt.phone, why: 'do not call' }]);
      await store.resolve(doubt.attemptId, notPlaced(LATER + DAY));
      expect(await store.claim(aClaim({ now: LATER + DAY }))).toMatchObject({ intents: [] });
      expect(await rowOf(store, doubt)).toMatchObject({ state: 'done', reason: 'do not call' });
    });

    it('is refused for a person who has ended since it was resolved like this', async () => {
      const store = await onePerson(open, someRetry({ lastDay: '2026-01-06' }));
      await aCall(store, 'voicemail');
      const again = await dialled(store, unknown(START + 1.1 * DAY), { now: START + 1.1 * DAY });
      await store.resolve(again.attemptId, notPlaced(START + 1.2 * DAY));
      await store.claim(aClaim({ now: START + 9 * DAY }));

      expect(await store.resolve(again.attemptId, notPlaced(START + 9 * DAY))).toEqual(
        refused({ why: 'person_done', result: 'voicemail' }),
      );
    });

    it('can be taken back as long as the person was not called again', async () => {
      const { store } = await open();
      const doubt = await aDoubt(store, 1);
      await store.resolve(doubt.attemptId, notPlaced());

      expect(await store.resolve(doubt.attemptId, unconfirmed())).toEqual(RESOLVED);
      expect(await rowOf(store, doubt)).toMatchObject({ state: 'done', result: 'unconfirmed' });
      expect(await store.claim(aClaim({ now: LATER }))).toMatchObject({
        shortfall: 'none_waiting',
      });

      await store.resolve(doubt.attemptId, notPlaced());
      await claimedOne(store, { now: LATER });
      expect(await store.resolve(doubt.attemptId, unconfirmed())).toEqual(
        refused({ why: 'called_again' }),
      );
    });

    it('does not cost the person an attempt when the service says later that it refused the dial', async () => {
      const { store } = await open();
      const doubt = await aDoubt(store, 1);
      await store.resolve(doubt.attemptId, notPlaced());
      expect(await store.recordDial(doubt.attemptId, released())).toBe('moved');

      expect(await claimedOne(store, { now: LATER })).toMatchObject({ key: doubt.key, ordinal: 1 });
    });
  });
}
