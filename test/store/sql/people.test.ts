import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placeOf } from '../../../src/domain/calling/zone-key.ts';
import type { LeadResult } from '../../../src/domain/lead.ts';
import type {
  ExportCursor,
  ExportRow,
  NewLead,
  PeopleFilter,
  PeoplePage,
  PersonRow,
  Store,
} from '../../../src/store/port.ts';
import {
  aClaim,
  addList,
  aList,
  aRunningCampaign,
  CAMPAIGN,
  ENTRY,
  exported,
  placed,
  rejected,
  released,
  settled,
  unknown,
} from '../../conformance/store/setup.ts';
import { HOUR, someRetry } from '../../conformance/store/retries.ts';
import { START } from '../../helpers/clock.ts';
import { aLead, aPhone, someAnalytics } from '../../helpers/factory.ts';
import { aDatabasePath, aRunningDatabase, aStore } from '../sqlite/database.ts';
import { examples } from '../../helpers/properties.ts';

const ZONES = ['America/New_York;US-NY', 'America/Chicago|America/New_York;US-IN', ';US', ''];
const NAMES = ['Ann Ex', 'ANNE Öx', 'Bo "quoted" 100%', 'Zoë', '5550199'];
const LABELS = ['positive', 'negative', null];
const RESULTS: LeadResult[] = ['answered', 'busy', 'no_answer', 'opted_out'];
const OUTCOMES = ['settled', 'settled', 'open', 'rejected', 'released', 'unknown'] as const;

const lead = fc.record({
  // Lines far apart are in different blocks.
  gap: fc.constantFrom(1, 2, 400, 1_000, 2_500),
  zone: fc.nat(ZONES.length - 1),
  name: fc.nat(NAMES.length - 1),
  further: fc.boolean(),
});
const call = fc.record({
  outcome: fc.constantFrom(...OUTCOMES),
  result: fc.constantFrom(...RESULTS),
  label: fc.constantFrom(...LABELS),
});
const campaign = fc.record({
  lists: fc.array(fc.array(lead, { maxLength: 25 }), { minLength: 1, maxLength: 3 }),
  calls: fc.array(call, { maxLength: 40 }),
  cancelled: fc.array(fc.nat(60), { maxLength: 3 }),
  suppressed: fc.array(fc.nat(60), { maxLength: 3 }),
});
type Drawn = typeof campaign extends fc.Arbitrary<infer T> ? T : never;

const some = <T>(...values: T[]) =>
  fc.option(fc.constantFrom(...values), { nil: undefined, freq: 1 });
const STATES = ['waiting', 'calling', 'done'] as const;
const PLACES = ['America/New_York', 'America/Chicago|America/New_York;US-IN', '', 'Mars'];
const NUMBERS = [aPhone(3), '+1200555', '+1210555', '55501', '0199'];
const TEXTS = ['ann', 'ÖX anne', '100%', '"QUOTED"', 'é', ...NUMBERS];
const filter: fc.Arbitrary<PeopleFilter> = fc.record({
  list: some(1, 2, 7),
  state: some(...STATES),
  result: some<LeadResult>(...RESULTS, 'cancelled', 'suppressed'),
  zone: some(...PLACES),
  sentiment: some('positive', 'negative', 'other'),
  text: some(...TEXTS),
});
/** What is asked of every campaign. */
const QUESTIONS: PeopleFilter[] = [
  {},
  ...TEXTS.map((text) => ({ text })),
  ...LABELS.flatMap((sentiment) => (sentiment === null ? [] : [{ sentiment }])),
  ...PLACES.flatMap((zone) => STATES.map((state) => ({ zone, state }))),
  ...RESULTS.map((result) => ({ result })),
];

describe('pages of people', () => {
  it('have who matches, in list order, page by page', async () => {
    const asked = fc.record({
      choices: fc.array(filter, { minLength: 10, maxLength: 10 }),
      limit: fc.integer({ min: 1, max: 9 }),
    });
    await fc.assert(
      fc.asyncProperty(campaign, asked, async (drawn, { choices, limit }) => {
        const store = await aCalledCampaign(drawn);
        const all = (await exported(store)).map(inShort);
        const further = furtherNumbers(drawn);
        for (const choice of [...QUESTIONS, ...choices]) {
          const expected = all.filter((row) => matches(row, choice, further));
          await expectPages(store, choice, limit, expected);
        }
        await store.close();
      }),
      { numRuns: examples(12) },
    );
  });

  it('are counted as they are, by list, state, result and place', async () => {
    await fc.assert(
      fc.asyncProperty(campaign, async (drawn) => {
        const store = await aCalledCampaign(drawn);
        await store.keepPlaces(
          CAMPAIGN,
          (await store.leadsWithoutPlace(CAMPAIGN, 5)).map(({ phone }) => ({
            phone,
            zoneKey: ZONES[0] ?? '',
            disagree: false,
          })),
        );
        const rows = await exported(store);
        const by = (key: (row: ExportRow) => string | number | null) => countedBy(rows, key);

        const counts = await store.peopleCounts(CAMPAIGN);

        expect(counts.total).toBe(rows.length);
        expect(Object.fromEntries(counts.byList.map(({ list, people }) => [list, people]))).toEqual(
          by(({ cursor }) => cursor.list),
        );
        const states = { waiting: 0, calling: 0, done: 0, ...by(({ state }) => state) };
        expect(counts.byState).toEqual(states);
        const {
          total,
          waiting,
          calling,
          done: over,
          ...progress
        } = await store.progress(CAMPAIGN, START);
        expect({ waiting, calling, done: over }).toEqual(states);
        expect(total).toBe(rows.length);
        const done = rows.filter(({ state }) => state === 'done');
        expect(progress.results).toEqual(countedBy(done, ({ result }) => result));
        const { made, refused, inDoubt } = progress.dials;
        expect(made + refused + inDoubt).toBe(
          rows.reduce((sum, { attempts }) => sum + attempts, 0),
        );
        expect(counts.byResult).toEqual(countedBy(done, ({ result }) => result));
        const zones = await store.zonesOf(CAMPAIGN);
        expect(Object.fromEntries(zones.map(({ zoneKey, people }) => [zoneKey, people]))).toEqual(
          by(({ zoneKey }) => zoneKey),
        );
        expect(zones.map(({ people }) => people)).toEqual(
          zones.map(({ people }) => people).toSorted((a, b) => b - a),
        );
        await store.close();
      }),
      { numRuns: examples(12) },
    );
  });

  it('may be short where many leads are read, and go on from there', async () => {
    const store = aStore(aDatabasePath());
    const leads = Array.from({ length: 450 }, (_, n) =>
      aLead(n, { line: n * 1_000 + 2, cells: [n % 449 === 0 ? 'Ada' : 'Bob'] }),
    );
    await aRunningCampaign(store, { leads });

    const first = await store.people({ campaignId: CAMPAIGN, text: 'ada', after: null, limit: 9 });

    expect(first).toMatchObject({ total: null });
    expect(first.rows.map(({ line }) => line)).toEqual([2]);
    expect(first.next).not.toBeNull();
    const ada = [leads[0], leads[449]].map((one) => one?.phone);
    expect((await follow(store, { text: 'ada' }, 9)).map(({ phone }) => phone)).toEqual(ada);
    expect(await follow(store, { sentiment: 'positive' }, 9)).toEqual([]);
  });

  it('are of one campaign alone, and of nobody where it has none', async () => {
    const { store } = await aRunningDatabase({ leads: 3 });
    const query = { campaignId: 'cmp_other', after: null, limit: 5 };

    expect(await store.people(query)).toEqual({ rows: [], total: 0, next: null });
    expect(await store.people({ ...query, text: aPhone(0) })).toMatchObject({ total: 0 });
    expect((await store.peopleCounts('cmp_other')).total).toBe(0);
    expect(await store.zonesOf('cmp_other')).toEqual([]);
  });

  it('end beyond the last row', async () => {
    const { store } = await aRunningDatabase({ leads: 3 });
    const pageAfter = (after: ExportCursor) =>
      store.people({ campaignId: CAMPAIGN, after, limit: 5 });

    for (const after of [
      { list: 1, line: 4 },
      { list: 9_999, line: 1 },
    ])
      expect(await pageAfter(after)).toEqual({ rows: [], total: 3, next: null });
    const { rows } = await pageAfter({ list: 0, line: 1 });
    expect(rows.map(({ line }) => line)).toEqual([2, 3, 4]);
  });

  it.each([0, 201, Number.NaN])('have 1 to 200 rows, not %d', async (limit) => {
    const store = aStore(aDatabasePath());

    await expect(store.people({ campaignId: CAMPAIGN, after: null, limit })).rejects.toThrow(
      'a page has 1 to 200',
    );
  });
});

function countedBy(
  rows: readonly ExportRow[],
  key: (row: ExportRow) => string | number | null,
): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const row of rows) {
    const name = String(key(row));
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

async function aCalledCampaign({ lists, calls, cancelled, suppressed }: Drawn): Promise<Store> {
  const store = aStore(aDatabasePath());
  const settings = { retry: someRetry(), concurrency: 1_000 };
  await aRunningCampaign(store, { leads: [], settings });
  await store.suppress(
    suppressed.map((n) => ({
      ...{ phone: aPhone(n), at: START, source: 'operator' as const },
      ...{ note: null, who: 'ada', expiresAt: null },
    })),
  );
  for (const [index, leads] of leadsOf(lists).entries()) {
    const list = { id: `list_${index}`, sha256: `sha_${index}` };
    await addList(store, CAMPAIGN, leads, aList(list));
  }
  for (const n of cancelled) await store.cancelLead(CAMPAIGN, aPhone(n), ENTRY);
  for (const [n, one] of calls.entries()) await aDrawnCall(store, one, n);
  return store;
}

async function aDrawnCall(store: Store, one: Drawn['calls'][number], n: number): Promise<void> {
  const now = START + n * HOUR;
  const { intents } = await store.claim(aClaim({ now, want: 1 }));
  const [intent] = intents;
  if (intent === undefined) return;
  const { attemptId } = intent;
  const callId = `call_${n}`;
  if (one.outcome === 'rejected') await store.recordDial(attemptId, rejected(now));
  if (one.outcome === 'released') await store.recordDial(attemptId, released('never_sent', now));
  if (one.outcome === 'unknown') await store.recordDial(attemptId, unknown(now));
  if (one.outcome !== 'open' && one.outcome !== 'settled') return;
  await store.recordDial(attemptId, placed(callId, now));
  if (one.outcome === 'open') return;
  const sentiment = { label: one.label, score: 0.5 };
  const analytics = someAnalytics({ sentiment, durationMs: 1_000 * n });
  const { result } = one;
  const record = settled(callId, { at: now + 60_000, result, source: 'service', analytics });
  await store.recordPoll(attemptId, record);
}

/** Numbers follow each other over all lists; every fifth person is on two lists. */
function leadsOf(lists: Drawn['lists']): NewLead[][] {
  let n = 0;
  return lists.map((leads) => {
    let line = 1;
    return leads.map(({ gap, zone, name, further }) => {
      line += gap;
      if (n % 5 !== 4 || line % 2 === 0) n += 1;
      const zoneKey = ZONES[zone] ?? '';
      const alternatives = further ? [{ phone: aPhone(1_000 + n), zoneKey }] : [];
      const cells = [NAMES[name] ?? '', `row ${line}`];
      return { phone: aPhone(n), line, cells, zoneKey, alternatives };
    });
  });
}

/** The further numbers of each lead by its own: those of its first row, and of later lists while it could be called. */
function furtherNumbers({ lists, suppressed }: Drawn): ReadonlyMap<string, string[]> {
  const done = new Set<string>(suppressed.map((n) => aPhone(n)));
  const known = new Map<string, { list: number; numbers: string[] }>();
  for (const [list, leads] of leadsOf(lists).entries()) {
    for (const { phone, alternatives = [] } of leads) {
      const numbers = alternatives.map((each) => each.phone);
      const first = known.get(phone);
      if (first === undefined) known.set(phone, { list, numbers });
      else if (first.list !== list && !done.has(phone)) first.numbers.push(...numbers);
    }
  }
  return new Map([...known].map(([phone, { numbers }]) => [phone, numbers]));
}

function inShort(row: ExportRow): PersonRow {
  const { cursor, phone, cells, state, result, reason, attempts, zoneKey, notBefore } = row;
  const { durationMs = null, sentiment = null } = row.analytics ?? {};
  return {
    ...{ cursor, phone, cells, ...cursor, state, result, reason, attempts, zoneKey, notBefore },
    lastAttemptAt: row.lastAttemptAt,
    lastResult: row.attempt?.result ?? null,
    sentiment: sentiment?.label ?? null,
    durationSeconds: durationMs === null ? null : durationMs / 1_000,
  };
}

function matches(
  row: PersonRow,
  { list, state, result, zone, sentiment, text = '' }: PeopleFilter,
  further: ReadonlyMap<string, string[]>,
): boolean {
  return (
    (list === undefined || row.list === list) &&
    (state === undefined || row.state === state) &&
    (result === undefined || row.result === result) &&
    (zone === undefined || row.zoneKey === zone || placeOf(row.zoneKey).zones.includes(zone)) &&
    (sentiment === undefined || row.sentiment === sentiment) &&
    (text === '' || hasText(row, text, further.get(row.phone) ?? []))
  );
}

function hasText({ phone, cells }: PersonRow, text: string, further: readonly string[]): boolean {
  if (text.startsWith('+')) return [phone, ...further].some((number) => number.startsWith(text));
  const words = text.toLowerCase().split(' ');
  const inCells = words.every((word) => cells.some((cell) => cell.toLowerCase().includes(word)));
  return inCells || (/^\d+$/.test(text) && phone.includes(text.replace(/^0+/, '')));
}

async function expectPages(store: Store, choice: PeopleFilter, limit: number, rows: PersonRow[]) {
  const totals = new Set<number | null>();
  const found = await follow(store, choice, limit, ({ total }) => totals.add(total));
  expect(found).toEqual(rows);
  expect([...totals].filter((total) => total !== null && total !== rows.length)).toEqual([]);
}

/** All who match, in list order, read page by page. */
async function follow(
  store: Store,
  choice: PeopleFilter,
  limit: number,
  see: (page: PeoplePage) => void = () => undefined,
): Promise<PersonRow[]> {
  const all: PersonRow[] = [];
  let after: ExportCursor | null = null;
  do {
    const query = { ...choice, campaignId: CAMPAIGN, after, limit };
    const page: PeoplePage = await store.people(query);
    see(page);
    expect(page.rows.length).toBeLessThanOrEqual(limit);
    all.push(...page.rows);
    after = page.next;
  } while (after !== null);
  return all;
}
