import { describe, expect, it } from 'vitest';
import type { EndedCall, ExportRow, Snapshot, Store } from '../../../src/store/port.ts';
import { START } from '../../helpers/clock.ts';
import { aLead, aPhone } from '../../helpers/factory.ts';
import {
  aPlacedCall,
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
  settled,
  unknown,
  type OpenStore,
} from './setup.ts';

export function lookingUpRules(open: OpenStore): void {
  describe('findLeads', () => {
    const found = async (store: Store, text: string, limit = 50) =>
      (await store.findLeads(text, limit)).map(({ campaign, phone, by }) => [campaign, phone, by]);

    it('finds a person by number, in every way to write it and over all campaigns', async () => {
      const store = await aRunningStore(open, { leads: 2 });
      await aRunningCampaign(store, { id: 'cmp_other', leads: 1 });

      for (const text of ['+12005550100', '+1 (200) 555-0100', '200 555 0100', '02005550100']) {
        expect((await found(store, text)).toSorted()).toEqual([
          ['cmp_other', '+12005550100', 'number'],
          [CAMPAIGN, '+12005550100', 'number'],
        ]);
      }
      expect(await found(store, '+2005550100')).toEqual([]);
    });

    it('finds people in one campaign alone, whoever matches better in another one', async () => {
      const store = await aRunningStore(open, { leads: [aLead(0, { line: 7, cells: ['Ann'] })] });
      const leads = [aLead(1, { line: 8, cells: ['Ann Ash 7'] })];
      await aRunningCampaign(store, { id: 'cmp_other', leads });
      for (const text of ['ann', '7', aPhone(1)])
        expect(await store.findLeads(text, 1, 'cmp_other')).toMatchObject([{ phone: aPhone(1) }]);
      expect(await store.findLeads(aPhone(0), 1, 'cmp_other')).toEqual([]);
    });

    it('finds a person by call, attempt and external id', async () => {
      const store = await aRunningStore(open);
      const { attemptId, key, phone } = await aPlacedCall(store, 'call_9');

      for (const text of ['call_9', attemptId, key]) {
        expect(await found(store, text)).toEqual([[CAMPAIGN, phone, 'call']]);
      }
    });

    it('finds a person by a whole cell and by the line, before parts of a cell are compared', async () => {
      const { store } = await open();
      const leads = [
        aLead(0, { line: 7, cells: ['Zoë Müller', 'C-17'] }),
        aLead(1, { line: 17, cells: ['Ann "A" Miller', 'C-171'] }),
        aLead(2, { line: 18, cells: ['50%_off\\', 'c-17'] }),
      ];
      await aRunningCampaign(store, { leads });

      expect(await found(store, '17')).toEqual([[CAMPAIGN, aPhone(1), 'line']]);
      expect(await found(store, ' c-17 ')).toEqual([
        [CAMPAIGN, aPhone(0), 'cell'],
        [CAMPAIGN, aPhone(2), 'cell'],
      ]);
      expect(await found(store, 'ZOË mül')).toEqual([[CAMPAIGN, aPhone(0), 'part']]);
      expect(await found(store, '"a" mill')).toEqual([[CAMPAIGN, aPhone(1), 'part']]);
      expect(await found(store, '%_off\\')).toEqual([[CAMPAIGN, aPhone(2), 'part']]);
      expect(await found(store, 'm ll')).toHaveLength(2);
      expect(await found(store, 'm ll', 1)).toHaveLength(1);
      expect(await found(store, '  ')).toEqual([]);
      expect(await found(store, 'nobody')).toEqual([]);
    });
  });

  describe('attemptsOf', () => {
    it('has every attempt of a person, also those that cost them nothing', async () => {
      const store = await aRunningStore(open, { leads: 1 });
      const back = await dialled(store, released('never_sent'));
      const { attemptId, phone } = await aPlacedCall(store);
      await store.recordPoll(attemptId, settled('call_1'));

      expect(await store.attemptsOf(CAMPAIGN, phone)).toMatchObject([
        { attempt: { id: back.attemptId, state: 'released', ordinal: 1 }, analytics: null },
        { attempt: { id: attemptId, state: 'settled', result: 'answered' }, analytics: {} },
      ]);
      expect(await store.attemptsOf('cmp_proof', phone)).toEqual([]);
    });
  });

  describe('finishedCalls', () => {
    const inShort = ({
      phone,
      cells,
      cursor,
      result,
      attempt,
      analytics,
    }: ExportRow): EndedCall => ({
      ...{
        phone,
        cells,
        mapping: null,
        list: 1,
        line: cursor.line,
        result: attempt?.result ?? result,
      },
      sentiment: analytics?.sentiment?.label ?? null,
      durationMs: analytics?.durationMs ?? null,
      endedAt: attempt?.endedAt ?? attempt?.settledAt ?? null,
    });
    const ids = (rows: readonly ExportRow[]) => rows.map(({ attempt }) => attempt?.id);

    it('tells every call once when it comes to an end, and again when it comes to another', async () => {
      const store = await aRunningStore(open, { leads: 6, settings: { concurrency: 20 } });
      const first = await aPlacedCall(store, 'call_1');
      const open1 = await aPlacedCall(store, 'call_2');
      const doubt = await dialled(store, unknown(START - 699_000), { now: START - 700_000 });
      await store.recordPoll(first.attemptId, settled('call_1'));
      const begin = await store.finishedCalls(CAMPAIGN, null, 10);
      expect(ids(begin.calls)).toEqual([first.attemptId]);
      expect(await store.endedCalls(CAMPAIGN, 10)).toEqual(begin.calls.map(inShort));
      expect(await store.endedCalls(CAMPAIGN, 0)).toEqual([]);

      const nothing = await store.finishedCalls(CAMPAIGN, begin.cursor, 10);
      expect(nothing.calls).toEqual([]);

      const refused = await dialled(store, rejected(START + 50_000));
      await dialled(store, released());
      await store.sweep(aSweep());
      await store.recordPoll(open1.attemptId, settled('call_2'));
      const second = await store.finishedCalls(CAMPAIGN, nothing.cursor, 0);
      expect(ids(second.calls).toSorted()).toEqual(
        [open1.attemptId, refused.attemptId, doubt.attemptId].toSorted(),
      );

      const all = await store.endedCalls(CAMPAIGN, 10);
      expect(all).toHaveLength(4);
      expect(all).toEqual(expect.arrayContaining([...begin.calls, ...second.calls].map(inShort)));

      await store.recordDial(doubt.attemptId, placed('call_3'));
      await store.recordPoll(doubt.attemptId, settled('call_3'));
      const third = await store.finishedCalls(CAMPAIGN, second.cursor, 0);
      expect(third.calls).toMatchObject([{ attempt: { id: doubt.attemptId, state: 'settled' } }]);
      expect((await store.finishedCalls(CAMPAIGN, third.cursor, 0)).calls).toEqual([]);
    });

    it('begins with the newest, and with none of another campaign', async () => {
      const store = await aRunningStore(open);
      for (const n of [1, 2, 3]) {
        const { attemptId } = await aPlacedCall(store, `call_${n}`);
        await store.recordPoll(attemptId, settled(`call_${n}`, { at: START + n * 1_000 }));
      }
      const { calls } = await store.finishedCalls(CAMPAIGN, null, 2);
      expect(calls.map(({ attempt }) => attempt?.callId)).toEqual(['call_2', 'call_3']);
      expect(await store.endedCalls(CAMPAIGN, 2)).toEqual(calls.toReversed().map(inShort));
      const others = await store.finishedCalls('cmp_proof', null, 2);
      expect(await store.endedCalls('cmp_proof', 2)).toEqual(others.calls.map(inShort));
    });
  });

  describe('callsByMinute', () => {
    const MINUTE = 60_000;
    const asked = {
      from: START - 6 * 60 * MINUTE,
      now: START + 4 * MINUTE + 1,
      longestMs: 900_000,
    };

    it('counts calls begun in each minute that is over, and slots in use at its end', async () => {
      const store = await aRunningStore(open, { leads: 9, settings: { concurrency: 20 } });
      expect(await store.callsByMinute(CAMPAIGN, asked)).toEqual(null);
      // Began before what is shown, and still holds a slot then.
      const first = await dialled(store, placed('call_1', START - 1), { now: START - MINUTE });
      const second = await dialled(store, placed('call_2', START + 1), { now: START });
      await dialled(store, rejected(START + 10), { now: START + 5 });
      await dialled(store, released(), { now: START + 5 });
      await dialled(store, unknown(START + MINUTE + 9), { now: START + MINUTE });
      await store.recordPoll(
        first.attemptId,
        settled('call_1', { at: START + 20, result: 'busy' }),
      );
      await store.recordPoll(second.attemptId, settled('call_2', { at: START + 2 * MINUTE + 1 }));
      await claimedOne(store, { now: START + 3 * MINUTE });
      // Not over: the page counts this minute itself.
      await claimedOne(store, { now: START + 4 * MINUTE });
      await aRunningCampaign(store, { id: 'cmp_other', leads: 2 });
      await claimedOne(store, { campaignId: 'cmp_other', now: START + MINUTE });

      const all = await store.callsByMinute(CAMPAIGN, asked);
      expect(all).toEqual({
        from: START - MINUTE,
        begun: [1, 1, 1, 0, 1],
        held: [1, 1, 2, 1, 2],
      });
      const later = await store.callsByMinute(CAMPAIGN, { ...asked, from: START + MINUTE + 1 });
      expect(later).toEqual({ from: START + MINUTE, begun: [1, 0, 1], held: [2, 1, 2] });
      expect(await store.callsByMinute(CAMPAIGN, { ...asked, now: START - MINUTE })).toBeNull();
    });

    it('forgets slots of calls whose end nobody heard of once the longest call is over', async () => {
      const store = await aRunningStore(open);
      await dialled(store, placed('call_1'));
      const now = START + 20 * MINUTE;
      const { held = [] } = (await store.callsByMinute(CAMPAIGN, { ...asked, now })) ?? {};
      expect([held[0], held[13], held[15], held.length]).toEqual([1, 1, 0, 20]);
    });
  });

  describe('snapshot', () => {
    const rowsOf = async (snapshot: Snapshot, per: 'lead' | 'attempt', withExported = false) => {
      const rows: ExportRow[] = [];
      const pages = snapshot.pages({ per, detail: 'everything', withExported });
      for await (const page of pages) rows.push(...page);
      return rows;
    };

    it('is one moment, in this store and beside it, and delays nobody', async () => {
      const { store, beside } = await open();
      await aRunningCampaign(store, { leads: 3 });
      const other = await beside();

      await store.snapshot(CAMPAIGN, async (snapshot) => {
        const before = await rowsOf(snapshot, 'lead');
        await aPlacedCall(store);
        await other.cancelLead(CAMPAIGN, aPhone(2), ENTRY);
        await store.changeCampaign(CAMPAIGN, { state: 'cancelled' }, ENTRY);

        expect(await rowsOf(snapshot, 'lead')).toEqual(before);
        expect(await rowsOf(snapshot, 'attempt')).toEqual([]);
        expect(snapshot.campaign.state).toBe('running');
        expect(snapshot.lists).toHaveLength(1);
      });

      await store.snapshot(CAMPAIGN, async (snapshot) => {
        expect(await rowsOf(snapshot, 'attempt')).toHaveLength(1);
        expect(snapshot.campaign.state).toBe('cancelled');
      });
    });

    it('has all rows of several pages, per lead and per attempt', async () => {
      const store = await aRunningStore(open, { leads: 600, settings: { concurrency: 2_000 } });
      await store.claim({
        campaignId: CAMPAIGN,
        want: 600,
        slots: 10_000,
        serviceSlots: null,
        service: 'main',
        fingerprint: 'main-1',
        now: START,
        owner: { host: 'h', boot: 'b', pid: 1 },
      });
      await store.snapshot(CAMPAIGN, async (snapshot) => {
        const phones = (await rowsOf(snapshot, 'lead')).map(({ phone }) => phone);
        expect(phones).toEqual(Array.from({ length: 600 }, (_, n) => aPhone(n)));
        expect((await rowsOf(snapshot, 'attempt')).map(({ phone }) => phone)).toEqual(phones);
      });
    });

    it('tells what a lead was given out as, where that is asked for', async () => {
      const store = await aRunningStore(open, { leads: 2 });
      await store.markExported(CAMPAIGN, [{ phone: aPhone(0), as: 'one' }]);
      await store.markExported(CAMPAIGN, [{ phone: aPhone(0), as: 'two' }]);
      await store.markExported('cmp_proof', [{ phone: aPhone(1), as: 'other campaign' }]);

      await store.snapshot(CAMPAIGN, async (snapshot) => {
        const given = (rows: ExportRow[]) => rows.map(({ exportedAs }) => exportedAs);
        expect(given(await rowsOf(snapshot, 'lead', true))).toEqual(['two', null]);
        expect(given(await rowsOf(snapshot, 'lead'))).toEqual([null, null]);
      });
    });

    it('fails as what uses it fails', async () => {
      const store = await aRunningStore(open);
      const error = new Error('the reader is gone');
      await expect(store.snapshot(CAMPAIGN, () => Promise.reject(error))).rejects.toBe(error);
      await expect(store.snapshot('none', async () => 1)).rejects.toThrow('none');
    });
  });
}
