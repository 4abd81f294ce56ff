import { describe, expect, it } from 'vitest';
import type { PollRecord, Store } from '../../../../src/store/port.ts';
import { START } from '../../../helpers/clock.ts';
import {
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
  type OpenStore,
} from '../setup.ts';

const HOUR = 3_600_000;
/** The service holds its breath for a moment after a call for which it had no room. */
const AFTER_THE_HOLD = START + 60_000;

const unrung = (pause = false): PollRecord => ({
  kind: 'not_called',
  at: START + 1_000,
  callId: 'call_1',
  detail: 'the service took call call_1 and ended it without ringing ("no line")',
  notBefore: START + 1_000,
  refusal: 'no line',
  pause,
});

export function unrungRules(open: OpenStore): void {
  describe('a call that the service ended without ringing', () => {
    it('lets its lead wait, spends no attempt and keeps the word of the service', async () => {
      const { store } = await open();
      const call = await aCall(store);

      expect(await store.recordPoll(call.attemptId, unrung())).toBe('moved');

      expect(await rowOf(store, call)).toMatchObject({
        state: 'waiting',
        attempts: 0,
        reason: expect.stringContaining('"no line"') as string,
      });
      expect((await store.progress(CAMPAIGN, START)).held).toBe(0);
    });

    it('is followed by a call with another key, which the service cannot take for the first', async () => {
      const { store } = await open();
      const call = await aCall(store);
      await store.recordPoll(call.attemptId, unrung());

      const next = await claimedOne(store, { now: AFTER_THE_HOLD });

      expect(next.phone).toBe(call.phone);
      expect(next.ordinal).toBe(call.ordinal);
      expect(next.key).not.toBe(call.key);
    });

    it('pauses the campaign in the same breath where no other would fare better', async () => {
      const { store } = await open();
      const call = await aCall(store);

      await store.recordPoll(call.attemptId, unrung(true));

      expect(await store.findCampaign(CAMPAIGN)).toMatchObject({
        state: 'paused',
        pauseReason: 'profile',
        pauseDetail: expect.stringContaining('"no line"') as string,
      });
      expect((await store.history(CAMPAIGN)).at(-1)).toMatchObject({ what: 'campaign.paused' });
    });

    it("leaves the operator's pause as it is", async () => {
      const { store } = await open();
      const call = await aCall(store);
      const pause = { reason: 'operator', detail: 'lunch' } as const;
      const entry = { at: START, who: 'ana', what: 'campaign.paused', detail: {} };
      await store.changeCampaign(CAMPAIGN, { pause }, entry);

      await store.recordPoll(call.attemptId, unrung(true));

      expect(await store.findCampaign(CAMPAIGN)).toMatchObject({ pauseDetail: 'lunch' });
    });

    it('and then told to have been made is a contradiction: kept in the history, nothing is taken back', async () => {
      const { store } = await open();
      const call = await aCall(store);
      await store.recordPoll(call.attemptId, unrung());

      expect(await store.recordPoll(call.attemptId, settled('call_1'))).toBe('conflict');

      expect(await rowOf(store, call)).toMatchObject({ state: 'waiting', attempts: 0 });
      expect((await store.history(CAMPAIGN)).at(-1)).toMatchObject({
        what: 'attempt.contradicted',
      });
    });

    it('was no call, also after it was given up', async () => {
      const { store } = await open();
      const call = await aCall(store);
      const gaveUp = { kind: 'never_began', at: START + 900, detail: 'it said "queued"' } as const;
      expect(await store.recordPoll(call.attemptId, gaveUp)).toBe('moved');
      expect(await rowOf(store, call)).toMatchObject({ result: 'no_result' });

      expect(await store.recordPoll(call.attemptId, unrung())).toBe('moved');

      expect(await rowOf(store, call)).toMatchObject({ state: 'waiting', result: null });
    });
  });

  describe('a call that the service has put off', () => {
    it('holds its slot, and is read, by the time at which it will be made', async () => {
      const store = await aRunningStore(open);
      const call = await aPlacedCall(store);
      const beginsAt = START + 20 * HOUR;
      const nextPollAt = START + HOUR;
      await store.recordPoll(call.attemptId, { kind: 'pending', at: START, nextPollAt, beginsAt });

      expect((await store.progress(CAMPAIGN, START + 10 * HOUR)).held).toBe(1);
      const swept = await store.sweep(aSweep({ now: START + 19 * HOUR }));
      expect(swept).toMatchObject({ presumedDown: 0, noResult: 0 });
      expect((await store.progress(CAMPAIGN, beginsAt + HOUR)).held).toBe(0);
    });

    it('to a time that is no time of a call is not put off at all', async () => {
      const store = await aRunningStore(open);
      const call = await aPlacedCall(store);
      const poll = { kind: 'pending', at: START, nextPollAt: START + HOUR } as const;
      await store.recordPoll(call.attemptId, { ...poll, beginsAt: 4_102_444_800_000 });

      expect((await store.progress(CAMPAIGN, START + HOUR)).held).toBe(0);
    });
  });

  describe('a rejected dial whose refusal met others, too', () => {
    it('is given back with the one that showed it, and no attempt is spent', async () => {
      const store = await aRunningStore(open);
      const first = await claimedOne(store);
      const second = await claimedOne(store);
      const detail = 'HTTP 400: cannot start the call';
      await store.recordDial(first.attemptId, { kind: 'rejected', at: START, detail });
      expect(await rowOf(store, first)).toMatchObject({ result: 'rejected' });

      await store.recordDial(second.attemptId, {
        kind: 'released',
        reason: 'refused_without_effect',
        at: START + 10,
        notBefore: START + 10,
        detail,
        refusal: 'HTTP 400: cannot start the call',
        giveBack: [first.attemptId],
      });

      for (const intent of [first, second]) {
        expect(await rowOf(store, intent)).toMatchObject({ state: 'waiting', attempts: 0 });
      }
      const again = await claimedOne(store, { now: AFTER_THE_HOLD });
      expect([first.key, second.key]).not.toContain('');
      expect(again.ordinal).toBe(1);
    });
  });
}

async function aCall(store: Store) {
  await aRunningCampaign(store, { leads: 1 });
  const intent = await dialled(store, placed('call_1'));
  return intent;
}
