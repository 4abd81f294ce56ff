import { describe, expect, it } from 'vitest';
import { START } from '../../helpers/clock.ts';
import { aLead, someSettings } from '../../helpers/factory.ts';
import { aClaim, addList, aRunningStore, CAMPAIGN, type OpenStore } from './setup.ts';

/** What a dial learns of the row that it is for. */
export function leadVariableRules(open: OpenStore): void {
  describe('the cells of a lead', () => {
    it('come with its claim by the columns of its own list, and only when they are asked for', async () => {
      const store = await aRunningStore(open, {
        leads: [aLead(0, { cells: ['Ana', '0'] }), aLead(1)],
      });
      const headers = [' First name ', '', 'plan', 'plan', 'left out'];
      const other = [aLead(2, { cells: ['Bo', 'x', '', 'gold'] })];
      await addList(store, CAMPAIGN, other, { id: 'list_2', sha256: 'bb22', headers });

      const [first] = (await store.claim(aClaim({ want: 1, withVariables: true }))).intents;
      expect(first?.variables).toEqual({ name: 'Ana', phone: '0' });
      const [second] = (await store.claim(aClaim({ want: 1 }))).intents;
      expect(second?.variables ?? null).toBeNull();
      const [third] = (await store.claim(aClaim({ want: 1, withVariables: true }))).intents;
      expect(third?.variables).toEqual({ 'First name': 'Bo', plan: 'gold', 'left out': '' });
    });

    it('are known before the first claim, as it will have them, of the first person who may be called', async () => {
      const store = await aRunningStore(open, {
        leads: [aLead(0, { cells: ['', '0'] }), aLead(1, { cells: ['Bo', '1'] })],
        settings: someSettings({ variables: { from: 'named', columns: ['name'] } }),
      });
      const foretold = await store.firstDial(CAMPAIGN, START);
      const [first] = (await store.claim(aClaim({ want: 1, withVariables: true }))).intents;
      const { key, phone, variables, person } = first ?? {};
      expect(foretold).toEqual({ key, phone, variables, person });
      expect(phone).toBe(aLead(1).phone);
    });

    it('say who the person is by the columns that were recognised in its own list', async () => {
      const store = await aRunningStore(open, { leads: [aLead(0)] });
      const mapping = { phones: [2], fields: { firstName: 1, company: 0 }, doNotCall: [] };
      const headers = ['Firma', 'Vorname', 'Tel'];
      const two = [
        aLead(1, { cells: ['Acme', ' Zoë ', '1'], line: 2 }),
        aLead(2, { cells: ['', '', '2'], line: 3 }),
      ];
      await addList(store, CAMPAIGN, two, { id: 'list_2', sha256: 'bb22', headers, mapping });

      const claim = aClaim({ want: 3, withVariables: true });
      const { intents } = await store.claim(claim);
      expect(intents.map(({ person }) => person)).toEqual([
        {},
        { firstName: 'Zoë', company: 'Acme', fullName: 'Zoë' },
        { firstName: '', company: '', fullName: '' },
      ]);
    });
  });
}
