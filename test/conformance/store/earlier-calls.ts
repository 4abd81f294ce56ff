import { describe, expect, it } from 'vitest';
import type { DialRecord, PollRecord, Store } from '../../../src/store/port.ts';
import { START } from '../../helpers/clock.ts';
import { aCampaign, aLead, aPhone, CREATED } from '../../helpers/factory.ts';
import { someRetry } from './retries.ts';
import {
  aClaim,
  addList,
  aList,
  aRunningCampaign,
  aRunningStore,
  aSweep,
  CAMPAIGN,
  claimedOne,
  dialled,
  ENTRY,
  exported,
  placed,
  rejected,
  released,
  settled,
  someLeads,
  unknown,
  type OpenStore,
} from './setup.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const EVER = { skipCalled: 'ever' } as const;

/** What became of the call that campaign `cmp_a` made to the first lead, which `cmp_b` has, too. */
type Step = (store: Store, attemptId: string) => Promise<unknown>;
const dial =
  (answer: DialRecord): Step =>
  (store, id) =>
    store.recordDial(id, answer);
const poll =
  (found: PollRecord): Step =>
  async (store, id) => {
    await store.recordDial(id, placed('call_1'));
    await store.recordPoll(id, found);
  };
const lateAnd =
  (reconcileForMs: number, answer: DialRecord): Step =>
  async (store, id) => {
    await store.recordDial(id, answer);
    const { settings } = aSweep();
    const at = START + 2 * HOUR;
    await store.sweep(
      aSweep({ campaignId: 'cmp_a', now: at, settings: { ...settings, reconcileForMs } }),
    );
  };
const notPlaced: Step = async (store, id) => {
  await lateAnd(1, unknown())(store, id);
  const at = START + 3 * HOUR;
  const word = { as: 'not_placed', at, by: 'operator', note: null } as const;
  expect(await store.resolve(id, word)).toMatchObject({ kind: 'resolved' });
};

const RANG: [what: string, step: Step, end: string][] = [
  ['whose answer is still to come', async () => undefined, 'on the line'],
  ['that is placed', dial(placed('call_1')), 'on the line'],
  ['whose answer was lost', dial(unknown()), 'in doubt'],
  ['that stays in doubt', lateAnd(1, unknown()), 'in doubt'],
  ['whose line is down', lateAnd(1, placed('call_1')), 'its result still to come'],
  ['that was answered', poll(settled('call_1')), 'answered'],
  ['that nobody answered', poll(settled('call_1', { result: 'no_answer' })), 'no_answer'],
];
const NOT_RUNG: [what: string, step: Step][] = [
  ['that the service refused without effect', dial(released())],
  ['that the service refused for good', dial(rejected())],
  [
    'of which the service says that there is no such number',
    poll(settled('call_1', { result: 'invalid_number', source: 'service' })),
  ],
  ['of which a person says that it was not placed', notPlaced],
];

export function earlierCallRules(open: OpenStore): void {
  /** `cmp_a` has called the first of two people; `cmp_b` has both, and leaves out who was called. */
  async function aCallBefore(step: Step) {
    const store = await aRunningStore(open, { id: 'cmp_a', leads: 1 });
    const { attemptId } = await claimedOne(store, { campaignId: 'cmp_a' });
    await step(store, attemptId);
    await aRunningCampaign(store, { id: 'cmp_b', leads: 2, settings: EVER });
    return store;
  }
  const claimOf = async (store: Store, now = START + DAY) =>
    (await store.claim(aClaim({ campaignId: 'cmp_b', want: 5, now }))).intents.map(
      ({ phone }) => phone,
    );
  const query = { campaignId: 'cmp_b', simulated: false, now: START, before: null, limit: 9 };
  const others = { campaignId: 'cmp_b', simulated: false, sha256s: ['aa11'] };

  describe('a campaign that leaves out whom another one has called', () => {
    it.each(RANG)('does not call after a call %s, and says so', async (_, step, end) => {
      const store = await aCallBefore(step);

      expect(await claimOf(store)).toEqual([aPhone(1)]);

      expect((await exported(store, 'cmp_b'))[0]).toMatchObject({
        state: 'done',
        result: 'cancelled',
        resultSource: 'callsheet',
        reason: `called_before: campaign "cmp_a" on 2026-01-05 15:00 UTC (${end})`,
      });
      const calls = await store.earlierCalls(query);
      expect(calls.filter(({ campaignId }) => campaignId === 'cmp_a')).toHaveLength(1);
    });

    it.each(NOT_RUNG)('calls after a call %s', async (_, step) => {
      const store = await aCallBefore(step);
      expect(await claimOf(store)).toEqual([aPhone(0), aPhone(1)]);
      const calls = await store.earlierCalls({ ...query, campaignId: 'cmp_b' });
      expect(calls.filter(({ campaignId }) => campaignId === 'cmp_a')).toEqual([]);
      expect(await store.earlierCallsOf({ ...query, phones: [aPhone(0)] })).toEqual([]);
    });

    it('calls who was called longer ago than it says', async () => {
      const store = await aRunningStore(open, { id: 'cmp_a', leads: 1 });
      await claimedOne(store, { campaignId: 'cmp_a' });
      await aRunningCampaign(store, { id: 'cmp_b', leads: 1, settings: { skipCalled: DAY } });
      await aRunningCampaign(store, { id: 'cmp_c', leads: 1, settings: { skipCalled: DAY } });
      expect(await claimOf(store, START + DAY)).toEqual([]);
      const later = aClaim({ campaignId: 'cmp_c', now: START + DAY + 1 });
      expect((await store.claim(later)).intents).toHaveLength(1);
    });

    it('does not count its own calls, nor those of rehearsals', async () => {
      const store = await aRunningStore(open, { id: 'cmp_b', leads: 1, settings: EVER });
      await store.createCampaign(aCampaign({ id: 'cmp_s', name: 's', simulated: true }), CREATED);
      await addList(store, 'cmp_s', someLeads(1), { sha256: 'bb22' });
      await store.changeCampaign('cmp_s', { state: 'running' }, ENTRY);
      await claimedOne(store, { campaignId: 'cmp_s' });
      await dialled(store, released(), { campaignId: 'cmp_b' });
      expect(await claimOf(store)).toEqual([aPhone(0)]);
    });

    it('leaves a person whom it has reached itself the result of that call', async () => {
      const { store } = await open();
      const settings = { ...EVER, retry: someRetry() };
      await aRunningCampaign(store, { id: 'cmp_b', leads: 1, settings });
      const { attemptId } = await dialled(store, placed('call_b'), { campaignId: 'cmp_b' });
      const heard = { result: 'voicemail', source: 'service' } as const;
      await store.recordPoll(attemptId, settled('call_b', heard));
      await aRunningCampaign(store, { id: 'cmp_a', leads: 1 });
      await claimedOne(store, { campaignId: 'cmp_a', now: START + HOUR });

      expect(await claimOf(store, START + 2 * DAY)).toEqual([]);

      expect((await exported(store, 'cmp_b'))[0]).toMatchObject({
        ...{ state: 'done', result: 'voicemail', resultSource: 'service' },
        reason: 'called_before: campaign "cmp_a" on 2026-01-05 16:00 UTC (on the line)',
      });
    });

    it('ends a whole list that was called before, a thousand people a claim', async () => {
      const store = await aRunningStore(open, { id: 'cmp_a', leads: someLeads(3) });
      for (let n = 0; n < 3; n++) await claimedOne(store, { campaignId: 'cmp_a' });
      await aRunningCampaign(store, { id: 'cmp_b', leads: 3, settings: EVER });
      const claim = await store.claim(aClaim({ campaignId: 'cmp_b', want: 1 }));
      expect(claim).toMatchObject({ intents: [], shortfall: 'none_waiting' });
    });
  });

  describe('earlier calls', () => {
    it('come with the newest first, in pages or of some numbers, with what the campaign has of their number', async () => {
      const store = await aRunningStore(open, { id: 'cmp_a', leads: 3 });
      for (let n = 0; n < 3; n++) {
        await claimedOne(store, { campaignId: 'cmp_a', now: START + n });
      }
      await aRunningCampaign(store, { id: CAMPAIGN, leads: [aLead(0), aLead(1, { line: 9 })] });
      await store.cancelWaiting(CAMPAIGN, [aPhone(1)], 'left_list');
      const entry = { phone: aPhone(2), at: START, source: 'operator', note: null } as const;
      await store.suppress([{ ...entry, who: 'x', expiresAt: null }]);

      const first = await store.earlierCalls({ ...query, campaignId: CAMPAIGN, limit: 2 });
      const before = first.at(-1)?.attemptId ?? null;
      const rest = await store.earlierCalls({ ...query, campaignId: CAMPAIGN, before });

      const phones = [0, 1, 2, 3].map(aPhone);
      const ofThree = await store.earlierCallsOf({ ...query, campaignId: CAMPAIGN, phones });
      expect(ofThree).toEqual([...first, ...rest].slice(0, 3));

      const from = { campaignId: 'cmp_a', state: 'intent', result: null };
      expect([...first, ...rest]).toMatchObject([
        { ...from, phone: aPhone(2), at: START + 2, lead: null, suppressed: true },
        { ...from, phone: aPhone(1), at: START + 1, lead: 'other', suppressed: false },
        { ...from, phone: aPhone(0), at: START, lead: 'waiting', suppressed: false },
        { campaignId: 'cmp_proof', result: 'answered' },
      ]);
    });
  });

  describe('a list that another campaign has by the same bytes', () => {
    it('is told while that one may call its people, or has called some', async () => {
      const { store } = await open();
      const list = aList({ at: START + 5, path: '/lists/jan.csv' });
      await store.createCampaign(aCampaign({ id: 'cmp_a', name: 'jan' }), CREATED);
      await addList(store, 'cmp_a', someLeads(1), list);
      const jan = { sha256: 'aa11', path: '/lists/jan.csv', at: START + 5, campaign: 'jan' };
      expect(await store.sameLists(others)).toEqual([{ ...jan, waits: true }]);
      expect(await store.sameLists({ ...others, sha256s: ['cc33'] })).toEqual([]);
      expect(await store.sameLists({ ...others, campaignId: 'cmp_a' })).toEqual([]);
      expect(await store.sameLists({ ...others, simulated: true })).toEqual([]);

      await store.changeCampaign('cmp_a', { state: 'cancelled' }, ENTRY);
      expect(await store.sameLists({ ...others, campaignId: null })).toEqual([]);
    });

    it('is told of one that is over, too', async () => {
      const store = await aCallBefore(poll(settled('call_1')));
      const same = await store.sameLists(others);
      expect(same).toContainEqual(expect.objectContaining({ campaign: 'cmp_a', waits: false }));
    });
  });
}
