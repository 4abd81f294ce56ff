import { describe, expect, it } from 'vitest';
import type { Store } from '../../../src/store/port.ts';
import { START } from '../../helpers/clock.ts';
import { aCampaign, aLead, aPhone, CREATED } from '../../helpers/factory.ts';
import { aCall, someRetry } from './retries.ts';
import {
  aClaim,
  addList,
  aList,
  aRunningCampaign,
  aRunningStore,
  CAMPAIGN,
  claimedOne,
  dialled,
  ENTRY,
  exported,
  ME,
  placed,
  released,
  someLeads,
  type OpenStore,
} from './setup.ts';

const ALL = [0, 1, 2].map((n) => aPhone(n));

async function stateOf(store: Store, phone: string, campaign = CAMPAIGN) {
  const row = (await exported(store, campaign)).find((one) => one.phone === phone);
  return [row?.state, row?.result, row?.reason];
}

/** A call of another campaign to the first of its people. */
async function calledBy(store: Store, id: string, as = placed(`call_${id}`)): Promise<void> {
  await aRunningCampaign(store, { id, leads: 3 });
  await dialled(store, as, { campaignId: id });
}

export function withdrawalRules(open: OpenStore): void {
  describe('waitAgain', () => {
    it('lets those wait who left their list, and nobody else', async () => {
      const store = await aRunningStore(open, { leads: 3 });
      await store.cancelWaiting(CAMPAIGN, [aPhone(0)], 'left_list');
      await store.cancelWaiting(CAMPAIGN, [aPhone(1)], 'another reason');
      expect(await store.leftPhones(CAMPAIGN, null, 9)).toEqual([aPhone(0)]);

      expect(await store.waitAgain(CAMPAIGN, [...ALL, aPhone(9)], START)).toBe(1);

      expect(await stateOf(store, aPhone(0))).toEqual(['waiting', null, null]);
      expect(await stateOf(store, aPhone(1))).toEqual(['done', 'cancelled', 'another reason']);
      expect(await store.leftPhones(CAMPAIGN, null, 9)).toEqual([]);
      expect((await store.claim(aClaim({ want: 9 }))).intents).toHaveLength(2);
    });

    it('tells them page by page, in the order of their numbers', async () => {
      const store = await aRunningStore(open, { leads: 3 });
      await store.cancelWaiting(CAMPAIGN, ALL, 'left_list');
      expect(await store.leftPhones(CAMPAIGN, null, 2)).toEqual(ALL.slice(0, 2));
      expect(await store.leftPhones(CAMPAIGN, aPhone(1), 2)).toEqual(ALL.slice(2));
    });

    it('leaves out who is suppressed; a call that was given back is none', async () => {
      const store = await aRunningStore(open, { leads: 3 });
      await dialled(store, released());
      await store.cancelWaiting(CAMPAIGN, ALL, 'left_list');
      const by = { at: START, source: 'operator', note: null, who: 'x', expiresAt: null } as const;
      await store.suppress([{ ...by, phone: aPhone(1) }]);

      expect(await store.waitAgain(CAMPAIGN, ALL, START)).toBe(2);
      expect(await stateOf(store, aPhone(1))).toEqual(['done', 'cancelled', 'left_list']);
    });

    it.each([
      [
        'a list has stopped',
        (store: Store) =>
          store.stopLeads(CAMPAIGN, 'two', [{ phone: aPhone(0), why: 'consent is empty now' }]),
      ],
      [
        'the operator has withdrawn',
        (store: Store) => store.cancelLead(CAMPAIGN, aPhone(0), ENTRY),
      ],
    ])('leaves out whom %s since they left', async (_, take) => {
      const store = await aRunningStore(open, { leads: 2 });
      await store.cancelWaiting(CAMPAIGN, ALL.slice(0, 2), 'left_list');
      await take(store);
      expect(await store.leftPhones(CAMPAIGN, null, 9)).toEqual([aPhone(1)]);

      expect(await store.waitAgain(CAMPAIGN, ALL.slice(0, 2), START)).toBe(1);

      const { intents } = await store.claim(aClaim({ want: 9 }));
      expect(intents.map(({ phone }) => phone)).toEqual([aPhone(1)]);
    });

    it('takes at most 1,000 at once', async () => {
      const { store } = await open();
      const many = Array.from({ length: 1_001 }, (_, n) => aPhone(n));
      await expect(store.waitAgain(CAMPAIGN, many, START)).rejects.toThrow('1000');
    });
  });

  describe('undoCancel', () => {
    const cancelled = async (store: Store) => {
      await aRunningCampaign(store, { leads: 3 });
      await store.changeCampaign(CAMPAIGN, { state: 'cancelled' }, ENTRY);
    };

    it('pauses a cancelled campaign, with its line in the history', async () => {
      const { store } = await open();
      await cancelled(store);

      expect(await store.undoCancel(CAMPAIGN, ENTRY)).toEqual({ kind: 'undone' });

      const now = await store.findCampaign(CAMPAIGN);
      expect(now).toMatchObject({ state: 'paused', pauseReason: 'operator' });
      expect((await store.history(CAMPAIGN)).at(-1)).toEqual(ENTRY);
      expect((await store.claim(aClaim())).shortfall).toBe('not_running');
      expect(await store.undoCancel(CAMPAIGN, ENTRY)).toEqual({ kind: 'not_cancelled' });
    });

    it('refuses where somebody who waits in it was called since, whatever the clock says', async () => {
      const { store } = await open();
      await cancelled(store);
      await calledBy(store, 'cmp_b');
      await aRunningCampaign(store, { id: 'cmp_c', leads: 3 });
      await claimedOne(store, { campaignId: 'cmp_c', now: START - 86_400_000 });

      expect(await store.undoCancel(CAMPAIGN, ENTRY)).toEqual({
        kind: 'called',
        people: 1,
        since: [{ phone: aPhone(0), campaign: 'cmp_c', at: START - 86_400_000 }],
      });
      expect(await store.findCampaign(CAMPAIGN)).toMatchObject({ state: 'cancelled' });
    });

    it('counts neither calls before, nor those that were given back, nor other people', async () => {
      const { store } = await open();
      await calledBy(store, 'cmp_before');
      await cancelled(store);
      await calledBy(store, 'cmp_b', released());
      await aRunningCampaign(store, { id: 'cmp_c', leads: someLeads(1, 50) });
      await claimedOne(store, { campaignId: 'cmp_c' });

      expect(await store.undoCancel(CAMPAIGN, ENTRY)).toMatchObject({ kind: 'undone' });
    });
  });

  describe('undoCancelLead', () => {
    const undo = (store: Store, phone = aPhone(0)) => store.undoCancelLead(CAMPAIGN, phone, ENTRY);

    it('calls nobody whom a list has stopped meanwhile', async () => {
      const store = await aRunningStore(open, { leads: 1 });
      await store.cancelLead(CAMPAIGN, aPhone(0), ENTRY);
      await store.stopLeads(CAMPAIGN, 'two', [{ phone: aPhone(0), why: 'consent is empty now' }]);

      expect(await undo(store)).toMatchObject({ kind: 'undone', why: 'consent is empty now' });

      expect((await store.claim(aClaim({ want: 9 }))).intents).toEqual([]);
    });

    it('lets a withdrawn person wait again, with its line in the history', async () => {
      const store = await aRunningStore(open, { leads: 1 });
      await store.cancelLead(CAMPAIGN, aPhone(0), ENTRY);

      expect(await undo(store)).toMatchObject({ kind: 'undone', state: 'waiting' });

      expect(await stateOf(store, aPhone(0))).toEqual(['waiting', null, null]);
      expect(await store.history(CAMPAIGN)).toHaveLength(4);
      expect(await undo(store)).toEqual({ kind: 'not_cancelled' });
      expect(await undo(store, aPhone(9))).toEqual({ kind: 'not_found' });
    });

    it('refuses who was called since, who is suppressed, and who left the list', async () => {
      const store = await aRunningStore(open, { leads: 3 });
      for (const phone of ALL.slice(0, 2)) await store.cancelLead(CAMPAIGN, phone, ENTRY);
      await store.cancelWaiting(CAMPAIGN, [aPhone(2)], 'left_list');
      await calledBy(store, 'cmp_b');
      const by = { at: START, source: 'operator', note: null, who: 'x', expiresAt: null } as const;
      await store.suppress([{ ...by, phone: aPhone(1) }]);

      expect(await undo(store)).toMatchObject({ kind: 'called', since: { campaign: 'cmp_b' } });
      expect(await undo(store, aPhone(1))).toEqual({ kind: 'suppressed' });
      expect(await undo(store, aPhone(2))).toEqual({ kind: 'not_cancelled' });
    });
  });

  it('an undo asks the same of a person who was withdrawn in a call: who was called elsewhere since stays out', async () => {
    const store = await aRunningStore(open, { leads: 1 });
    await claimedOne(store);
    expect(await store.cancelLead(CAMPAIGN, aPhone(0), ENTRY)).toBe('calling');
    await calledBy(store, 'cmp_b');
    // Once more changes nothing of when it was first.
    expect(await store.cancelLead(CAMPAIGN, aPhone(0), ENTRY)).toBe('calling');

    const undone = await store.undoCancelLead(CAMPAIGN, aPhone(0), ENTRY);

    expect(undone).toMatchObject({ kind: 'called', since: { campaign: 'cmp_b' } });
  });

  describe.each([
    ['of one person', 'one'],
    ['of a campaign', 'all'],
  ] as const)('an undo %s', (_, which) => {
    const further = { phone: aPhone(50), zoneKey: '' };
    const leads = [aLead(0, { alternatives: [further] })];

    async function taken(store: Store): Promise<void> {
      await aRunningCampaign(store, { leads, settings: { retry: someRetry({ alternatives: 1 }) } });
      await aCall(store, 'no_answer');
      if (which === 'one') await store.cancelLead(CAMPAIGN, aPhone(0), ENTRY);
      else await store.changeCampaign(CAMPAIGN, { state: 'cancelled' }, ENTRY);
    }

    const undo = (store: Store) =>
      which === 'one'
        ? store.undoCancelLead(CAMPAIGN, aPhone(0), ENTRY)
        : store.undoCancel(CAMPAIGN, ENTRY);

    it.each([
      ['their own number', someLeads(1, 0), aPhone(0)],
      ['their next number', someLeads(1, 50), aPhone(50)],
      [
        'another number of theirs',
        [aLead(0, { alternatives: [{ ...further, phone: aPhone(60) }] })],
        aPhone(60),
      ],
    ])('is refused where another campaign has called %s since', async (_name, theirs, dialled) => {
      const { store } = await open();
      await taken(store);
      await aRunningCampaign(store, { id: 'cmp_b', leads: theirs });
      const first = await claimedOne(store, { campaignId: 'cmp_b', now: START + 9 });
      if (first.phone !== dialled) {
        const answer = { at: START + 9, detail: 'no such number', invalidNumber: true } as const;
        await store.recordDial(first.attemptId, { kind: 'rejected', ...answer });
        await claimedOne(store, { campaignId: 'cmp_b', now: START + 10 });
      }

      const called = { phone: dialled, campaign: 'cmp_b' };
      const since = which === 'one' ? called : [called];
      expect(await undo(store)).toMatchObject({ kind: 'called', since });
    });

    it('does not count a rehearsal', async () => {
      const { store } = await open();
      await taken(store);
      await store.createCampaign(aCampaign({ id: 'cmp_b', name: 'b', simulated: true }), CREATED);
      await addList(store, 'cmp_b', someLeads(1, 0));
      await store.changeCampaign('cmp_b', { state: 'running' }, ENTRY);
      await claimedOne(store, { campaignId: 'cmp_b', now: START + 9 });

      expect(await undo(store)).toMatchObject({ kind: 'undone' });
    });
  });

  it('a change of the retries leaves alone who has ended: the reason stays, and so does the way back', async () => {
    const { store } = await open();
    const { settings } = await aRunningCampaign(store, {
      leads: 4,
      settings: { retry: someRetry() },
    });
    for (const n of [0, 1, 2, 3]) await aCall(store, 'no_answer', { now: START + n });
    await store.cancelLead(CAMPAIGN, aPhone(0), ENTRY);
    await store.cancelWaiting(CAMPAIGN, [aPhone(1)], 'left_list');
    const stop = { at: START, source: 'operator', note: 'by mail', who: 'operator' } as const;
    await store.suppress([{ phone: aPhone(2), expiresAt: null, ...stop }]);
    const before = await Promise.all(ALL.map((phone) => stateOf(store, phone)));

    const retry = someRetry({ attempts: 4, gapMs: 1 });
    await store.changeCampaign(CAMPAIGN, { settings: { ...settings, retry } }, ENTRY);
    await store.claim(aClaim({ now: START + 600_000 }));

    expect(await Promise.all(ALL.map((phone) => stateOf(store, phone)))).toEqual(before);
    expect(await stateOf(store, aPhone(3))).toMatchObject(['waiting', null, /no_answer/]);
    expect(await store.undoCancelLead(CAMPAIGN, aPhone(0), ENTRY)).toMatchObject({
      state: 'waiting',
    });
    expect(await store.leftPhones(CAMPAIGN, null, 9)).toEqual([aPhone(1)]);
  });

  describe('a list that is complete', () => {
    it('is open again until its end comes once more, and tells who imports it, with which lists', async () => {
      const store = await aRunningStore(open, { leads: 1 });
      const [list] = await store.lists(CAMPAIGN);
      const importer = { ...ME, seenAt: START, with: ['south.csv'] };

      const begun = await store.beginList(CAMPAIGN, {
        ...aList({ sha256: list?.sha256 ?? '' }),
        complete: true,
        importer,
      });

      expect(begun).toMatchObject({ id: list?.id, finishedAt: null, complete: true, importer });
      expect((await store.claim(aClaim())).shortfall).toBe('list_unfinished');
      await store.importSeen(begun.id, ME, START + 9);
      expect(await store.lists(CAMPAIGN)).toMatchObject([
        { importer: { seenAt: START + 9, with: ['south.csv'] } },
      ]);
      await store.finishList(begun.id, { good: 1, rejected: 0, duplicates: 0 });
      await store.importSeen(begun.id, ME, START + 10);
      expect(await store.lists(CAMPAIGN)).toMatchObject([{ importer: null, complete: true }]);
      expect((await store.claim(aClaim())).intents).toHaveLength(1);
    });
  });
}
