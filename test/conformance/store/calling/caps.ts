import { describe, expect, it } from 'vitest';
import type { CallingLimits } from '../../../../src/domain/calling/policy.ts';
import type { LeadResult } from '../../../../src/domain/lead.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../src/domain/time-units.ts';
import type { DialRecord, Intent, Store } from '../../../../src/store/port.ts';
import { START } from '../../../helpers/clock.ts';
import { aCampaign, aLead, aPhone, CREATED, someSettings } from '../../../helpers/factory.ts';
import {
  aClaim,
  addList,
  aRunningCampaign,
  CAMPAIGN,
  claimedOne,
  ENTRY,
  placed,
  rejected,
  released,
  rowOf,
  settled,
  unknown,
  type OpenStore,
} from '../setup.ts';
import { aPolicy, daily, LONDON } from './policies.ts';

const ONE_A_DAY: Partial<CallingLimits> = { caps: [{ calls: 1, perMs: DAY_MS }] };

export function capRules(open: OpenStore): void {
  describe('caps', () => {
    it('count calls of other campaigns to the number, and say until when they hold', async () => {
      const { store } = await open();
      await called(store, 'cmp_a');
      await campaign(store, CAMPAIGN, ONE_A_DAY, 2);

      const claim = await store.claim(aClaim({ want: 2, now: START + HOUR_MS }));

      expect(claim.intents.map(({ phone }) => phone)).toEqual([aPhone(1)]);
      expect(claim).toMatchObject({ shortfall: 'not_yet_due', askAgainAt: START + DAY_MS });
      expect(await rowOf(store, { phone: aPhone(0) })).toMatchObject({
        state: 'waiting',
        reason: 'held by own: 1 call to this number in 24 h',
        notBefore: START + DAY_MS,
      });
      const again = await claimedOne(store, { now: START + DAY_MS });
      expect(again).toMatchObject({ phone: aPhone(0) });
      expect(await rowOf(store, again)).toMatchObject({ state: 'calling', reason: null });
    });

    it.each<[string, DialRecord | null]>([
      ['an intent', null],
      ['a placed call', placed('call_x')],
      ['a call in doubt', unknown()],
      ['a call that was refused for good', rejected()],
    ])('count %s', async (_, answer) => {
      const { store } = await open();
      await campaign(store, CAMPAIGN, ONE_A_DAY);
      await called(store, 'cmp_a', answer);

      expect(await store.claim(aClaim({ now: START + 1_000 }))).toMatchObject({ intents: [] });
    });

    it('do not count a dial without effect', async () => {
      const { store } = await open();
      await called(store, 'cmp_a', released('never_sent'));
      await campaign(store, CAMPAIGN, ONE_A_DAY);

      await claimedOne(store, { now: START + 1_000 });
    });

    it('count single calls and calls at other services, but no rehearsal', async () => {
      const { store } = await open();
      await called(store, 'cmp_call', placed('call_x'), { kind: 'call', service: 'other' });
      await called(store, 'cmp_rehearsal', placed('call_y'), { simulated: true, lead: 1 });
      await campaign(store, CAMPAIGN, ONE_A_DAY, 2);

      const { intents } = await store.claim(aClaim({ want: 2, now: START + 1_000 }));

      expect(intents.map(({ phone }) => phone)).toEqual([aPhone(1)]);
    });

    it.each([HOUR_MS, 100 * DAY_MS])(
      'count calls from the future, as a clock was set back since by %i ms',
      async (back) => {
        const { store } = await open();
        await called(store, 'cmp_a');
        await campaign(store, CAMPAIGN, ONE_A_DAY);

        const claim = await store.claim(aClaim({ now: START - back }));

        expect(claim).toMatchObject({ intents: [], askAgainAt: START + DAY_MS });
      },
    );

    it('reach back over periods of many weeks', async () => {
      const { store } = await open();
      await called(store, 'cmp_a');
      await campaign(store, CAMPAIGN, { caps: [{ calls: 1, perMs: 90 * DAY_MS }] });

      for (const days of [20, 40, 60, 80, 90 - 1e-6]) {
        const claim = await store.claim(aClaim({ now: Math.floor(START + days * DAY_MS) }));
        expect(claim).toMatchObject({ intents: [], askAgainAt: START + 90 * DAY_MS });
      }
      await claimedOne(store, { now: START + 90 * DAY_MS });
    });

    it('count a call that the service put off from when it begins', async () => {
      const { store } = await open();
      const { attemptId } = await called(store, 'cmp_a');
      await store.recordPoll(attemptId, {
        kind: 'pending',
        at: START + 1_000,
        nextPollAt: START + 2_000,
        beginsAt: START + 30 * HOUR_MS,
      });
      await campaign(store, CAMPAIGN, ONE_A_DAY);

      const claim = await store.claim(aClaim({ now: START + 25 * HOUR_MS }));

      expect(claim).toMatchObject({ intents: [], askAgainAt: START + 54 * HOUR_MS });
    });

    it('hold between two campaigns that two runners claim for at the same time', async () => {
      const { store, beside } = await open();
      const other = await beside();
      await campaign(store, CAMPAIGN, ONE_A_DAY);
      await campaign(store, 'cmp_b', ONE_A_DAY);

      const claims = await Promise.all([
        store.claim(aClaim()),
        other.claim(aClaim({ campaignId: 'cmp_b' })),
        store.claim(aClaim({ campaignId: 'cmp_b' })),
      ]);

      expect(claims.flatMap(({ intents }) => intents)).toHaveLength(1);
    });

    it('are recorded once for each time that they hold', async () => {
      const { store } = await open();
      await called(store, 'cmp_a');
      await campaign(store, CAMPAIGN, ONE_A_DAY);
      for (const now of [1, 2, 3]) await store.claim(aClaim({ now: START + now }));

      expect(await store.holdsOf(CAMPAIGN, aPhone(0))).toHaveLength(1);
    });

    it('that are loosened let people go at the next claim, in every process', async () => {
      const { store, beside } = await open();
      await called(store, 'cmp_a');
      const { settings } = await campaign(store, CAMPAIGN, ONE_A_DAY);
      const other = await beside();
      const now = START + HOUR_MS;
      expect(await other.claim(aClaim({ now }))).toMatchObject({ intents: [] });

      const policy = aPolicy({ caps: [{ calls: 2, perMs: DAY_MS }] });
      await store.changeCampaign(CAMPAIGN, { settings: { ...settings, policy } }, ENTRY);

      expect(await store.nextCall(CAMPAIGN, aPhone(0), now)).toEqual({ at: now, holds: [] });
      await claimedOne(other, { now });
    });

    it('that are changed hold anew who is still held, once', async () => {
      const { store } = await open();
      await called(store, 'cmp_a');
      const { settings } = await campaign(store, CAMPAIGN, ONE_A_DAY);
      await store.claim(aClaim({ now: START + 1 }));

      const policy = aPolicy({ caps: [{ calls: 1, perMs: 2 * DAY_MS }] });
      await store.changeCampaign(CAMPAIGN, { settings: { ...settings, policy } }, ENTRY);
      for (const at of [2, 3, DAY_MS]) {
        expect(await store.claim(aClaim({ now: START + at }))).toMatchObject({
          intents: [],
          askAgainAt: START + 2 * DAY_MS,
        });
      }

      expect(await store.holdsOf(CAMPAIGN, aPhone(0))).toMatchObject([
        { until: START + DAY_MS },
        { until: START + 2 * DAY_MS },
      ]);
      await claimedOne(store, { now: START + 2 * DAY_MS });
    });

    it('let the leads behind be called, however many are held', async () => {
      const { store } = await open();
      const many = 1_100;
      const leads = Array.from({ length: many }, (_, n) => aLead(n, { zoneKey: LONDON }));
      await aRunningCampaign(store, { id: 'cmp_a', settings: { concurrency: many }, leads: [] });
      await addLists(store, 'cmp_a', leads);
      await store.claim(aClaim({ campaignId: 'cmp_a', want: many }));
      await campaign(store, CAMPAIGN, ONE_A_DAY, 0);
      await addLists(store, CAMPAIGN, [...leads, aLead(many, { zoneKey: LONDON })]);

      const first = await store.claim(aClaim());
      expect(first).toMatchObject({ intents: [], shortfall: 'not_yet_due' });
      expect(first.askAgainAt).toBeLessThanOrEqual(START);
      expect(await claimedOne(store)).toMatchObject({ phone: aPhone(many) });
    });
  });

  describe('a silence', () => {
    it.each<[LeadResult, number, Partial<CallingLimits>, string]>([
      ['answered', 7, { afterConversationMs: 7 * DAY_MS }, 'a conversation'],
      ['answered', 90, { afterConversationMs: 90 * DAY_MS }, 'a conversation'],
      ['answered', 7, { afterRefusalMs: 7 * DAY_MS }, 'a refusal in a conversation'],
      ['declined', 90, { afterRefusalMs: 90 * DAY_MS }, 'a refusal in a conversation'],
    ])(
      'after a call that was %s holds %i days from its end',
      async (result, days, limits, what) => {
        const { store } = await open();
        const { attemptId } = await called(store, 'cmp_a');
        const end = START + 3 * MINUTE_MS;
        await store.recordPoll(
          attemptId,
          settled('call_cmp_a', { result, at: end, refusal: 'stop calling' }),
        );
        await campaign(store, CAMPAIGN, limits);
        const over = end + days * DAY_MS;

        const early = await store.claim(aClaim({ now: over - 1 }));

        expect(early).toMatchObject({ intents: [], askAgainAt: over });
        const why = `no call for ${days} days after ${what}`;
        expect(await store.holdsOf(CAMPAIGN, aPhone(0))).toMatchObject([{ by: 'own', why }]);
        await claimedOne(store, { now: over });
      },
    );

    it.each<[number, Partial<CallingLimits>, string]>([
      [90, { afterConversationMs: 90 * DAY_MS }, 'a conversation'],
      [60, { afterRefusalMs: 60 * DAY_MS }, 'a refusal in a conversation'],
    ])(
      'after an opt-out holds %i days, also where the operator has lifted the suppression',
      async (days, limits, what) => {
        const { store } = await open();
        const { attemptId } = await called(store, 'cmp_a');
        const end = START + 3 * MINUTE_MS;
        const optedOut = settled('call_cmp_a', { result: 'opted_out', at: end, refusal: '' });
        await store.recordPoll(attemptId, optedOut);
        const lift = { phone: aPhone(0), at: end, who: 'operator', note: 'consent' };
        expect(await store.unsuppress(lift)).toBe(true);
        await campaign(store, CAMPAIGN, limits);
        const over = end + days * DAY_MS;

        expect(await store.claim(aClaim({ now: over - 1 }))).toMatchObject({ askAgainAt: over });

        const why = `no call for ${days} days after ${what}`;
        expect(await store.holdsOf(CAMPAIGN, aPhone(0))).toMatchObject([{ by: 'own', why }]);
        await claimedOne(store, { now: over });
      },
    );

    it('is kept while a call is on the line that the service had put off, and no longer', async () => {
      const { store } = await open();
      const { attemptId } = await called(store, 'cmp_a');
      const begins = START + 9 * DAY_MS;
      const poll = { kind: 'pending', at: START + 1_000, nextPollAt: begins } as const;
      await store.recordPoll(attemptId, { ...poll, beginsAt: begins });
      await campaign(store, CAMPAIGN, { afterConversationMs: DAY_MS });

      const early = await store.claim(aClaim({ now: begins + MINUTE_MS }));
      const result = settled('call_cmp_a', { result: 'no_answer', at: begins + 2 * MINUTE_MS });
      await store.recordPoll(attemptId, result);

      expect(early).toMatchObject({ intents: [], askAgainAt: begins + 15 * MINUTE_MS });
      await claimedOne(store, { now: begins + 15 * MINUTE_MS });
    });

    it('waits no longer for a call in doubt that is a week old', async () => {
      const { store } = await open();
      await called(store, 'cmp_a', unknown());
      await campaign(store, CAMPAIGN, { afterConversationMs: 7 * DAY_MS });

      expect(await store.claim(aClaim({ now: START + 6 * DAY_MS }))).toMatchObject({ intents: [] });
      await claimedOne(store, { now: START + 7 * DAY_MS });
    });

    it('is not kept after another result', async () => {
      const { store } = await open();
      const { attemptId } = await called(store, 'cmp_a');
      await store.recordPoll(attemptId, settled('call_cmp_a', { result: 'no_answer' }));
      await campaign(store, CAMPAIGN, { afterConversationMs: DAY_MS, afterRefusalMs: DAY_MS });

      await claimedOne(store, { now: START + HOUR_MS });
    });

    it.each<LeadResult>(['declined', 'answered'])(
      'of refusals is not kept after a call that was %s without a word of refusal',
      async (result) => {
        const { store } = await open();
        const { attemptId } = await called(store, 'cmp_a');
        await store.recordPoll(attemptId, settled('call_cmp_a', { result, refusal: '' }));
        await campaign(store, CAMPAIGN, { afterRefusalMs: 60 * DAY_MS });

        await claimedOne(store, { now: START + HOUR_MS });
      },
    );

    it('is kept while a call is open that may become a conversation', async () => {
      const { store } = await open();
      await called(store, 'cmp_a');
      await campaign(store, CAMPAIGN, { afterConversationMs: DAY_MS });

      const early = await store.claim(aClaim({ now: START + 1_000 }));
      const late = await store.claim(aClaim({ now: START + HOUR_MS }));

      expect(early).toMatchObject({ intents: [], askAgainAt: START + 15 * MINUTE_MS });
      expect(late).toMatchObject({ intents: [], askAgainAt: START + HOUR_MS + MINUTE_MS });
    });
  });

  describe('nextCall', () => {
    it('says the moment at which a claim calls the person, and what holds until then', async () => {
      const { store } = await open();
      await called(store, 'cmp_a');
      await campaign(store, CAMPAIGN, ONE_A_DAY);
      const now = START + HOUR_MS;

      const hold = { until: START + DAY_MS, by: 'own', why: '1 call to this number in 24 h' };
      expect(await store.nextCall(CAMPAIGN, aPhone(0), now)).toEqual({
        at: START + DAY_MS,
        holds: [hold],
      });
      await store.claim(aClaim({ now }));
      expect(await store.nextCall(CAMPAIGN, aPhone(0), now)).toEqual({
        at: START + DAY_MS,
        holds: [hold],
      });
      expect(await store.claim(aClaim({ now: START + DAY_MS - 1 }))).toMatchObject({ intents: [] });
      await claimedOne(store, { now: START + DAY_MS });
      expect(await store.nextCall(CAMPAIGN, aPhone(0), now)).toBeUndefined();
    });

    it('is at once for a person whom nothing holds, and of nobody who does not wait', async () => {
      const { store } = await open();
      await campaign(store, CAMPAIGN, ONE_A_DAY);

      expect(await store.nextCall(CAMPAIGN, aPhone(0), START)).toEqual({ at: START, holds: [] });
      expect(await store.nextCall(CAMPAIGN, aPhone(1), START)).toBeUndefined();
    });

    it('is when hours, caps and the time of the lead all allow it', async () => {
      const { store } = await open();
      await called(store, 'cmp_a');
      const limits = { hours: daily(9, 15), caps: [{ calls: 1, perMs: DAY_MS }] };
      await campaign(store, CAMPAIGN, limits);

      const next = await store.nextCall(CAMPAIGN, aPhone(0), START);

      // The cap ends on Tuesday at 15:00, when the hours close.
      expect(next?.at).toBe(START + 42 * HOUR_MS);
      expect(next?.holds.map(({ until }) => until)).toEqual([START + 18 * HOUR_MS, START + DAY_MS]);
      for (const at of [START + 18 * HOUR_MS, START + DAY_MS, START + 42 * HOUR_MS - 1]) {
        expect(await store.claim(aClaim({ now: at }))).toMatchObject({ intents: [] });
      }
      await claimedOne(store, { now: START + 42 * HOUR_MS });
    });
  });
}

/** A campaign under these limits, whose first lead has the number that others have called. */
async function campaign(store: Store, id: string, limits: Partial<CallingLimits>, count = 1) {
  const leads = Array.from({ length: count }, (_, n) => aLead(n, { zoneKey: LONDON }));
  const settings = someSettings({ concurrency: 2_000, policy: aPolicy(limits) });
  return aRunningCampaign(store, { id, settings, leads });
}

/** One call by another campaign at START, under no limits; `answer` null: it is still an intent. */
async function called(
  store: Store,
  id: string,
  answer: DialRecord | null = placed(`call_${id}`),
  other: { kind?: 'list' | 'call'; simulated?: boolean; service?: string; lead?: number } = {},
): Promise<Intent> {
  const { lead = 0, service = 'main', ...rest } = other;
  await store.createCampaign(aCampaign({ id, name: id, service, ...rest }), CREATED);
  await addList(store, id, [aLead(lead, { zoneKey: LONDON })]);
  await store.changeCampaign(id, { state: 'running' }, ENTRY);
  const intent = await claimedOne(store, { campaignId: id, service });
  if (answer !== null) await store.recordDial(intent.attemptId, answer);
  return intent;
}

async function addLists(store: Store, id: string, leads: ReturnType<typeof aLead>[]) {
  for (let from = 0; from < leads.length; from += 1_000) {
    const list = { id: `${id}-${from}`, sha256: `${id}${from}` };
    await addList(store, id, leads.slice(from, from + 1_000), list);
  }
}
