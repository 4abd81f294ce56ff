import { describe, expect, it } from 'vitest';
import { START } from '../../helpers/clock.ts';
import { aCampaign, aLead, aPhone, CREATED } from '../../helpers/factory.ts';
import {
  addList,
  aRunningCampaign,
  aRunningStore,
  CAMPAIGN,
  claimed,
  dialled,
  ENTRY,
  exported,
  rejected,
  released,
  someLeads,
  type OpenStore,
} from './setup.ts';

const NEW_YORK = 'America/New_York;US-NY';
const TOKYO = 'Asia/Tokyo;JP';
const mapping = { phones: [1], fields: { state: 0 }, doNotCall: [] };

/** Where people are, for leads that were stored without it. */
export function placeRules(open: OpenStore): void {
  describe('places of leads', () => {
    it('that are not worked out are found with their cells and what the columns hold', async () => {
      const { store } = await open();
      await store.createCampaign(aCampaign(), CREATED);
      const told = aLead(1, { line: 3, zoneKey: NEW_YORK });
      await addList(store, CAMPAIGN, [aLead(0, { line: 2 }), told], { mapping });
      const other = { id: 'list_2', sha256: 'bb22' };
      await addList(store, CAMPAIGN, [aLead(2, { line: 2 })], other);

      const { cells } = aLead(0);
      expect(await store.leadsWithoutPlace(CAMPAIGN, 9)).toEqual([
        { phone: aPhone(0), cells, mapping },
        { phone: aPhone(2), cells: aLead(2).cells, mapping: null },
      ]);
      expect(await store.leadsWithoutPlace(CAMPAIGN, 1)).toHaveLength(1);
      expect(await store.leadsWithoutPlace('cmp_other', 9)).toEqual([]);
    });

    it('are kept, and are not worked out again', async () => {
      const store = await aRunningStore(open, { leads: 2 });

      await store.keepPlaces(CAMPAIGN, [
        { phone: aPhone(0), zoneKey: NEW_YORK, disagree: true },
        { phone: aPhone(9), zoneKey: NEW_YORK, disagree: false },
      ]);
      await store.keepPlaces(CAMPAIGN, [{ phone: aPhone(0), zoneKey: ';', disagree: false }]);

      expect((await store.leadsWithoutPlace(CAMPAIGN, 9)).map(({ phone }) => phone)).toEqual([
        aPhone(1),
      ]);
      const [first, second] = await store.exportPage(CAMPAIGN, null, 9);
      expect([first?.zoneKey, second?.zoneKey]).toEqual([NEW_YORK, '']);
    });

    it('are worked out for waiting leads only, at most 1,000 at once', async () => {
      const store = await aRunningStore(open, { leads: 1 });
      await claimed(store, 1);

      expect(await store.leadsWithoutPlace(CAMPAIGN, 9)).toEqual([]);
      const many = someLeads(1_001).map(({ phone }) => ({ phone, zoneKey: ';', disagree: false }));
      await expect(store.keepPlaces(CAMPAIGN, many)).rejects.toThrow('1000');
    });

    it('count who waits there, whatever has happened to them', async () => {
      const { store } = await open();
      const by = { at: START, source: 'operator', note: null, who: 'me', expiresAt: null } as const;
      await store.suppress([{ ...by, phone: aPhone(0) }]);
      const leads = Array.from({ length: 9 }, (_, i) => aLead(i, { line: i + 2, zoneKey: TOKYO }));
      await aRunningCampaign(store, { leads });
      await store.keepPlaces(
        CAMPAIGN,
        [3, 4, 5].map((n) => ({ phone: aPhone(n), zoneKey: NEW_YORK, disagree: false })),
      );
      await dialled(store, rejected());
      await dialled(store, released('never_sent'));
      await store.cancelLead(CAMPAIGN, aPhone(3), ENTRY);
      await store.cancelLead(CAMPAIGN, aPhone(4), ENTRY);
      await store.undoCancelLead(CAMPAIGN, aPhone(4), ENTRY);
      await claimed(store, 1);
      const other = { id: 'list_2', sha256: 'bb22' };
      await addList(store, CAMPAIGN, [aLead(8, { zoneKey: NEW_YORK }), aLead(9)], other);

      const waiting = (await exported(store)).filter(({ state }) => state === 'waiting');
      const count = (key: string) => waiting.filter(({ zoneKey }) => zoneKey === key).length;
      expect(await store.placesOf(CAMPAIGN, START)).toMatchObject(
        ['', NEW_YORK, TOKYO].map((zoneKey) => ({ zoneKey, waiting: count(zoneKey) })),
      );
      expect(waiting.length).toBeGreaterThan(4);
    });

    it('are corrected by a later list', async () => {
      const store = await aRunningStore(open, { leads: [aLead(0, { zoneKey: NEW_YORK })] });
      const other = { id: 'list_2', sha256: 'bb22' };
      await addList(store, CAMPAIGN, [aLead(0, { zoneKey: TOKYO })], other);

      expect(await store.findLeads(aPhone(0), 1)).toMatchObject([{ zoneKey: TOKYO }]);
    });
  });
}
