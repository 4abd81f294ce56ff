import { describe, expect, it } from 'vitest';
import type { E164 } from '../../../src/domain/phone.ts';
import type { NewSuppression, Store } from '../../../src/store/port.ts';
import type { SuppressionQuery } from '../../../src/store/suppression.ts';
import { START } from '../../helpers/clock.ts';
import { aCampaign, aLead, aPhone, CREATED } from '../../helpers/factory.ts';
import {
  aClaim,
  aList,
  aPlacedCall,
  aRunningCampaign,
  aRunningStore,
  CAMPAIGN,
  claimedOne,
  exported,
  released,
  settled,
  type OpenStore,
} from './setup.ts';

const DAY = 86_400_000;

function anEntry(phone: E164, overrides: Partial<NewSuppression> = {}): NewSuppression {
  const usual = { at: START, source: 'operator', note: null, who: 'operator' } as const;
  return { phone, ...usual, expiresAt: null, ...overrides };
}

export function suppressionRules(open: OpenStore): void {
  describe('the files on the suppression list', () => {
    it('are told with the day for which each was true, the newest day first', async () => {
      const { store } = await open();
      expect(await store.suppressionFiles()).toEqual([]);
      const usual = { at: START, who: 'operator', registry: null, areas: null };
      const files = [
        { ...usual, path: 'new.txt', asOf: START },
        { ...usual, path: '212.txt', asOf: START - DAY, registry: 'us-national', areas: ['212'] },
        { ...usual, path: 'old.txt', asOf: START - 9 * DAY, registry: 'uk-tps' },
      ];
      for (const file of files.toReversed()) await store.addSuppressionFile(file);
      expect(await store.suppressionFiles()).toEqual(files);
    });
  });

  describe('a suppressed number', () => {
    it('ends the leads that wait with it, in every campaign, and is never claimed', async () => {
      const store = await aRunningStore(open, { leads: 2 });
      await aRunningCampaign(store, { id: 'cmp_b', leads: 1 });

      const answer = await store.suppress([anEntry(aPhone(0), { note: 'by mail' })]);

      expect(answer).toEqual({ added: 1, known: 0, leads: 2 });
      const { intents } = await store.claim(aClaim({ want: 5 }));
      expect(intents.map(({ phone }) => phone)).toEqual([aPhone(1)]);
      for (const id of [CAMPAIGN, 'cmp_b']) {
        expect((await exported(store, id))[0]).toMatchObject({
          state: 'done',
          result: 'suppressed',
          resultSource: 'callsheet',
          reason: 'on the suppression list (by the operator on 2026-01-05: by mail)',
        });
      }
    });

    it('is refused by the claim itself where a lead came to wait again after it', async () => {
      const { store, beside } = await open();
      await aRunningCampaign(store, { leads: 3 });
      const calling = await claimedOne(store);
      await (await beside()).suppress([anEntry(calling.phone)]);
      await store.recordDial(calling.attemptId, released());

      const { intents } = await store.claim(aClaim({ want: 5, now: START + DAY }));

      expect(intents.map(({ phone }) => phone)).toEqual([aPhone(1), aPhone(2)]);
      expect((await exported(store))[0]).toMatchObject({ state: 'done', result: 'suppressed' });
    });

    it('comes in as a lead that has ended, and so does one whose row says so', async () => {
      const { store } = await open();
      await store.createCampaign(aCampaign(), CREATED);
      await store.suppress([anEntry(aPhone(1))]);
      await store.beginList(CAMPAIGN, aList());
      const asked = { note: 'leads.csv line 3', phones: [aPhone(2), aPhone(7)] };

      const added = await store.addLeads('list_1', [
        aLead(0, { line: 2 }),
        aLead(1, { line: 3 }),
        { ...aLead(2, { line: 4 }), doNotCall: asked },
      ]);

      expect(added).toMatchObject({ added: 1, duplicates: [] });
      expect(added.suppressed).toMatchObject([
        { line: 3, phone: aPhone(1), why: 'by the operator on 2026-01-05' },
        { line: 4, phone: aPhone(2) },
      ]);
      expect((await exported(store)).map(({ result }) => result)).toEqual([
        null,
        'suppressed',
        'suppressed',
      ]);
      const held = await store.suppressions({ now: START, after: null, limit: 10 });
      expect(held.map(({ phone, source }) => [phone, source])).toEqual([
        [aPhone(1), 'operator'],
        [aPhone(2), 'list'],
        [aPhone(7), 'list'],
      ]);
    });

    it('may be called again after its time, and no entry that lasts longer is shortened', async () => {
      const { store } = await open();
      const until = (days: number) => ({ expiresAt: START + days * DAY });
      await store.suppress([anEntry(aPhone(0), until(1)), anEntry(aPhone(1))]);
      const again = await store.suppress([
        anEntry(aPhone(0), until(3)),
        anEntry(aPhone(1), until(1)),
      ]);

      expect(again).toEqual({ added: 1, known: 1, leads: 0 });
      const suppressedAfter = async (days: number) => {
        const now = START + days * DAY;
        const facts = await store.lookUpPhones({ campaignId: null, phones: PHONES, now });
        return facts.map(({ suppressed }) => suppressed !== null);
      };
      const PHONES = [aPhone(0), aPhone(1)];
      expect(await suppressedAfter(2)).toEqual([true, true]);
      expect(await suppressedAfter(3)).toEqual([false, true]);
    });

    it('may be called again once it is lifted; that is told once', async () => {
      const { store } = await open();
      await store.suppress([anEntry(aPhone(0)), anEntry(aPhone(0), { expiresAt: START + DAY })]);
      const lift = { phone: aPhone(0), at: START + 1, who: 'operator', note: 'consent' };

      expect([await store.unsuppress(lift), await store.unsuppress(lift)]).toEqual([true, false]);
      expect(await store.suppressions({ now: START + 2, after: null, limit: 10 })).toEqual([]);
      await aRunningCampaign(store, { leads: 1 });
      expect((await claimedOne(store)).phone).toBe(aPhone(0));
      expect(await store.suppress([anEntry(aPhone(0), { at: START + 3 })])).toMatchObject({
        added: 1,
      });
    });

    it.each(['service', 'derived'] as const)(
      'is one who has opted out in a call, also where that was found out otherwise: by %s',
      async (source) => {
        const store = await aRunningStore(open, { leads: 1 });
        const { attemptId } = await aPlacedCall(store, 'call_0');
        await store.recordPoll(attemptId, settled('call_0', { result: 'opted_out', source }));
        await aRunningCampaign(store, { id: 'cmp_other', leads: 1 });

        const { intents } = await store.claim(
          aClaim({ campaignId: 'cmp_other', now: START + DAY }),
        );

        expect(intents).toEqual([]);
        const held = await store.suppressions({ now: START + DAY, after: null, limit: 10 });
        expect(held).toMatchObject([
          { phone: aPhone(0), source: 'service', who: 'callsheet', note: `campaign ${CAMPAIGN}` },
        ]);
      },
    );

    it('is listed by number, page by page', async () => {
      const { store } = await open();
      await store.suppress([3, 1, 2].map((n) => anEntry(aPhone(n))));
      const first = await store.suppressions({ now: START, after: null, limit: 2 });
      const rest = await store.suppressions({ now: START, after: aPhone(2), limit: 2 });
      expect([...first, ...rest].map(({ phone }) => phone)).toEqual([1, 2, 3].map(aPhone));
    });
  });

  describe('suppressionPage', () => {
    const look = async (store: Store, query: Partial<SuppressionQuery> = {}) => {
      const page = await store.suppressionPage({
        now: START,
        before: null,
        text: null,
        limit: 10,
        ...query,
      });
      return page.map(({ phone }) => phone);
    };

    it('is counted for each list, with those that stay when the list goes', async () => {
      const { store } = await open();
      const of = (list: string, n: number, more: Partial<NewSuppression> = {}) =>
        anEntry(aPhone(n), { source: 'list', list, ...more });
      await store.suppress([of('a', 0), of('a', 1), of('a', 2), of('b', 1), of('c', 3)]);
      await store.suppress([anEntry(aPhone(2)), of('b', 0, { expiresAt: START + DAY })]);
      await store.unsuppress({ phone: aPhone(3), at: START, note: null, who: 'operator' });
      await store.suppress([of('b', 3)]);
      expect(await store.suppressingLists(START)).toEqual([
        { list: 'a', numbers: 3, staying: 3 },
        { list: 'b', numbers: 3, staying: 2 },
      ]);
      expect(await store.suppressingLists(START + DAY)).toEqual([
        { list: 'a', numbers: 3, staying: 2 },
        { list: 'b', numbers: 2, staying: 1 },
      ]);
    });

    it('lists the newest first, page by page, each number once', async () => {
      const { store } = await open();
      await store.suppress([{ ...anEntry(aPhone(9)), expiresAt: START + 5 }]);
      await store.suppress([1, 2, 9, 3].map((n) => anEntry(aPhone(n))));
      const first = await store.suppressionPage({ now: START, before: null, text: null, limit: 2 });
      expect(first).toMatchObject([{ phone: aPhone(3) }, { phone: aPhone(9), expiresAt: null }]);
      const before = first.at(-1)?.seq ?? null;
      expect(await look(store, { before })).toEqual([2, 1].map(aPhone));
    });

    it('lists a number once however many entries it has, where the longest of them is', async () => {
      const { store } = await open();
      const until = (n: number, list: string) => {
        const source = 'list' as const;
        return { ...anEntry(aPhone(2)), source, list, expiresAt: START + n };
      };
      await store.suppress([anEntry(aPhone(1)), until(5_000, 'a.csv')]);
      // What another list says is kept although it lasts less long.
      await store.suppress(Array.from({ length: 300 }, (_, n) => until(n + 1, 'b.csv')));
      await store.suppress([anEntry(aPhone(3))]);
      expect(await look(store)).toEqual([3, 2, 1].map(aPhone));
      expect(await look(store, { limit: 2 })).toEqual([3, 2].map(aPhone));
      expect(await look(store, { now: START + 5_000 })).toEqual([3, 1].map(aPhone));
      const [, second] = await store.suppressionPage({
        ...{ now: START, before: null, text: null, limit: 2 },
      });
      expect(second).toMatchObject({ seq: 2, expiresAt: START + 5_000 });
      expect(await store.suppressionHistory(aPhone(2))).toHaveLength(301);
      expect(await look(store, { before: 2 })).toEqual([aPhone(1)]);
    });

    it('leaves out what was lifted or has expired', async () => {
      const { store } = await open();
      await store.suppress([
        anEntry(aPhone(1)),
        { ...anEntry(aPhone(2)), expiresAt: START + 5 },
        anEntry(aPhone(3)),
      ]);
      await store.unsuppress({ phone: aPhone(1), at: START, who: 'ann', note: null });
      expect(await look(store)).toEqual([3, 2].map(aPhone));
      expect(await look(store, { now: START + 5 })).toEqual([aPhone(3)]);
    });

    it('finds by a part of the number, however it is written, and of the note', async () => {
      const { store } = await open();
      const note = (text: string | null) => ({ ...anEntry('+12125550123' as E164), note: text });
      await store.suppress([
        note('Asked by Mail 7'),
        { ...note(null), phone: '+13125550166' as E164 },
      ]);
      expect(await look(store, { text: '(212) 555-01' })).toEqual(['+12125550123']);
      expect(await look(store, { text: 'MAIL' })).toEqual(['+12125550123']);
      expect(await look(store, { text: '7' })).toEqual(['+12125550123']);
      expect(await look(store, { text: '50166' })).toEqual(['+13125550166']);
      expect(await look(store, { text: '%' })).toEqual([]);
    });
  });

  describe('lookUpPhones', () => {
    it('knows who is in the campaign, and who in another that is not over', async () => {
      const store = await aRunningStore(open, { leads: 1 });
      await aRunningCampaign(store, { id: 'cmp_b', leads: 2 });
      const phones = [aPhone(0), aPhone(1), aPhone(2)];
      const facts = () => store.lookUpPhones({ campaignId: CAMPAIGN, phones, now: START });
      const inB = (line: number) => ({ campaign: 'cmp_b', line, list: 'leads.csv' });

      expect(await facts()).toEqual([
        {
          suppressed: null,
          known: { line: 2, list: 'leads.csv', sha256: 'aa11' },
          elsewhere: inB(2),
        },
        { suppressed: null, known: null, elsewhere: inB(3) },
        { suppressed: null, known: null, elsewhere: null },
      ]);
      const entry = { at: START, who: 'operator', what: 'campaign.cancelled', detail: {} };
      await store.changeCampaign('cmp_b', { state: 'cancelled' }, entry);
      expect((await facts())[1]?.elsewhere).toBeNull();
    });
  });
}
