import { describe, expect, onTestFinished, test } from 'vitest';
import { startProvider } from '../../helpers/providers/start.ts';
import { connect, DIAL, fakeService, yes } from '../helpers.ts';
import { builtIn, dialAnswered, dialAnsweredOverHttp, tableOf, wordFor } from './table.ts';

const TELNYX = builtIn('telnyx');

describe('a refused dial', () => {
  const wordOf = async (status: number, body: unknown) =>
    wordFor(await dialAnswered(TELNYX, status, body));
  const error = (code: string, title: string, pointer?: string) => ({
    errors: [{ code, title, detail: title, ...(pointer && { source: { pointer } }) }],
  });

  test.each(tableOf('telnyx-codes.tsv'))('with code %s (%s): %s', async (code, title, meaning) => {
    expect(await wordOf(422, error(code, title))).toBe(meaning);
  });

  test.each(tableOf('telnyx-line-codes.tsv'))(
    'with the line code %s (SIP %s: %s): %s',
    async (error_code, _sip, description, meaning) => {
      const detail = `${description} ${error_code}`;
      const body = { errors: [{ code: '10010', detail }], telnyx_error: { error_code } };
      expect(await wordOf(403, body)).toBe(meaning === '10010' ? 'pause' : meaning);
    },
  );

  test.each([
    ['10016', 'Phone number must be in +E.164 format', '/To', 'rejected'],
    ['10002', 'Invalid phone number', '/To', 'rejected'],
    ['10026', 'Invalid parameter type', '/To', 'rejected'],
    ['10016', 'Phone number must be in +E.164 format', '/From', 'pause'],
    ['10001', 'Inactive phone number', '/From', 'pause'],
    ['10004', 'Missing required parameter', '/From', 'pause'],
    ['10017', 'Associated resource does not exist', '/AIAssistantId', 'pause'],
    ['10032', 'Invalid enumerated value', '/DetectionMode', 'rejected_by_status'],
    ['10004', 'Missing required parameter', '/ApplicationId', 'rejected_by_status'],
  ])('with code %s (%s) at %s: %s', async (code, title, pointer, meaning) => {
    expect(await wordOf(422, error(code, title, pointer))).toBe(meaning);
  });

  test.each([
    [400, 'rejected_by_status'],
    [401, 'pause'],
    [402, 'pause'],
    [403, 'pause'],
    [404, 'pause'],
    [408, 'unknown'],
    [409, 'unknown'],
    [422, 'rejected_by_status'],
    [429, 'refused'],
    [500, 'unknown'],
    [503, 'unknown'],
  ])('with HTTP %i and no word: %s', async (status, meaning) => {
    expect(await wordOf(status, {})).toBe(meaning);
  });

  test('for want of a free line is told by its words, too', async () => {
    const detail = 'User channel limit exceeded D1';
    expect(await wordOf(403, { errors: [{ code: '10010', detail }] })).toBe('refused');
  });
});

test.each([
  [422, { errors: [{ code: '10016', title: 'Phone number', source: { pointer: '/To' } }] }],
  [403, { errors: [{ code: '10010', detail: 'User channel limit exceeded D1' }] }],
  [400, {}],
])('HTTP %i with %j means the same where it comes over the wire', async (status, body) => {
  const answer = await dialAnsweredOverHttp(TELNYX, status, body);
  const expected = await dialAnswered(TELNYX, status, body);
  expect({ ...answer, detail: '' }).toEqual({ ...expected, detail: '' });
  expect(answer.detail).toContain(`HTTP ${status}`);
});

test('a dial is one that the published schema allows, with every column of the list as text', async () => {
  const provider = await startProvider('telnyx');
  onTestFinished(() => provider.close());
  const { url, key, from, ids } = provider;
  const service = connect(url, { profile: TELNYX, key, from, ids });
  onTestFinished(() => service.close());

  const variables = { phone: DIAL.phone, 'First name': 'Ana', age: '42' };
  const dial = { ...DIAL, agent: provider.agent, variables };
  expect(await service.startCall(dial, yes)).toMatchObject({ kind: 'placed' });
  expect(await service.startCall({ ...DIAL, agent: provider.agent }, yes)).toMatchObject({
    kind: 'placed',
  });

  expect(provider.invalid()).toEqual([]);
  expect(provider.ledger()[0]?.variables).toEqual(variables);
});

test('an assistant that only chats is none that calls', async () => {
  const provider = await startProvider('telnyx');
  onTestFinished(() => provider.close());
  const { url, key, ids } = provider;
  const service = connect(url, { profile: TELNYX, key, ids });
  onTestFinished(() => service.close());

  const { agents } = await service.listAgents();
  expect(agents.map(({ name }) => name)).toEqual(['Agent 1', 'Agent 2', 'Agent 3']);
});

test('the ids of the account stand in its paths, and without them nothing is asked', async () => {
  const server = await fakeService(() => ({ body: { status: 'busy' } }));
  onTestFinished(() => server.stop());
  const ids = { account: 'a/b', application: '14944' };
  const service = connect(server.url, { profile: TELNYX, from: '+12125550199', ids });
  onTestFinished(() => service.close());

  await service.readAnalytics('v3:1');
  await service.startCall(DIAL, yes);
  expect(server.requests.map(({ url }) => url)).toEqual([
    '/v2/texml/Accounts/a%2Fb/Calls/v3%3A1',
    '/v2/texml/ai_calls/14944',
  ]);

  expect(() => connect(server.url, { profile: TELNYX, ids: { account: 'ac_1' } })).toThrow(
    expect.objectContaining({
      code: 'SERVICE_ID_MISSING',
      exitCode: 2,
      message: expect.stringContaining('"application"') as string,
      hint: expect.stringContaining('ids: { application: ... }') as string,
    }) as Error,
  );
});
