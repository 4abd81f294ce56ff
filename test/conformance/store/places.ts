import { describe, expect, it } from 'vitest';
import { aCampaign, aLead, aPhone, CREATED } from '../../helpers/factory.ts';
import { addList, aRunningStore, CAMPAIGN, claimed, someLeads, type OpenStore } from './setup.ts';

const NEW_YORK = 'America/New_York;US-NY';
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

    it('are corrected by a later list', async () => {
      const store = await aRunningStore(open, { leads: [aLead(0, { zoneKey: NEW_YORK })] });
      const other = { id: 'list_2', sha256: 'bb22' };
      await addList(store, CAMPAIGN, [aLead(0, { zoneKey: 'Asia/Tokyo;JP' })], other);

      expect(await store.findLeads(aPhone(0), 1)).toMatchObject([{ zoneKey: 'Asia/Tokyo;JP' }]);
    });
  });
}
