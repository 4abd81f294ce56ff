import { expect, it, onTestFinished } from 'vitest';
import { journalledStore } from '../../../src/store/journal/journalled-store.ts';
import type * as Opening from '../../../src/store/postgres/open.ts';
import type * as Server from '../../../src/store/postgres/server.ts';
import type { PeopleFilter, Store } from '../../../src/store/port.ts';
import { createStore } from '../../../src/store/sql/store.ts';
import { CAMPAIGN } from '../../conformance/store/setup.ts';
import { START } from '../../helpers/clock.ts';
import { aPhone } from '../../helpers/factory.ts';
import { makeState } from '../serial/deciding.ts';
import { aDatabasePath, aStore } from '../sqlite/database.ts';
import { METHODS } from '../sqlite/every-method.ts';
import { aSchema, built, journal, room } from './a-schema.ts';

const { serverEngine } = await built<typeof Server>('server');
const { migrateServer } = await built<typeof Opening>('open');
const FILTERS: PeopleFilter[] = [
  ...[{}, { list: 1 }, { state: 'done' as const }, { result: 'cancelled' as const }],
  ...[{ zone: 'America/New_York' }, { sentiment: 'Positive' }, { text: 'person 5' }],
  ...[{ text: aPhone(5) }, { text: aPhone(5).slice(0, 7), isWhole: false }, { text: '0105' }],
  { text: aPhone(5), isWhole: true, state: 'waiting' },
];

/** Queries that take other ways through a statement than `METHODS` do. */
const QUERIES: typeof METHODS = [
  ...FILTERS.map((filter): (typeof METHODS)[number] => [
    `people ${JSON.stringify(filter)}`,
    (store) => store.people({ ...filter, campaignId: CAMPAIGN, after: null, limit: 9 }),
  ]),
  ...['0105', aPhone(5), 'Person 5', 'call_1', 'a3', '7', 'PERSON'].map(
    (text): (typeof METHODS)[number] => [`findLeads ${text}`, (store) => store.findLeads(text, 9)],
  ),
  ['earlierCalls', (store) => store.earlierCalls(EARLIER)],
  [
    'finishedCalls',
    async (store) => {
      const { cursor } = await store.finishedCalls(CAMPAIGN, null, 9);
      return store.finishedCalls(CAMPAIGN, cursor, 9);
    },
  ],
  [
    'people after',
    (store) => store.people({ campaignId: CAMPAIGN, after: { list: 1, line: 4 }, limit: 2 }),
  ],
  [
    'suppressions',
    (store) => store.suppressionPage({ now: START, before: 9, text: null, limit: 1 }),
  ],
  ['waitingPeople', (store) => store.waitingPeople(CAMPAIGN, 2)],
];
const EARLIER = { campaignId: CAMPAIGN, simulated: false, now: START, before: null, limit: 9 };

it('each method gives the answer that it gives on a file', async () => {
  const options = aSchema();
  await migrateServer(options);
  const onServer = createStore(serverEngine(options), { afterGathering: queueMicrotask });
  const stores: Store[] = [aStore(aDatabasePath()), journalledStore(onServer, { journal, room })];
  onTestFinished(() => stores[1]?.close());
  for (const store of stores) await makeState(store as never, 'running');
  for (const [name, call] of [...QUERIES, ...METHODS, ...QUERIES]) {
    const [onFile, here] = await Promise.all(stores.map((store) => answerOf(call(store, 'a2'))));
    expect.soft(here, name).toEqual(onFile);
  }
});

async function answerOf(work: Promise<unknown>): Promise<unknown> {
  try {
    // Bytes and missing fields as a reader of JSON has them.
    return JSON.parse(JSON.stringify((await work) ?? null)) as unknown;
  } catch (error) {
    // What the database itself refuses is told in its own words.
    return error instanceof Error && 'exitCode' in error ? error.message : 'refused';
  }
}
