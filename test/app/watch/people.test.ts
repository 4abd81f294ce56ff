import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  campaignFilters,
  nameFinder,
  peopleTable,
  type PeopleChoice,
} from '../../../src/app/watch/people.ts';
import { browseSuppression } from '../../../src/app/suppression/suppression-store.ts';
import { filters as filtersView, people } from '../../../src/views/people.ts';
import {
  addList,
  aList,
  aRunningCampaign,
  CAMPAIGN,
  ENTRY,
} from '../../conformance/store/setup.ts';
import { aLead, aPhone } from '../../helpers/factory.ts';
import { fakeWorld } from '../../helpers/fake-io.ts';
import { aDatabasePath, aStore } from '../../store/sqlite/database.ts';

describe('a page of people', () => {
  it('goes on from its cursor', async () => {
    const { page } = await aTable();

    const first = await page({ limit: 2 });
    const second = await page({ limit: 2, after: first.next ?? '' });
    const third = await page({ limit: 2, after: second.next ?? '' });

    expect(people.parse(first)).toEqual(first);
    expect(first).toMatchObject({ total: 5, next: '1:3' });
    expect(second).toMatchObject({ total: 5, next: '1:5' });
    expect(third).toMatchObject({ total: 5, next: null });
    expect([first, second, third].flatMap(({ items }) => items.map(({ phone }) => phone))).toEqual(
      [0, 1, 2, 3, 4].map((n) => aPhone(n)),
    );
  });

  it.each([
    '+12005550103',
    '+1 (200) 555-0103',
    '200 555-0103',
    '(200) 555-0103',
    '0103',
    '5550103',
  ])('is found by the number %s', async (text) => {
    const { page } = await aTable();

    expect((await page({ text })).items.map(({ phone }) => phone)).toEqual([aPhone(3)]);
  });

  it('is found by digits in cells that would be a number as well', async () => {
    const { store, page } = await aTable();
    const cells = ['customer 2015550177'];
    await addList(store, CAMPAIGN, [aLead(9, { cells })], aList({ id: 'list_2', sha256: 'cc33' }));

    expect((await page({ text: '2015550177' })).items.map(({ phone }) => phone)).toEqual([
      aPhone(9),
    ]);
  });

  it('is full though its people are far apart in a long list', async () => {
    const leads = Array.from({ length: 450 }, (_, n) =>
      aLead(n, { line: n * 1_000 + 2, cells: [n % 220 === 0 ? 'Ada' : 'Bob'] }),
    );
    const { page } = await aTable(leads);

    const found = await page({ text: 'ada', limit: 3 });

    expect(found.items.map(({ line }) => line)).toEqual([2, 220_002, 440_002]);
    expect(found.next).toBeNull();
  });

  it('takes empty texts for no choice', async () => {
    const { page } = await aTable();
    const choice = { state: '', result: '', zone: '', sentiment: '', text: ' ' };

    expect(await page(choice)).toMatchObject({ total: 5 });
  });

  it.each<[Partial<PeopleChoice>, string]>([
    [{ after: 'x' }, 'after is "x"; it takes a cursor of a page, such as 1:250.'],
    [{ after: '1:' }, 'after is "1:"; it takes a cursor of a page, such as 1:250.'],
    [{ state: 'open' }, 'state is "open"; it takes waiting, calling, done.'],
    [{ result: 'great' }, 'result is "great"; it takes answered, voicemail'],
    [{ text: 'x'.repeat(201) }, 'text has 201 characters; at most 200 are looked for.'],
  ])('refuses %j', async (choice, message) => {
    const { page } = await aTable();

    await expect(page(choice)).rejects.toMatchObject({
      ...{ name: 'AppError', code: 'FLAG_INVALID', exitCode: 2 },
      message: expect.stringContaining(message) as string,
    });
  });
});

describe('what people can be chosen by', () => {
  it('is told with how many each choice has', async () => {
    const { store, path, world } = await aTable();
    await store.cancelLead(CAMPAIGN, aPhone(1), ENTRY);
    const zoneKey = 'America/New_York;US-NY';
    const list = aList({ id: 'list_2', sha256: 'cc33', path: 'more.csv' });
    await addList(store, CAMPAIGN, [aLead(9, { zoneKey })], list);
    await addList(store, CAMPAIGN, [], aList({ id: 'list_3', sha256: 'dd44', path: 'none.csv' }));

    const filters = await campaignFilters({ db: path, campaign: CAMPAIGN }, world);

    expect(filtersView.parse(filters)).toEqual(filters);
    expect(filters).toMatchObject({
      total: 6,
      states: [
        { state: 'waiting', people: 5 },
        { state: 'calling', people: 0 },
        { state: 'done', people: 1 },
      ],
      results: [{ result: 'cancelled', people: 1 }],
      lists: [
        { number: 1, path: 'leads.csv', people: 5 },
        { number: 2, path: 'more.csv', people: 1 },
        { number: 3, path: 'none.csv', people: 0 },
      ],
      zones: [
        { key: '', zones: [], people: 5 },
        { key: zoneKey, zones: ['America/New_York'], people: 1 },
      ],
    });
  });

  it('is unknown for a campaign that is not there', async () => {
    const { path, world } = await aTable();

    await expect(campaignFilters({ db: path, campaign: 'autumn' }, world)).rejects.toMatchObject({
      code: 'CAMPAIGN_UNKNOWN',
    });
  });
});

async function aTable(leads = Array.from({ length: 5 }, (_, n) => aLead(n))) {
  const path = aDatabasePath();
  const store = aStore(path);
  await aRunningCampaign(store, { leads });
  const world = fakeWorld({ cwd: dirname(path), db: path });
  const page = (choice: Partial<PeopleChoice>) =>
    peopleTable(
      {
        limit: 100,
        reader: { who: 'ann', transcripts: true },
        ...choice,
        db: path,
        campaign: CAMPAIGN,
      },
      world,
    );
  return { path, store, world, page };
}

describe('the name beside a number', () => {
  it('is that of the list, of the campaign that is meant; a number in no list is looked for nowhere else', async () => {
    const path = aDatabasePath();
    const store = aStore(path);
    await aRunningCampaign(store);
    const mapping = { fields: { name: 0 }, phones: [1], doNotCall: [] } as never;
    const list = aList({ id: 'list_2', sha256: 'cc33', mapping });
    await addList(
      store,
      CAMPAIGN,
      [aLead(19), aLead(18, { cells: ['Person 18', aPhone(17)] })],
      list,
    );
    const nameOf = nameFinder(store);
    const [{ campaign } = { campaign: '' }] = await store.findLeads(aPhone(19), 1);

    expect(await nameOf(aPhone(19))).toBe('Person 19');
    expect(await nameOf(aPhone(19), campaign)).toBe('Person 19');
    expect(await nameOf(aPhone(19), 'autumn')).toBeNull();
    expect(await nameOf(null)).toBeNull();
    // In a cell alone it is nobody's number.
    expect(await store.findLeads(aPhone(17), 1)).toHaveLength(1);
    expect(await nameOf(aPhone(17))).toBeNull();

    const entry = {
      ...{ at: 1, source: 'operator' as const, who: 'ann' },
      note: null,
      expiresAt: null,
    } as const;
    await store.suppress([19, 17].map((n) => ({ ...entry, phone: aPhone(n) })));
    const reader = { who: 'ann', transcripts: true };
    const asked = { db: path, text: '', before: null, limit: 9, reader };
    const { items } = await browseSuppression(asked, fakeWorld({ cwd: dirname(path) }));
    const named = items.map(({ phone, name }) => [phone, name]);
    expect(named.toSorted()).toEqual([
      [aPhone(17), null],
      [aPhone(19), 'Person 19'],
    ]);
  });
});
