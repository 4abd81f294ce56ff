import { describe, expect, it } from 'vitest';
import type { NewLead, RetryQuery, Store } from '../../../src/store/port.ts';
import { START } from '../../helpers/clock.ts';
import { aPhone } from '../../helpers/factory.ts';
import { aPolicy, daily, DENVER, leadsAt, LONDON } from './calling/policies.ts';
import { aCall, ENDED, HOUR, onePerson, someRetry } from './retries.ts';
import {
  aClaim,
  addList,
  aRunningCampaign,
  aRunningStore,
  CAMPAIGN,
  claimedOne,
  dialled,
  ENTRY,
  placed,
  rowOf,
  settled,
  someLeads,
  unknown,
  type OpenStore,
} from './setup.ts';

const LATER = START + 48 * HOUR;
const query = (overrides: Partial<RetryQuery> = {}): RetryQuery => ({
  results: ['no_answer', 'busy'],
  upTo: null,
  now: LATER,
  ...overrides,
});
const ALL = [0, 1, 2, 3, 4].map((n) => aPhone(n));
const ME = { phone: aPhone(0) };

/** Who was let, and why the others were not. */
async function retried(store: Store, overrides: Partial<RetryQuery> = {}) {
  const leads = await store.retryLeads(CAMPAIGN, ALL, query(overrides));
  return leads.map(({ phone, not }) => [ALL.indexOf(phone), not]);
}

export function calledAgainRules(open: OpenStore): void {
  describe('people who are let be called again', () => {
    it('are those who are done with one of the results; nobody else changes', async () => {
      const store = await aRunningStore(open, { leads: 5 });
      for (const [n, result] of (['no_answer', 'answered', 'busy', 'voicemail'] as const).entries())
        await aCall(store, result, { now: START + n });

      const asked = await store.mayRetry(CAMPAIGN, ALL, query());
      expect(asked.leads.map(({ phone, result }) => [phone, result])).toEqual([
        [aPhone(0), 'no_answer'],
        [aPhone(2), 'busy'],
      ]);
      expect(await rowOf(store, ME)).toMatchObject({ state: 'done' });
      expect(await retried(store)).toEqual([
        [0, null],
        [2, null],
      ]);

      expect(await rowOf(store, ME)).toMatchObject({ state: 'waiting', result: null, attempts: 1 });
      expect((await store.progress(CAMPAIGN, LATER)).waiting).toBe(3);
      expect(await retried(store)).toEqual([]);
      const { intents } = await store.claim(aClaim({ want: 9, now: LATER }));
      expect(intents.map(({ phone, ordinal }) => [phone, ordinal])).toEqual([
        [aPhone(4), 1],
        [aPhone(0), 2],
        [aPhone(2), 2],
      ]);
    });

    it('are called by the place that a list named after their call', async () => {
      const store = await aRunningStore(open, {
        leads: leadsAt(LONDON),
        settings: { policy: aPolicy({ hours: daily(9, 20) }) },
      });
      await aCall(store, 'no_answer', { now: START });
      const other = { id: 'list_2', sha256: 'bb22' };
      await addList(store, CAMPAIGN, [{ ...leadsAt(DENVER)[0], ...ME } as NewLead], other);
      expect(await retried(store, { now: LATER })).toEqual([[0, null]]);

      const { intents } = await store.claim(aClaim({ now: LATER }));
      expect(intents).toEqual([]);
      expect((await store.claim(aClaim({ now: LATER + 2 * HOUR }))).intents).toHaveLength(1);
    });

    it('are not those who are suppressed, withdrawn, stopped by a list or perhaps reached', async () => {
      const store = await aRunningStore(open, {
        leads: 5,
        settings: { retry: someRetry({ attempts: 2, after: { no_answer: HOUR } }) },
      });
      for (const n of [0, 1, 2, 3, 4]) await aCall(store, 'no_answer', { now: START + n });
      const doubted = await dialled(store, unknown(START + 2 * HOUR), { now: START + 2 * HOUR });
      await store.resolve(doubted.attemptId, {
        ...{ as: 'unconfirmed', by: 'ada', at: LATER, note: null },
      });
      for (const n of [1, 2, 3, 4]) await aCall(store, 'no_answer', { now: START + 3 * HOUR + n });
      const stop = { at: START, source: 'operator', note: null, who: 'ada' } as const;
      await store.suppress([{ phone: aPhone(1), expiresAt: null, ...stop }]);
      await store.stopLeads(CAMPAIGN, 'two', [{ phone: aPhone(2), why: 'consent is empty now' }]);
      await store.cancelLead(CAMPAIGN, aPhone(3), ENTRY);

      const found = await retried(store);

      expect(found).toContainEqual([1, 'suppressed']);
      expect(found).toContainEqual([2, 'stopped']);
      expect(found).toContainEqual([3, 'withdrawn']);
      expect(found).toContainEqual([4, null]);
      const { intents } = await store.claim(aClaim({ want: 9, now: LATER }));
      expect(intents.map(({ phone }) => phone)).toEqual([aPhone(4)]);
    });

    it('are not those who have left their list since, until a list has them again', async () => {
      const store = await aRunningStore(open, { leads: 2 });
      for (const n of [0, 1]) await aCall(store, 'no_answer', { now: START + n });
      expect(await store.missedPhones(CAMPAIGN, null, 9)).toEqual(ALL.slice(0, 2));

      await store.cancelWaiting(CAMPAIGN, [aPhone(0)], 'left_list');

      expect(await store.missedPhones(CAMPAIGN, null, 9)).toEqual([aPhone(1)]);
      expect(await retried(store)).toEqual([
        [0, 'stopped'],
        [1, null],
      ]);
      await addList(store, CAMPAIGN, someLeads(1), { id: 'two', sha256: 'bb22' });
      expect(await retried(store)).toEqual([[0, null]]);
    });

    it('are called once where nothing is retried, and then done again', async () => {
      const store = await onePerson(open);
      await aCall(store, 'no_answer');
      await retried(store);

      await aCall(store, 'busy', { now: LATER });

      expect(await rowOf(store, ME)).toMatchObject({ state: 'done', result: 'busy', attempts: 2 });
      expect(await retried(store, { now: LATER + HOUR })).toEqual([[0, null]]);
      expect(await claimedOne(store, { now: LATER + HOUR })).toMatchObject({ ordinal: 3 });
    });

    it('have as many attempts as retry.attempts says, and its gap counts from the last call', async () => {
      const store = await onePerson(open, someRetry({ attempts: 2, gapMs: 3 * HOUR }));
      await aCall(store, 'no_answer');
      await aCall(store, 'no_answer', { now: START + 3 * HOUR });
      expect(await rowOf(store, ME)).toMatchObject({ state: 'done', attempts: 2 });
      await retried(store, { now: START + 4 * HOUR });

      const early = await store.claim(aClaim({ now: START + 4 * HOUR }));
      expect(early.intents).toEqual([]);
      await aCall(store, 'no_answer', { now: LATER });
      expect(await rowOf(store, ME)).toMatchObject({
        state: 'waiting',
        reason: 'no_answer: called again, attempt 2 of 2',
      });
      await aCall(store, 'no_answer', { now: LATER + 4 * HOUR });
      expect(await rowOf(store, ME)).toMatchObject({ state: 'done', attempts: 4 });
    });

    it('are called though retry.after does not name their result', async () => {
      const store = await onePerson(open, someRetry({ after: { busy: HOUR } }));
      await aCall(store, 'no_answer');
      await retried(store);
      expect(await claimedOne(store, { now: LATER })).toMatchObject({ ordinal: 2 });
    });

    it('are not those who were called after the attempt up to which is asked', async () => {
      const store = await onePerson(open);
      await aCall(store, 'no_answer');
      const { newest } = await store.mayRetry(CAMPAIGN, ALL, query());
      await retried(store, { upTo: newest });
      await aCall(store, 'no_answer', { now: LATER });

      expect(await retried(store, { upTo: newest })).toEqual([[0, 'called_since']]);
      expect(await rowOf(store, ME)).toMatchObject({ state: 'done' });
    });

    it('wait again once, also when two users ask at the same time', async () => {
      const { store, beside } = await open();
      const other = await beside();
      await aRunningCampaign(store, { leads: 1 });
      await aCall(store, 'no_answer');

      const both = await Promise.all([retried(store), retried(other)]);

      expect(both.toSorted()).toEqual([[], [[0, null]]]);
      await other.close();
    });

    it('are never called again once they have answered', async () => {
      const store = await onePerson(open);
      await aCall(store, 'no_answer');
      await retried(store);
      const again = await dialled(store, placed('call_late', LATER), { now: LATER });
      await store.recordPoll(again.attemptId, settled('call_late', { at: LATER + HOUR }));

      expect(await rowOf(store, ME)).toMatchObject({ state: 'done', result: 'answered' });
      expect(await retried(store, { now: LATER + 2 * HOUR })).toEqual([]);
    });

    it('are at most 1,000 at once', async () => {
      const { store } = await open();
      const many = Array.from({ length: 1_001 }, (_, n) => aPhone(n));
      await expect(store.retryLeads(CAMPAIGN, many, query())).rejects.toThrow('1000');
      await expect(store.mayRetry(CAMPAIGN, many, query())).rejects.toThrow('1000');
    });

    it('are not those who wait already: their attempts count as before', async () => {
      const store = await onePerson(open, someRetry({ attempts: 2 }));
      await aCall(store, 'no_answer');
      await retried(store);
      await aCall(store, 'no_answer', { now: ENDED + 3 * HOUR });
      expect(await rowOf(store, ME)).toMatchObject({ state: 'done', attempts: 2 });
    });
  });
}
