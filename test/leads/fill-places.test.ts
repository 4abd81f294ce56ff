import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { fillPlaces } from '../../src/leads/rows/row-person.ts';
import type { CallingPolicy } from '../../src/domain/calling/policy.ts';
import { placeOf } from '../../src/domain/calling/zone-key.ts';
import type { E164 } from '../../src/domain/phone.ts';
import type { Campaign, NewLead, Store } from '../../src/store/port.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import { addList, aList, CAMPAIGN, someLeads } from '../conformance/store/setup.ts';
import { aCampaign, CREATED } from '../helpers/factory.ts';
import { tempFolder } from '../helpers/files/temp.ts';

const policy: CallingPolicy = {
  rules: [],
  hours: null,
  holidays: [],
  unknownZones: 'skip',
  zoneOverrides: [],
  marginMs: 0,
};
let store: Store;
let campaign: Campaign;

beforeEach(async () => {
  store = openSqliteStore({ path: join(tempFolder(), 'callsheet.db'), mode: 'dial' });
  onTestFinished(() => store.close());
  campaign = await store.createCampaign(aCampaign({ settings: { policy } }), CREATED);
});

const lead = (phone: string, zone: string, line: number): NewLead => ({
  phone: phone as E164,
  line,
  cells: [phone, zone],
});
const mapping = { phones: [0], fields: { timezone: 1 }, doNotCall: [] };

async function zones(): Promise<string[]> {
  const rows = await store.exportPage(CAMPAIGN, null, 5_000);
  return rows.map(({ zoneKey }) => placeOf(zoneKey).zones.join('|'));
}

test('people of older campaigns get a place from their number and cells before they are called', async () => {
  const rows = [lead('+12125550100', '', 2), lead('+13125550101', 'Eastern', 3)];
  await addList(store, CAMPAIGN, rows, { mapping });

  await fillPlaces(store, campaign);

  expect(await zones()).toEqual(['America/New_York', 'America/Chicago|America/New_York']);
  expect(await store.leadsWithoutPlace(CAMPAIGN, 9)).toEqual([]);
});

test('a time zone that is not understood leaves the zone unknown, as nothing is guessed', async () => {
  await addList(store, CAMPAIGN, [lead('+12125550100', 'Estern', 2)], { mapping });

  await fillPlaces(store, campaign);

  const [row] = await store.exportPage(CAMPAIGN, null, 9);
  expect(placeOf(row?.zoneKey ?? '').zones).toEqual([]);
  expect(placeOf(row?.zoneKey ?? '').regions).not.toEqual([]);
});

test('a list that was not read from a file has the numbers alone', async () => {
  await addList(store, CAMPAIGN, [lead('+12125550100', 'Estern', 2)]);

  await fillPlaces(store, campaign);

  expect(await zones()).toEqual(['America/New_York']);
});

test('all of many people get a place', async () => {
  const leads = someLeads(2_001);
  const { id } = await store.beginList(CAMPAIGN, aList());
  for (let i = 0; i < leads.length; i += 1_000) await store.addLeads(id, leads.slice(i, i + 1_000));

  await fillPlaces(store, campaign);

  expect(await store.leadsWithoutPlace(CAMPAIGN, 9)).toEqual([]);
});

test('without calling hours nothing is read or written', async () => {
  await addList(store, CAMPAIGN, [lead('+12125550100', '', 2)], { mapping });
  const settings = { ...campaign.settings };
  delete settings.policy;

  await fillPlaces(store, { id: CAMPAIGN, settings });

  expect(await zones()).toEqual(['']);
});
