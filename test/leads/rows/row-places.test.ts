import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { E164 } from '../../../src/domain/phone.ts';
import type { LayoutOptions } from '../../../src/leads/columns/layout.ts';
import { importList, surveyList, type ImportOptions } from '../../../src/leads/import.ts';
import { placeOfPerson } from '../../../src/leads/zones/place-of-person.ts';
import type { NewLead, Store } from '../../../src/store/port.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open.ts';
import { VirtualClock } from '../../helpers/clock.ts';
import { aCampaign, CREATED } from '../../helpers/factory.ts';
import { tempFolder } from '../../helpers/files/temp.ts';
import { tempList } from '../temp-list.ts';

const campaign = aCampaign();
let store: Store;
let options: ImportOptions;
/** What the import gave to the store. */
let kept: NewLead[];

beforeEach(async () => {
  const folder = tempFolder();
  store = openSqliteStore({ path: join(folder, 'callsheet.db'), mode: 'dial' });
  onTestFinished(() => store.close());
  await store.createCampaign(campaign, CREATED);
  let ids = 0;
  const newId = (prefix: string) => `${prefix}_${++ids}`;
  const clock = new VirtualClock();
  options = { country: 'US', clock, newId, rejectsDir: join(folder, 'rejects') };
  kept = [];
});

async function importText(
  text: string,
  overrides: Partial<ImportOptions> = {},
  layout: LayoutOptions = {},
) {
  const all = { ...options, ...overrides };
  const { scanned } = await surveyList(tempList(text), { ...all, ...layout });
  const addLeads = async (list: string, leads: NewLead[]) => {
    kept.push(...leads);
    return store.addLeads(list, leads);
  };
  return importList({ ...store, addLeads }, campaign.id, scanned, all);
}

const zoneOf = (phone: string, cells: { timezone?: string } = {}) =>
  placeOfPerson({ phone: phone as E164, country: '', ...cells }).zoneKey;

test('a lead is kept with the place that its number and its cells tell', async () => {
  const report = await importText(
    'phone,time zone\n+12125550100,\n+13125550101,America/Chicago\n+13125550102,Eastern\n',
  );
  expect(report).toMatchObject({ added: 3, zonesDisagree: 1, zonesUnknown: 0 });
  expect(kept.map(({ zoneKey }) => zoneKey)).toEqual([
    zoneOf('+12125550100'),
    zoneOf('+13125550101', { timezone: 'America/Chicago' }),
    zoneOf('+13125550102', { timezone: 'Eastern' }),
  ]);
  expect(kept.map(({ zonesDisagree }) => zonesDisagree)).toEqual([false, false, true]);
  expect(kept[2]?.zoneKey).toContain('America/Chicago|America/New_York');
});

test('a row whose time zone nobody knows is rejected with what may be written, and is no first of a pair', async () => {
  const report = await importText('phone,time zone\n+12125550100,Estern\n+12125550100,Eastern\n');
  expect(report).toMatchObject({ added: 1, rejected: 1, byReason: { unknown_timezone: 1 } });
  const why = report.examples[0]?.text ?? '';
  expect(why).toContain('time zone "Estern" is not known; did you mean "Eastern"? Write an IANA');
  expect(readFileSync(report.rejectsPath ?? '', 'utf8')).toContain('is not known; did you mean');
});

test('a column with another unknown word in each row, which is none of zones, is told like names for the first 30 words', async () => {
  const rows = Array.from(
    { length: 80 },
    (_, n) => `+1212555${String(n + 100).padStart(4, '0')},America/New_York${n % 40}\n`,
  );
  const report = await importText(`phone,time zone\n${rows.join('')}`);
  expect(report).toMatchObject({ added: 0, rejected: 80, byReason: { unknown_timezone: 80 } });
  const rejects = readFileSync(report.rejectsPath ?? '', 'utf8')
    .split('\n')
    .slice(1, 81);
  expect(rejects.map((row) => row.includes('did you mean'))).toEqual(
    rejects.map((_, n) => n % 40 < 30),
  );
});

test('a person who asked not to be called is suppressed whatever their time zone is', async () => {
  const report = await importText('phone,time zone,do not call\n+12125550100,Estern,yes\n');
  expect(report).toMatchObject({ suppressed: 1, rejected: 0, added: 0 });
});

const threeColumns = {
  choices: [
    { target: 'phone', column: 'first' },
    { target: 'phone', column: 'second' },
    { target: 'phone', column: 'third' },
  ],
} as const;

test('further numbers of a row are kept in the order of their columns, each with its own place', async () => {
  const text =
    'first,second,third\n+12125550100,+13125550101,+12125550102\n' +
    '+12125550103,+12125550103,\n,+12125550104,12\n';
  await importText(text, {}, threeColumns);
  expect(kept.map(({ phone, alternatives }) => [phone, alternatives])).toEqual([
    [
      '+12125550100',
      [
        { phone: '+13125550101', zoneKey: zoneOf('+13125550101') },
        { phone: '+12125550102', zoneKey: zoneOf('+12125550102') },
      ],
    ],
    ['+12125550103', undefined],
    ['+12125550104', undefined],
  ]);
});

test('a number that is not called is no further number of a person either', async () => {
  // The last number of the first row is kept for fiction; a second row holds a toll-free and a premium-rate number.
  const text =
    'first,second,third\n+12125550200,+12125550201,+12125550101\n+12125550202,+18005550123,+19005550123\n';
  await importText(text, { refuseFictional: true }, threeColumns);
  expect(kept.map(({ alternatives }) => alternatives?.map(({ phone }) => phone))).toEqual([
    ['+12125550201'],
    undefined,
  ]);
});

test('rows with the same cells have the place of their own number each', async () => {
  const cells = ',Eastern';
  const phones = ['+12125550100', '+13125550100', '+442079460100', '+12125550101', '+13125550101'];
  await importText(`phone,time zone\n${phones.map((phone) => phone + cells).join('\n')}\n`);
  expect(kept.map(({ zoneKey }) => zoneKey)).toEqual(
    phones.map((phone) => zoneOf(phone, { timezone: 'Eastern' })),
  );
});

test('people without a known time zone are counted among good rows, in a survey too', async () => {
  const text = 'phone\n+12005550100\n+12125550100\n';
  expect(await surveyList(tempList(text), options)).toMatchObject({ good: 2, zonesUnknown: 1 });
  expect(await importText(text)).toMatchObject({ added: 2, zonesUnknown: 1, zonesDisagree: 0 });
});

test('a survey says how many of the new people are at which place', async () => {
  const text = 'phone\n+12125550100\n+12125550101\n+13125550101\n';
  const { places } = await surveyList(tempList(text), options);
  expect([...places]).toEqual([
    [zoneOf('+12125550100'), 2],
    [zoneOf('+13125550101'), 1],
  ]);
});
