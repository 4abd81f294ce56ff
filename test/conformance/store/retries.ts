import { describe, expect, it } from 'vitest';
import type { RetryPolicy } from '../../../src/domain/calling/retry.ts';
import { type LeadResult } from '../../../src/domain/lead.ts';
import type { Intent, Store } from '../../../src/store/port.ts';
import { START } from '../../helpers/clock.ts';
import { aLead, aPhone, someSettings } from '../../helpers/factory.ts';
import { LATER, notPlaced } from './dialling/resolve.ts';
import {
  aClaim,
  aRunningCampaign,
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

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
/** The call that `settled` tells of ended then. */
export const ENDED = START + MINUTE;

export const someRetry = (overrides: Partial<RetryPolicy> = {}): RetryPolicy => ({
  attempts: 3,
  perDay: null,
  gapMs: 0,
  after: { no_answer: 2 * HOUR, busy: 30 * MINUTE, voicemail: 24 * HOUR },
  otherTimeOfDay: false,
  lastDay: null,
  alternatives: null,
  ...overrides,
});

/** Claims at `now`, places the call and tells its result. */
export async function aCall(
  store: Store,
  result: LeadResult,
  { now = START, callId = `call_${now}`, source = 'service', ...rest }: CallPlan = {},
): Promise<Intent> {
  const intent = await dialled(store, placed(callId, now + 100), { now });
  const record = settled(callId, { at: now + MINUTE, result, source, ...rest });
  expect(await store.recordPoll(intent.attemptId, record)).toBe('moved');
  return intent;
}

type CallPlan = Partial<
  Omit<Extract<Parameters<Store['recordPoll']>[1], { kind: 'settled' }>, 'result' | 'kind'>
> & { now?: number };

/** A running campaign of one person. */
export async function onePerson(open: OpenStore, retry?: RetryPolicy): Promise<Store> {
  const store = await aRunningStore(open, {
    leads: 1,
    settings: retry === undefined ? {} : { retry },
  });
  return store;
}

const ME = { phone: aPhone(0) };

async function setRetry(store: Store, retry: RetryPolicy): Promise<void> {
  await store.changeCampaign(CAMPAIGN, { settings: someSettings({ retry }) }, ENTRY);
}

export function retryRules(open: OpenStore): void {
  describe('a call whose result is retried', () => {
    it('lets its person wait in the transaction that settles it, and says why', async () => {
      const store = await onePerson(open, someRetry());

      const first = await aCall(store, 'busy');

      expect(await rowOf(store, ME)).toMatchObject({
        state: 'waiting',
        result: null,
        reason: 'busy: called again, attempt 2 of 3',
        notBefore: ENDED + 30 * MINUTE,
        attempts: 1,
      });
      const early = await store.claim(aClaim({ now: ENDED + 30 * MINUTE - 1 }));
      expect(early).toMatchObject({ intents: [], shortfall: 'not_yet_due' });
      const again = await claimedOne(store, { now: ENDED + 30 * MINUTE });
      expect(again).toMatchObject({ phone: first.phone, ordinal: 2 });
      expect(again.key).not.toBe(first.key);
    });

    it('is repeated only so often as attempts says, over all of its results', async () => {
      const store = await onePerson(open, someRetry({ attempts: 2 }));
      await aCall(store, 'busy');

      await aCall(store, 'no_answer', { now: ENDED + HOUR });

      const row = await rowOf(store, ME);
      expect(row).toMatchObject({ state: 'done', result: 'busy', attempts: 2 });
      const asked = await store.claim(aClaim({ now: ENDED + 99 * HOUR }));
      expect(asked.shortfall).toBe('none_waiting');
    });

    it('is not derived, unless the profile allows that', async () => {
      const without = await onePerson(open, someRetry());
      const allowed = await onePerson(open, someRetry());

      await aCall(without, 'no_answer', { source: 'derived' });
      await aCall(allowed, 'no_answer', { source: 'derived', retryDerived: true });

      expect(await rowOf(without, ME)).toMatchObject({
        state: 'done',
        result: 'no_answer',
        reason: expect.stringContaining('analytics.retryDerived') as string,
      });
      expect(await rowOf(allowed, ME)).toMatchObject({ state: 'waiting' });
    });

    it('follows the settings as they are when the result comes', async () => {
      const store = await onePerson(open, someRetry());
      const settings = someSettings({ retry: someRetry({ after: { busy: HOUR } }) });
      await store.changeCampaign(CAMPAIGN, { settings }, ENTRY);

      await aCall(store, 'busy');

      expect(await rowOf(store, ME)).toMatchObject({ notBefore: ENDED + HOUR });
    });

    it('is not repeated after the last day in the zone of the campaign', async () => {
      const store = await onePerson(open, someRetry({ lastDay: '2026-01-05' }));

      await aCall(store, 'voicemail');

      expect(await rowOf(store, ME)).toMatchObject({ state: 'done', result: 'voicemail' });
    });

    it('does not schedule twice when its result is told twice', async () => {
      const store = await onePerson(open, someRetry());
      const intent = await aCall(store, 'busy', { callId: 'call_1' });

      const again = settled('call_1', { at: ENDED + HOUR, result: 'busy', source: 'service' });
      expect(await store.recordPoll(intent.attemptId, again)).toBe('stayed');

      expect(await rowOf(store, ME)).toMatchObject({ notBefore: ENDED + 30 * MINUTE, attempts: 1 });
    });
  });

  describe('a claim of people who were called before', () => {
    it('holds them back for the gap of the settings as they are by now', async () => {
      const store = await onePerson(open, someRetry());
      await aCall(store, 'busy');
      await setRetry(store, someRetry({ gapMs: 5 * HOUR }));

      const early = await store.claim(aClaim({ now: START + 5 * HOUR - 1 }));

      expect(early).toMatchObject({ intents: [], askAgainAt: START + 5 * HOUR });
      expect(await rowOf(store, ME)).toMatchObject({ state: 'waiting' });
      await claimedOne(store, { now: START + 5 * HOUR });
    });

    it.each([
      ['a shorter', 10 * MINUTE],
      ['a longer', 2 * HOUR],
    ])('holds them back for %s delay from the claim on after it is set', async (_, delay) => {
      const store = await onePerson(open, someRetry({ gapMs: 0 }));
      await aCall(store, 'busy');
      await setRetry(store, someRetry({ gapMs: 0, after: { busy: delay } }));

      const at = ENDED + delay;
      expect(await store.nextCall(CAMPAIGN, aPhone(0), ENDED)).toMatchObject({ at });
      const early = await store.claim(aClaim({ now: at - 1 }));

      expect(early).toMatchObject({ intents: [], askAgainAt: at });
      await claimedOne(store, { now: at });
    });

    it('counts attempts per day on the clock of the person', async () => {
      const { store } = await open();
      const settings = { retry: someRetry({ perDay: 1 }) };
      const leads = [aLead(0, { zoneKey: 'America/Los_Angeles;US-CA' })];
      await aRunningCampaign(store, { settings, leads });
      await aCall(store, 'busy');

      const today = await store.claim(aClaim({ now: ENDED + HOUR }));

      const midnight = Date.parse('2026-01-06T00:00-08:00');
      expect(today).toMatchObject({ intents: [], askAgainAt: midnight });
      await claimedOne(store, { now: midnight });
    });

    it('ends those for whom nothing is left by the settings as they are by now', async () => {
      const store = await onePerson(open, someRetry());
      await aCall(store, 'voicemail');
      await setRetry(store, someRetry({ attempts: 1 }));

      const asked = await store.claim(aClaim({ now: ENDED + 99 * HOUR }));

      expect(asked).toMatchObject({ intents: [], shortfall: 'none_waiting' });
      expect(await rowOf(store, ME)).toMatchObject({
        state: 'done',
        result: 'voicemail',
        reason: 'called once already, and retry.attempts is 1',
      });
    });

    it('ends those whose last result is not retried any more, as a result under these settings ends', async () => {
      const store = await onePerson(open, someRetry({ gapMs: 2 * HOUR }));
      await aCall(store, 'voicemail');
      await setRetry(store, someRetry({ gapMs: 2 * HOUR, after: { no_answer: 2 * HOUR } }));

      const never = { at: null, holds: [{ until: null, by: 'retry' }] };
      expect(await store.nextCall(CAMPAIGN, aPhone(0), ENDED)).toMatchObject(never);
      const asked = await store.claim(aClaim({ now: START + 3 * HOUR }));

      expect(asked).toMatchObject({ intents: [], shortfall: 'none_waiting' });
      expect(await rowOf(store, ME)).toMatchObject({
        state: 'done',
        result: 'voicemail',
        resultSource: 'service',
        reason: 'nobody is called again after voicemail any more',
      });
    });

    it('goes on with those who asked to be called, and with the next number after one that does not exist', async () => {
      const { store } = await open();
      const next = [{ phone: aPhone(50), zoneKey: '' }];
      const leads = [aLead(0), aLead(1, { alternatives: next })];
      await aRunningCampaign(store, { leads, settings: { retry: someRetry() } });
      const at = ENDED + 48 * HOUR;
      await aCall(store, 'answered', { callback: { said: 'on Wednesday', at } });
      await aCall(store, 'voicemail', { now: START + 1 });
      await aCall(store, 'invalid_number', { now: ENDED + 25 * HOUR });
      await setRetry(store, someRetry({ after: { busy: HOUR } }));

      const asked = await store.claim(aClaim({ want: 9, now: at }));

      expect(asked.intents.map(({ phone }) => phone)).toEqual([aPhone(50), aPhone(0)]);
    });
  });

  describe('a person who was called several times', () => {
    it('ends with the best of the attempts, and its reason is that attempt’s', async () => {
      const store = await onePerson(open, someRetry({ attempts: 2 }));
      await aCall(store, 'voicemail');
      const second = await claimedOne(store, { now: ENDED + 48 * HOUR });

      await store.recordDial(second.attemptId, rejected(ENDED + 48 * HOUR));

      expect(await rowOf(store, ME)).toMatchObject({
        state: 'done',
        result: 'voicemail',
        resultSource: 'service',
        attempts: 2,
        attempt: { ordinal: 1, result: 'voicemail' },
      });
    });

    it('is not called again while it is not known whether the second call was made', async () => {
      const store = await onePerson(open, someRetry());
      await aCall(store, 'busy');
      await dialled(store, unknown(ENDED + HOUR), { now: ENDED + HOUR });

      const inDoubt = await store.claim(aClaim({ now: ENDED + 2 * HOUR }));
      await store.sweep(aSweep({ now: ENDED + 3 * HOUR }));
      await store.sweep(aSweep({ now: ENDED + 99 * HOUR }));

      expect(inDoubt).toMatchObject({ intents: [], shortfall: 'none_waiting' });
      expect(await rowOf(store, ME)).toMatchObject({ state: 'done', result: 'unconfirmed' });
      const asked = await store.claim(aClaim({ now: ENDED + 99 * HOUR }));
      expect(asked.shortfall).toBe('none_waiting');
    });

    it('waits on when the second call comes to nothing without effect', async () => {
      const store = await onePerson(open, someRetry());
      await aCall(store, 'busy');
      const second = await claimedOne(store, { now: ENDED + HOUR });

      await store.recordDial(second.attemptId, released());

      expect(await rowOf(store, ME)).toMatchObject({ state: 'waiting', attempts: 1 });
      const third = await claimedOne(store, { now: ENDED + HOUR });
      expect(third).toMatchObject({ ordinal: 2, key: second.key });
    });

    it('ends at once when a call that was resolved as not placed turns out to be a talk', async () => {
      const store = await onePerson(open, someRetry());
      const doubt = await dialled(store, unknown());
      await store.resolve(doubt.attemptId, notPlaced());
      await aCall(store, 'busy', { now: LATER });
      expect(await rowOf(store, ME)).toMatchObject({ state: 'waiting' });

      const talk = settled('call_1', { at: LATER + HOUR });
      expect(await store.recordPoll(doubt.attemptId, talk)).toBe('moved');

      expect(await rowOf(store, ME)).toMatchObject({
        state: 'done',
        result: 'answered',
        attempt: { callId: 'call_1', ordinal: 1 },
      });
      const asked = await store.claim(aClaim({ now: LATER + 99 * HOUR }));
      expect(asked.shortfall).toBe('none_waiting');
    });

    it('ends by a talk that is found while the next call is open, whatever that comes to', async () => {
      const store = await onePerson(open, someRetry());
      const doubt = await dialled(store, unknown());
      await store.resolve(doubt.attemptId, notPlaced());
      const second = await dialled(store, placed('call_2', LATER + 100), { now: LATER });
      await store.recordPoll(doubt.attemptId, settled('call_1', { at: LATER + MINUTE }));

      const busy = settled('call_2', { at: LATER + HOUR, result: 'busy', source: 'service' });
      await store.recordPoll(second.attemptId, busy);

      expect(await rowOf(store, ME)).toMatchObject({ state: 'done', result: 'answered' });
      const [, kept] = await store.attemptsOf(CAMPAIGN, ME.phone);
      expect(kept).toMatchObject({ attempt: { result: 'busy', callId: 'call_2' } });
    });

    it('waits as long as before when an earlier call turns out to have been busy, too', async () => {
      const store = await onePerson(open, someRetry());
      const doubt = await dialled(store, unknown());
      await store.resolve(doubt.attemptId, notPlaced());
      await aCall(store, 'busy', { now: LATER });
      const { notBefore } = await rowOf(store, ME);

      const late = settled('call_1', { at: LATER + HOUR, result: 'busy', source: 'service' });
      await store.recordPoll(doubt.attemptId, late);

      expect(await rowOf(store, ME)).toMatchObject({ state: 'waiting', notBefore });
    });
  });
}
