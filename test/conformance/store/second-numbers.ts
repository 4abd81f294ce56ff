import { describe, expect, it } from 'vitest';
import type { RetryPolicy } from '../../../src/domain/calling/retry.ts';
import type { DialRecord, NewLead, Store, SuppressionSource } from '../../../src/store/port.ts';
import { START } from '../../helpers/clock.ts';
import { aLead, aPhone } from '../../helpers/factory.ts';
import { aCall, ENDED, HOUR, someRetry } from './retries.ts';
import {
  aClaim,
  addList,
  aRunningCampaign,
  aRunningStore,
  CAMPAIGN,
  claimed,
  claimedOne,
  dialled,
  placed,
  rejected,
  released,
  rowOf,
  settled,
  type OpenStore,
} from './setup.ts';

const [OWN, SECOND, THIRD] = [aPhone(0), aPhone(50), aPhone(51)];
const ME = { phone: OWN };
const PLACE = 'America/Chicago;US-TX';
const NO_NUMBER: DialRecord = {
  kind: 'rejected',
  at: ENDED,
  detail: 'no such number',
  invalidNumber: true,
};

/** The first lead, with further numbers. */
function withNumbers(...phones: (typeof OWN)[]): NewLead {
  return aLead(0, { alternatives: phones.map((phone) => ({ phone, zoneKey: PLACE })) });
}

async function aPersonWith(
  open: OpenStore,
  { retry, leads = [] }: { retry?: RetryPolicy; leads?: NewLead[] } = {},
): Promise<Store> {
  const store = await aRunningStore(open, {
    leads: [withNumbers(SECOND, THIRD), ...leads],
    settings: retry === undefined ? {} : { retry },
  });
  return store;
}

/** By a file, such as a registry's: it is about the number, and not about the person. */
async function suppress(
  store: Store,
  phone: typeof OWN,
  at = START,
  source: SuppressionSource = 'file',
): Promise<void> {
  await store.suppress([{ phone, at, source, note: null, who: 'op', expiresAt: null }]);
}

export function secondNumberRules(open: OpenStore): void {
  describe('a person with several numbers', () => {
    it('is called on the next one at once after a number that does not exist, without retry', async () => {
      const store = await aPersonWith(open);

      const first = await aCall(store, 'invalid_number');

      expect(first.phone).toBe(OWN);
      expect(await rowOf(store, ME)).toMatchObject({ state: 'waiting', notBefore: ENDED });
      const second = await aCall(store, 'invalid_number', { now: ENDED });
      expect(second).toMatchObject({ phone: SECOND, ordinal: 2 });
      expect(second.key).not.toBe(first.key);
      const third = await aCall(store, 'invalid_number', { now: ENDED + HOUR });
      expect(third.phone).toBe(THIRD);
      expect(await rowOf(store, ME)).toMatchObject({
        state: 'done',
        result: 'invalid_number',
        attempts: 3,
        attempt: { phone: THIRD },
      });
    });

    it('is called on the next one after as many unanswered attempts as retry.alternatives says', async () => {
      const retry = someRetry({ attempts: 5, alternatives: 2 });
      const store = await aPersonWith(open, { retry });
      const phones = [];
      for (let n = 0; n < 5; n++) {
        phones.push((await aCall(store, 'no_answer', { now: START + n * 3 * HOUR })).phone);
      }

      expect(phones).toEqual([OWN, OWN, SECOND, SECOND, THIRD]);
      expect(await rowOf(store, ME)).toMatchObject({ state: 'done', result: 'no_answer' });
    });

    it('stays on a number after a dial to it that had no effect', async () => {
      const store = await aPersonWith(open);
      await aCall(store, 'invalid_number');
      const second = await claimedOne(store, { now: ENDED });

      await store.recordDial(second.attemptId, released());

      expect(await claimedOne(store, { now: ENDED })).toMatchObject({
        phone: SECOND,
        key: second.key,
      });
    });

    it('is not called on one that is suppressed', async () => {
      const store = await aPersonWith(open);
      await suppress(store, SECOND);

      await aCall(store, 'invalid_number');

      expect(await claimedOne(store, { now: ENDED })).toMatchObject({ phone: THIRD });
    });

    it('is not called on one that is another lead’s own in the campaign', async () => {
      const other = aLead(50, { line: 3, phone: SECOND });
      const store = await aPersonWith(open, { leads: [other] });

      await aCall(store, 'invalid_number');

      expect(await rowOf(store, ME)).toMatchObject({ state: 'waiting' });
      await aCall(store, 'answered', { now: ENDED, callId: 'call_2' });
      expect(await claimedOne(store, { now: ENDED + HOUR })).toMatchObject({ phone: THIRD });
    });

    it('is not let be called again on one that does not exist', async () => {
      const retry = someRetry({ attempts: 3, after: { no_answer: HOUR }, alternatives: 1 });
      const store = await aPersonWith(open, { retry });
      await aCall(store, 'no_answer');
      await aCall(store, 'invalid_number', { now: ENDED + 2 * HOUR, callId: 'call_2' });
      const may = async () => {
        const query = { results: ['no_answer'], upTo: null, now: ENDED + 48 * HOUR } as const;
        return (await store.mayRetry(CAMPAIGN, [ME.phone], query)).leads.map(({ not }) => not);
      };
      await aCall(store, 'invalid_number', { now: ENDED + 3 * HOUR, callId: 'call_3' });
      expect(await may()).toEqual(['no_number']);
      // Another one has come since.
      const other = { id: 'list_2', sha256: 'bb22' };
      const more = withNumbers(SECOND, THIRD, aPhone(77));
      await addList(store, CAMPAIGN, [more], other);
      expect(await may()).toEqual([null]);
    });

    it('is not called on one on which another lead is called meanwhile', async () => {
      const sharing = aLead(1, { line: 3, alternatives: [{ phone: SECOND, zoneKey: PLACE }] });
      const store = await aPersonWith(open, { leads: [sharing] });

      await aCall(store, 'invalid_number', { callId: 'call_1' });
      await aCall(store, 'invalid_number', { callId: 'call_2' });

      expect(await rowOf(store, sharing)).toMatchObject({ state: 'done' });
      expect(await claimedOne(store, { now: ENDED })).toMatchObject({ phone: SECOND });
      const rest = await store.claim(aClaim({ now: ENDED + HOUR }));
      expect(rest.shortfall).toBe('none_waiting');
    });

    it('is not called on one that rang for another lead before', async () => {
      const alternatives = [SECOND, THIRD].map((phone) => ({ phone, zoneKey: PLACE }));
      const sharing = aLead(1, { line: 3, alternatives });
      const retry = someRetry({ attempts: 5, alternatives: 1 });
      const store = await aPersonWith(open, { leads: [sharing], retry });
      await aCall(store, 'invalid_number', { callId: 'call_1' });
      const held = await claimedOne(store);
      await aCall(store, 'busy', { now: ENDED, callId: 'call_2' });

      await store.recordDial(held.attemptId, placed('call_3'));
      const invalid = { result: 'invalid_number', source: 'service' } as const;
      await store.recordPoll(held.attemptId, settled('call_3', invalid));

      expect(held.phone).toBe(sharing.phone);
      expect(await rowOf(store, sharing)).toMatchObject({ result: 'invalid_number' });
    });

    it.each(['operator', 'list', 'service'] as const)(
      'is called on none once one is suppressed by the %s, unless others have that one, too',
      async (source) => {
        const sharing = aLead(1, { alternatives: [{ phone: THIRD, zoneKey: PLACE }] });
        const store = await aPersonWith(open, { leads: [sharing] });
        await suppress(store, THIRD, START, source);
        await aCall(store, 'invalid_number');
        await suppress(store, SECOND, ENDED, source);

        expect(await claimedOne(store, { now: ENDED })).toMatchObject({ phone: sharing.phone });
        await store.claim(aClaim({ now: ENDED }));
        expect(await rowOf(store, ME)).toMatchObject({ state: 'done', result: 'suppressed' });
      },
    );

    it('ends as suppressed when the last of them is suppressed', async () => {
      const store = await aPersonWith(open);
      await aCall(store, 'invalid_number');
      await suppress(store, THIRD, ENDED);
      await suppress(store, SECOND, ENDED);

      const asked = await store.claim(aClaim({ now: ENDED }));

      expect(asked).toMatchObject({ intents: [], shortfall: 'none_waiting' });
      expect(await rowOf(store, ME)).toMatchObject({ state: 'done', result: 'suppressed' });
    });

    it('ends as suppressed when their own number is, whichever is dialled', async () => {
      const store = await aPersonWith(open);
      await aCall(store, 'invalid_number');

      await suppress(store, OWN, ENDED);

      expect(await rowOf(store, ME)).toMatchObject({ state: 'done', result: 'suppressed' });
    });

    it('is not called on a number that a later list brings as another person’s own', async () => {
      const store = await aPersonWith(open);
      await aCall(store, 'invalid_number');
      const leads = [aLead(50, { phone: SECOND })];
      await addList(store, CAMPAIGN, leads, { id: 'list_2', sha256: 'bb22' });

      const asked = await claimed(store, 2, { now: ENDED });

      expect(asked.map(({ phone }) => phone).toSorted()).toEqual([SECOND, THIRD]);
    });

    it('is not called on their own number after it rang for another person, and no retry follows', async () => {
      const store = await aPersonWith(open);
      await aCall(store, 'invalid_number');
      await aCall(store, 'no_answer', { now: ENDED });
      const leads = [aLead(50, { phone: SECOND })];
      await addList(store, CAMPAIGN, leads, { id: 'list_2', sha256: 'bb22' });

      expect(await store.nextCall(CAMPAIGN, SECOND, ENDED + 48 * HOUR)).toMatchObject({
        at: null,
        holds: [{ by: 'list' }],
      });
      const asked = await store.claim(aClaim({ now: ENDED + 48 * HOUR }));

      expect(asked).toMatchObject({ intents: [], shortfall: 'none_waiting' });
      expect(await rowOf(store, { phone: SECOND })).toMatchObject({
        result: 'expired',
        reason: `${SECOND} was called for another person of the campaign`,
        attempts: 0,
      });
    });

    it('is retried on a number that rang for them, although a later list brings it as another person’s own', async () => {
      const store = await aPersonWith(open, { retry: someRetry({ attempts: 4 }) });
      await aCall(store, 'invalid_number');
      await aCall(store, 'no_answer', { now: ENDED });
      const leads = [aLead(50, { phone: SECOND })];
      await addList(store, CAMPAIGN, leads, { id: 'list_2', sha256: 'bb22' });

      const { intents } = await store.claim(aClaim({ want: 2, now: ENDED + 48 * HOUR }));

      expect(intents.map(({ phone, ordinal }) => [phone, ordinal])).toEqual([[SECOND, 3]]);
      expect(await rowOf(store, { phone: SECOND })).toMatchObject({
        result: 'expired',
        reason: `${SECOND} was called for another person of the campaign`,
        attempts: 0,
      });
    });

    it('leaves a number to the person who brings it where nothing was sent to it for them', async () => {
      const store = await aPersonWith(open, { retry: someRetry({ attempts: 4 }) });
      await aCall(store, 'invalid_number');
      await dialled(store, released('never_sent'), { now: ENDED });
      const leads = [aLead(50, { phone: SECOND })];
      await addList(store, CAMPAIGN, leads, { id: 'list_2', sha256: 'bb22' });

      const asked = await claimed(store, 2, { now: ENDED + HOUR });

      expect(asked.map(({ phone, ordinal }) => [phone, ordinal]).toSorted()).toEqual([
        [SECOND, 1],
        [THIRD, 2],
      ]);
    });

    it('has their next number called where their own rang for another person', async () => {
      const store = await aPersonWith(open);
      await aCall(store, 'invalid_number');
      await aCall(store, 'answered', { now: ENDED });
      const alternatives = [{ phone: aPhone(52), zoneKey: PLACE }];
      const leads = [aLead(50, { phone: SECOND, zoneKey: PLACE, alternatives })];
      await addList(store, CAMPAIGN, leads, { id: 'list_2', sha256: 'bb22' });

      expect(await claimedOne(store, { now: ENDED + HOUR })).toMatchObject({ phone: aPhone(52) });
    });

    it('waits while their number is dialled for another person, and is called if nothing was sent', async () => {
      const store = await aPersonWith(open);
      await aCall(store, 'invalid_number');
      const other = await claimedOne(store, { now: ENDED });
      const leads = [aLead(50, { phone: SECOND })];
      await addList(store, CAMPAIGN, leads, { id: 'list_2', sha256: 'bb22' });

      const asked = await store.claim(aClaim({ now: ENDED }));
      expect(asked).toMatchObject({ intents: [], askAgainAt: ENDED + 60_000 });
      await store.recordDial(other.attemptId, released('never_sent'));
      const later = await claimed(store, 2, { now: ENDED + 60_000 });

      expect(later.map(({ phone }) => phone).toSorted()).toEqual([SECOND, THIRD]);
    });

    it('is called on the next one at once after a dial that was refused as no number', async () => {
      const store = await aPersonWith(open);
      const first = await claimedOne(store);

      await store.recordDial(first.attemptId, NO_NUMBER);

      expect(await rowOf(store, ME)).toMatchObject({ state: 'waiting', notBefore: ENDED });
      const second = await claimedOne(store, { now: ENDED });
      expect(second).toMatchObject({ phone: SECOND, ordinal: 2 });
      await store.recordDial(second.attemptId, NO_NUMBER);
      await dialled(store, NO_NUMBER, { now: ENDED });
      expect(await rowOf(store, ME)).toMatchObject({ state: 'done', result: 'rejected' });
    });

    it('is called on no other one after a dial that was refused for another reason', async () => {
      const store = await aPersonWith(open);
      const { attemptId } = await claimedOne(store);

      await store.recordDial(attemptId, rejected());

      expect(await rowOf(store, ME)).toMatchObject({ state: 'done', result: 'rejected' });
    });

    it('is called where that number is', async () => {
      const store = await aPersonWith(open);
      await aCall(store, 'invalid_number');

      expect(await store.placesOf(CAMPAIGN, START)).toMatchObject([{ zoneKey: PLACE, waiting: 1 }]);
    });

    it('is found after whose first number it is', async () => {
      const store = await aPersonWith(open, { leads: [{ ...aLead(9), phone: THIRD }] });

      expect(await store.findLeads(THIRD, 1)).toMatchObject([{ phone: THIRD }]);
      expect(await store.findLeads(THIRD, 5)).toMatchObject([{ phone: THIRD }, { phone: OWN }]);
    });

    it('is told when the next one is called while the one before is suppressed', async () => {
      const store = await aPersonWith(open);
      await aCall(store, 'invalid_number');
      await suppress(store, SECOND, ENDED);

      const next = await store.nextCall(CAMPAIGN, OWN, ENDED);

      expect(next?.at).toBe(ENDED);
      expect(next?.holds).toMatchObject([{ until: ENDED, by: 'suppression' }]);
      expect(await claimedOne(store, { now: ENDED })).toMatchObject({ phone: THIRD });
    });

    it('is suppressed with all of them when they opt out on one, in every campaign', async () => {
      const store = await aPersonWith(open);
      await aRunningCampaign(store, { id: 'cmp_other', leads: [aLead(51, { phone: THIRD })] });
      await aCall(store, 'invalid_number');

      await aCall(store, 'opted_out', { now: ENDED });

      const page = await store.suppressions({ now: ENDED + HOUR, after: null, limit: 10 });
      expect(page.map(({ phone, source }) => [phone, source])).toEqual([
        [OWN, 'service'],
        [SECOND, 'service'],
        [THIRD, 'service'],
      ]);
      expect(await rowOf(store, ME)).toMatchObject({ state: 'done', result: 'opted_out' });
      const elsewhere = await store.claim(aClaim({ campaignId: 'cmp_other', now: ENDED + HOUR }));
      expect(elsewhere.shortfall).toBe('none_waiting');
    });

    it('has the best attempt in the results, and all of them per attempt with their numbers', async () => {
      const retry = someRetry({ attempts: 2, alternatives: 1 });
      const store = await aPersonWith(open, { retry });
      await aCall(store, 'voicemail', { callId: 'call_1' });
      const second = await dialled(store, placed('call_2', ENDED + 48 * HOUR), {
        now: ENDED + 48 * HOUR,
      });
      const busy = { at: ENDED + 49 * HOUR, result: 'busy', source: 'service' } as const;
      await store.recordPoll(second.attemptId, settled('call_2', busy));

      expect(await rowOf(store, ME)).toMatchObject({
        result: 'voicemail',
        attempts: 2,
        firstAttemptAt: START,
        lastAttemptAt: ENDED + 48 * HOUR,
        lastChangeAt: ENDED + 49 * HOUR,
        attempt: { callId: 'call_1', phone: OWN },
      });
      const all = await store.attemptsOf(CAMPAIGN, OWN);
      expect(all.map(({ attempt, lastAttemptAt }) => [attempt?.phone, lastAttemptAt])).toEqual([
        [OWN, START],
        [SECOND, ENDED + 48 * HOUR],
      ]);
    });
  });
}
