import { readFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { loadProfile } from '../../../src/service/profile/profile.ts';
import { aPhone } from '../../helpers/factory.ts';
import { PROVIDERS } from '../../helpers/providers/provider.ts';
import { startProvider } from '../../helpers/providers/start.ts';
import { connect, DIAL, fakeService, yes } from '../helpers.ts';

const read = (name: string) =>
  loadProfile(readFileSync(`campaigns/profiles/${name}.yaml`, 'utf8'), name);
const SINCE = Date.parse('2026-01-05T15:00:00Z');

/** A service whose profile has a list of calls, and what the list is answered with. */
async function listed(answer: Parameters<typeof fakeService>[0], profile = read('reference')) {
  const server = await fakeService(answer);
  onTestFinished(() => server.stop());
  const service = connect(server.url, { profile });
  onTestFinished(() => service.close());
  const listing = await service.callList?.read({ since: SINCE });
  return { listing, requests: server.requests };
}

test('a list says what it knows of each call, and an entry without an id makes it incomplete', async () => {
  const phone = aPhone(1);
  const { listing, requests } = await listed(() => ({
    body: {
      data: {
        calls: [
          {
            call_id: 'c1',
            to: { number: '+1 (200) 555-0101' },
            reference: 'key_1',
            agent: { id: 'ag_1' },
            created_at: 1_767_625_200,
          },
          { call_id: 'c2', to: { number: 'unknown' }, created_at: 1e300, state: 'hung_up' },
          { call_id: 'c3', state: 'completed', analysis: {}, duration_seconds: 3 },
          { no: 'id' },
        ],
      },
    },
  }));
  const [first, second, third] = listing?.kind === 'listed' ? listing.calls : [];
  expect(listing).toMatchObject({ kind: 'listed', complete: false });
  const dial = { phone, attemptKey: 'key_1', agent: 'ag_1', startedAt: SINCE };
  expect(first).toEqual({ callId: 'c1', ...dial, found: null });
  expect(second).toMatchObject({ phone: null, startedAt: null, found: { kind: 'ended' } });
  // It leaves out what was said (whole: false): over, and a look is needed.
  expect(third).toMatchObject({ callId: 'c3', found: null });
  expect(requests.map(({ url }) => url)).toEqual([
    '/v2/calls?limit=500&since=2026-01-05T15%3A00%3A00.000Z',
  ]);
});

test('a list that gives a transcript by its address leaves the call to a poll, which reads it', async () => {
  const text = readFileSync('campaigns/profiles/reference.yaml', 'utf8').replace(
    'whole: false',
    'whole: true',
  );
  const item = { state: 'completed', analysis: {}, duration_seconds: 3 };
  const { listing } = await listed(
    () => ({
      body: {
        data: {
          calls: [
            { call_id: 'c1', ...item, transcript_url: 'https://voice.example.com/t/1' },
            { call_id: 'c2', ...item },
          ],
        },
      },
    }),
    loadProfile(text, 'own.yaml'),
  );
  const found = listing?.kind === 'listed' ? listing.calls.map((call) => call.found?.kind) : [];
  expect(found).toEqual([undefined, 'settled']);
});

test('the next page may be asked for in the body', async () => {
  const { listing, requests } = await listed(
    (_request, count) => ({
      body: {
        items: [{ call_id: `c${count}` }],
        has_more: count < 3,
        ...(count < 3 && { pagination_key: `k${count}` }),
      },
    }),
    read('retell'),
  );
  expect(listing).toMatchObject({ complete: true, calls: [{}, {}, {}] });
  expect(requests.map(({ url, body }) => [url, JSON.parse(body) as object])).toMatchObject([
    ['/v3/list-calls', { limit: 1000, filter_criteria: { start_timestamp: { value: SINCE } } }],
    ['/v3/list-calls', { limit: 1000, pagination_key: 'k1' }],
    ['/v3/list-calls', { limit: 1000, pagination_key: 'k2' }],
  ]);
});

describe('a list that cannot be had is a failed look', () => {
  test.each<[string, { status?: number; headers?: Record<string, string>; body: unknown }, object]>(
    [
      ['the key', { status: 401, body: {} }, { keyRefused: true }],
      [
        'no time',
        { status: 429, headers: { 'retry-after': '7' }, body: {} },
        { retryAfterMs: 7_000 },
      ],
      ['a failure', { status: 500, body: 'oops' }, { keyRefused: false, retryAfterMs: null }],
      ['no JSON', { body: '<html>' }, { keyRefused: false }],
      ['no list', { body: { data: {} } }, { keyRefused: false }],
    ],
  )('%s', async (_what, answer, expected) => {
    const { listing } = await listed(() => answer);
    expect(listing).toMatchObject({ kind: 'failed', ...expected });
    expect(listing?.kind === 'failed' && listing.detail).toMatch(/^GET http.*received: /);
  });

  test('nobody there', async () => {
    const service = connect('http://127.0.0.1:1', { profile: read('reference') });
    onTestFinished(() => service.close());
    expect(await service.callList?.read({ since: 0 })).toMatchObject({ kind: 'failed' });
  });
});

test('a list without an end is left', async () => {
  const { listing, requests } = await listed((_request, count) => ({
    body: { data: { calls: [{ call_id: `c${count}` }] }, has_more: true, next_cursor: `k${count}` },
  }));
  expect(listing).toMatchObject({ kind: 'listed', complete: false });
  expect(requests).toHaveLength(50);
});

describe('pages are followed to the last one', () => {
  test.each(PROVIDERS)('at %s', async (name) => {
    const provider = await startProvider(name, { agentCount: 230 });
    onTestFinished(() => provider.close());
    const { url, key, from, ids: its } = provider;
    const service = connect(url, { profile: read(name), key, from, ids: its });
    onTestFinished(() => service.close());

    const { agents, complete } = await service.listAgents();
    expect([new Set(agents.map(({ id }) => id)).size, complete]).toEqual([230, true]);

    if (service.callList === null) return;
    // More than a page of the provider with the shortest ones.
    for (let n = 0; n < 105; n++) {
      const dial = { ...DIAL, phone: aPhone(n), agent: provider.agent, variables: {} };
      expect(await service.startCall(dial, yes)).toMatchObject({ kind: 'placed' });
    }
    const listing = await service.callList.read({ since: Date.now() - 60_000 });
    expect(listing).toMatchObject({ kind: 'listed', complete: true });
    const ids = listing.kind === 'listed' ? listing.calls.map(({ callId }) => callId) : [];
    expect(ids.toSorted()).toEqual(
      provider
        .ledger()
        .map(({ callId }) => callId)
        .toSorted(),
    );
  });
});
