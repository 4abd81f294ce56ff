import { describe, expect, it } from 'vitest';
import { isSent } from '../../../src/domain/lists/list-mapping.ts';
import type { ExportCursor, ExportRow, Store } from '../../../src/store/port.ts';
import { START } from '../../helpers/clock.ts';
import { aCampaign, CREATED, aLead, aPhone, someAnalytics } from '../../helpers/factory.ts';
import {
  addList,
  aList,
  aPlacedCall,
  aRunningStore,
  CAMPAIGN,
  claimedOne,
  dialled,
  ENTRY,
  exported,
  ME,
  rejected,
  settled,
  someLeads,
  type OpenStore,
} from './setup.ts';

export function leadRules(open: OpenStore): void {
  describe('lists and leads', () => {
    it('are numbered within their campaign and finished with their counts', async () => {
      const { store } = await open();
      await store.createCampaign(aCampaign(), CREATED);

      const first = await store.beginList(CAMPAIGN, aList());
      const second = await store.beginList(CAMPAIGN, aList({ id: 'list_2', sha256: 'bb22' }));
      await store.finishList('list_1', { good: 7, rejected: 2, duplicates: 1 });

      const open_ = { finishedAt: null, good: 0, rejected: 0, duplicates: 0, suppressed: 0 };
      const how = {
        file: null,
        delimiter: null,
        bytes: null,
        encoding: null,
        sheet: null,
        complete: false,
        importer: null,
        input: null,
      };
      const unsaid = { added: [], mapping: null, asOf: null, ...how };
      expect(first).toEqual({ ...aList(), ...unsaid, number: 1, ...open_ });
      expect(second).toMatchObject({ number: 2 });
      const [finished, unfinished] = await store.lists(CAMPAIGN);
      expect(finished).toMatchObject({ good: 7, rejected: 2, duplicates: 1 });
      expect(finished?.finishedAt).not.toBeNull();
      expect(unfinished).toEqual(second);
    });

    it('are only sent to a draft at first, read otherwise, and taken by their import', async () => {
      const { store } = await open();
      await store.createCampaign(aCampaign(), CREATED);
      const input = { columns: {}, encoding: null, delimiter: null, sheet: null, asOf: null };
      const sent = await store.beginList(CAMPAIGN, aList({ headers: [], file: '/u/a.csv', input }));
      expect(isSent(sent)).toBe(true);
      const change = { id: sent.id, sha256: 'cc33', input: { ...input, sheet: 'People' } };
      expect(await store.changeSent(change)).toBe(true);
      const other = aList({ id: 'list_2', sha256: 'bb22', input });
      expect(await store.removeSent((await store.beginList(CAMPAIGN, other)).id)).toBe(true);
      const importer = { ...ME, seenAt: START };
      const begun = aList({ id: 'list_3', sha256: 'cc33', encoding: 'utf-8', importer });

      const taken = await store.beginList(CAMPAIGN, begun);

      const { headers, encoding } = begun;
      expect(taken).toEqual({ ...sent, ...change, headers, encoding, importer });
      expect(await store.lists(CAMPAIGN)).toEqual([taken]);
      expect(isSent(taken)).toBe(false);
      expect(await store.changeSent({ ...change, sha256: 'dd44' })).toBe(false);
      expect(await store.removeSent(sent.id)).toBe(false);
    });

    it('go with a draft that has no people, which is removed', async () => {
      const { store } = await open();
      await store.createCampaign(aCampaign(), CREATED);
      const input = { columns: {}, encoding: null, delimiter: null, sheet: null, asOf: null };
      await store.beginList(CAMPAIGN, aList({ input }));
      await store.changeCampaign(CAMPAIGN, { simulated: true, service: 'simulated' }, ENTRY);
      expect(await store.findCampaign('spring')).toMatchObject({ simulated: true, version: 2 });

      expect(await store.removeDraft(CAMPAIGN)).toBe(true);

      expect(await store.removeDraft(CAMPAIGN)).toBe(false);
      expect([await store.listCampaigns(), await store.lists(CAMPAIGN)]).toEqual([[], []]);
    });

    it('keep a campaign that has people or was started', async () => {
      const { store } = await open();
      await store.createCampaign(aCampaign(), CREATED);
      await addList(store, CAMPAIGN, someLeads(1));
      expect(await store.removeDraft(CAMPAIGN)).toBe(false);
      const other = aCampaign({ id: 'cmp_b', name: 'b' });
      await store.createCampaign(other, CREATED);
      await store.changeCampaign('cmp_b', { state: 'running' }, ENTRY);
      expect(await store.removeDraft('cmp_b')).toBe(false);
      expect(await store.listCampaigns()).toHaveLength(2);
    });

    it('find the list with the same bytes again, whatever it is called now', async () => {
      const { store } = await open();
      await store.createCampaign(aCampaign(), CREATED);
      const first = await store.beginList(CAMPAIGN, aList());

      const again = await store.beginList(CAMPAIGN, aList({ id: 'list_2', path: 'copy.csv' }));

      expect(again).toEqual(first);
      expect(await store.lists(CAMPAIGN)).toEqual([first]);
    });

    it('have a number once per campaign and report the others with the place that has it', async () => {
      const { store } = await open();
      await store.createCampaign(aCampaign(), CREATED);
      await addList(store, CAMPAIGN, [aLead(0), aLead(1)]);
      await store.beginList(CAMPAIGN, aList({ id: 'list_2', sha256: 'bb22', path: 'more.csv' }));

      const added = await store.addLeads('list_2', [
        aLead(1, { line: 2 }),
        aLead(2, { line: 3 }),
        aLead(2, { line: 4 }),
      ]);

      expect(added).toEqual({
        added: 1,
        suppressed: [],
        duplicates: [
          { line: 2, phone: aPhone(1), firstLine: 3, firstList: 'leads.csv' },
          { line: 4, phone: aPhone(2), firstLine: 3, firstList: 'more.csv' },
        ],
        corrected: 0,
        stopped: 0,
      });
      expect(await exported(store)).toHaveLength(3);
    });

    it('are added 1,000 at a time and no more', async () => {
      const { store } = await open();
      await store.createCampaign(aCampaign(), CREATED);
      await store.beginList(CAMPAIGN, aList());

      await expect(store.addLeads('list_1', someLeads(1_001))).rejects.toThrow('1000');
      expect((await store.addLeads('list_1', someLeads(1_000))).added).toBe(1_000);
    });

    it('are told by their numbers as long as they wait, page by page', async () => {
      const store = await aRunningStore(open, { leads: 4 });
      const calling = await claimedOne(store);

      expect(calling.phone).toBe(aPhone(0));
      expect(await store.waitingPhones(CAMPAIGN, null, 2)).toEqual([aPhone(1), aPhone(2)]);
      expect(await store.waitingPhones(CAMPAIGN, aPhone(2), 2)).toEqual([aPhone(3)]);
    });

    it('are cancelled with a reason as long as they wait', async () => {
      const store = await aRunningStore(open, { leads: 3 });
      await claimedOne(store);
      const phones = [aPhone(0), aPhone(1), aPhone(9)];

      expect(await store.cancelWaiting(CAMPAIGN, phones, 'left_list')).toBe(1);
      expect((await exported(store)).map(({ result, reason }) => [result, reason])).toEqual([
        [null, null],
        ['cancelled', 'left_list'],
        [null, null],
      ]);
    });

    it('come with the list that says which column holds what, and of which day it is', async () => {
      const { store } = await open();
      await store.createCampaign(aCampaign(), CREATED);
      const mapping = { phones: [1, 2], fields: { name: 0 }, doNotCall: [] };

      await store.beginList(CAMPAIGN, aList({ mapping, asOf: START }));

      expect(await store.lists(CAMPAIGN)).toMatchObject([{ mapping, asOf: START, suppressed: 0 }]);
    });
  });

  describe('cancelLead', () => {
    it('withdraws a waiting person for good and notes who did it', async () => {
      const store = await aRunningStore(open, { leads: 1 });
      const entry = { at: START, who: 'ann', what: 'lead.cancelled', detail: { line: 2 } };

      expect(await store.cancelLead(CAMPAIGN, aPhone(0), entry)).toBe('cancelled');
      expect(await store.cancelLead(CAMPAIGN, aPhone(0), ENTRY)).toBe('done');

      const [row] = await exported(store);
      expect(row).toMatchObject({ state: 'done', result: 'cancelled', resultSource: 'callsheet' });
      expect((await store.history(CAMPAIGN)).at(-1)).toEqual(entry);
    });

    it('leaves alone whom it does not find, who is being called, and who is done', async () => {
      const store = await aRunningStore(open, { leads: 2 });
      const calling = await aPlacedCall(store);
      const done = await dialled(store, rejected());
      const before = await exported(store);

      expect(await store.cancelLead(CAMPAIGN, aPhone(99), ENTRY)).toBe('not_found');
      expect(await store.cancelLead(CAMPAIGN, calling.phone, ENTRY)).toBe('calling');
      expect(await store.cancelLead(CAMPAIGN, done.phone, ENTRY)).toBe('done_in_doubt');
      expect(await exported(store)).toEqual(before);
    });
  });

  describe('exportPage', () => {
    it.each([1, 7])('gives every lead once, in list order, %i a page', async (limit) => {
      const { store } = await open();
      await store.createCampaign(aCampaign(), CREATED);
      const second = { id: 'list_2', sha256: 'bb22', path: 'second.csv' };
      await addList(store, CAMPAIGN, someLeads(6).reverse());
      await addList(store, CAMPAIGN, someLeads(4, 6), second);

      const rows = await allPages(store, limit);

      expect(rows.map(({ listPath, cursor }) => [listPath, cursor.line])).toEqual([
        ...[2, 3, 4, 5, 6, 7].map((line) => ['leads.csv', line]),
        ...[2, 3, 4, 5].map((line) => ['second.csv', line]),
      ]);
      expect(new Set(rows.map(({ phone }) => phone)).size).toBe(10);
    });

    it('leaves out what no table shows when asked for columns only', async () => {
      const store = await aRunningStore(open, { leads: 2 });
      const { attemptId } = await aPlacedCall(store);
      await store.recordPoll(attemptId, settled('call_1'));

      const [called, waiting] = await store.exportPage(CAMPAIGN, null, 9, 'columns');

      const [full, other] = await store.exportPage(CAMPAIGN, null, 9, 'everything');
      expect(full?.analytics).toEqual(someAnalytics());
      expect(called).toEqual({ ...full, analytics: { ...someAnalytics(), turns: [], raw: null } });
      expect(waiting).toEqual(other);
      expect(await exported(store)).toEqual([full, other]);
    });

    it('gives a lead that was never called with its cells and nothing else', async () => {
      const store = await aRunningStore(open, {
        leads: [aLead(0, { cells: ['Ann "A", B', '', 'é\n'] })],
      });

      expect(await exported(store)).toEqual([
        {
          cursor: { list: 1, line: 2 },
          phone: aPhone(0),
          cells: ['Ann "A", B', '', 'é\n'],
          zoneKey: '',
          listPath: 'leads.csv',
          state: 'waiting',
          result: null,
          resultSource: null,
          reason: null,
          attempts: 0,
          firstAttemptAt: null,
          lastAttemptAt: null,
          lastChangeAt: null,
          notBefore: 0,
          callbackAt: null,
          attempt: null,
          analytics: null,
          capturedLeads: [],
          exportedAs: null,
        },
      ]);
    });
  });
}

async function allPages(store: Store, limit: number): Promise<ExportRow[]> {
  const rows: ExportRow[] = [];
  for (let after: ExportCursor | null = null; ;) {
    const page = await store.exportPage(CAMPAIGN, after, limit);
    expect(page.length).toBeLessThanOrEqual(limit);
    const last = page.at(-1);
    if (last === undefined) return rows;
    rows.push(...page);
    after = last.cursor;
  }
}
