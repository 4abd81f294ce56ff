import { describe, expect, onTestFinished, test } from 'vitest';
import { loadProfile } from '../../../src/service/profile/profile.ts';
import { connect, DIAL, fakeService, PROFILE_TEXT, yes } from '../helpers.ts';

const SEND = '  send: { phone: phone_number, agent: agent_id }\n';

/** The default profile with another way of sending a dial. */
function profileWith(lines: string, from = SEND) {
  expect(PROFILE_TEXT).toContain(from);
  // Agent and number stand in the path: the bodies of these tests name what they are about.
  const path = '/v1/calls/outbound?to={phone}&by={agent}';
  const text = PROFILE_TEXT.replace('/v1/calls/outbound', path).replace(from, () => lines);
  return loadProfile(text, 'mine.yaml');
}

async function dialled(lines: string, options: Parameters<typeof connect>[1] = {}, dial = DIAL) {
  const server = await fakeService(() => ({ body: { call_id: 'c1' } }));
  onTestFinished(() => server.stop());
  const service = connect(server.url, { profile: profileWith(lines), ...options });
  onTestFinished(() => service.close());
  const answer = await service.startCall(dial, yes);
  return { answer, requests: server.requests, service };
}

const LEAD = { ...DIAL, variables: { phone: '0212', 'First name': 'Zoë "Z"', empty: '' } };

test('a body carries constants, and what is filled in where the profile puts it', async () => {
  const { requests, service } = await dialled(
    `  body:
    to: { number: '{{phone}}', tries: 1, record: true, note: null }
    who: '{{agent}}'
    ref: 'callsheet-{{attempt}}'
    name: '{{lead.First name}}'
    data: '{{variables}}'
    text: '{{variables.json}}'
    pairs: '{{variables.pairs}}'
    lists: ['{{phone}}', [2]]
    caller: '{{from?}}'
    greeting: 'Hi {{lead.nothing?}}!'
`,
    {},
    LEAD,
  );
  const [request] = requests;
  expect(request?.headers['content-type']).toBe('application/json');
  const { method, url, body } = service.requestOf?.(LEAD) ?? {};
  expect([method, url, body]).toEqual([
    request?.method,
    service.url + (request?.url ?? ''),
    request?.body,
  ]);
  expect(JSON.parse(request?.body ?? '')).toEqual({
    to: { number: DIAL.phone, tries: 1, record: true, note: null },
    who: DIAL.agent,
    ref: `callsheet-${DIAL.attemptKey}`,
    name: 'Zoë "Z"',
    data: LEAD.variables,
    text: JSON.stringify(LEAD.variables),
    pairs: Object.entries(LEAD.variables).map(([key, value]) => ({ key, value })),
    lists: [DIAL.phone, [2]],
    greeting: 'Hi !',
  });
});

test('a form carries fields, lists as repeated ones and objects as JSON', async () => {
  const { requests } = await dialled(
    "  as: form\n  body: { To: '{{phone}}', Events: [a, b], Data: '{{variables}}', From: '{{from}}' }\n",
    { from: '+12125550199' },
    LEAD,
  );
  const [request] = requests;
  expect(request?.headers['content-type']).toBe('application/x-www-form-urlencoded');
  expect([...new URLSearchParams(request?.body)]).toEqual([
    ['To', DIAL.phone],
    ['Events', 'a'],
    ['Events', 'b'],
    ['Data', JSON.stringify(LEAD.variables)],
    ['From', '+12125550199'],
  ]);
});

test('without a value that the body needs nothing is sent, and the campaign is to pause', async () => {
  const { answer, requests } = await dialled(`  body: { to: '{{phone}}', n: '{{lead.Name}}' }\n`);
  expect(answer).toMatchObject({ kind: 'rejected', pause: true, status: null });
  expect(answer.detail).toContain('the body needs {{lead.Name}}, and there is none');
  expect(requests).toEqual([]);
});

describe('what is filled in of the person', () => {
  const PERSON = { firstName: 'Zoë', company: '', fullName: 'Zoë' };
  const lead = { ...LEAD, person: PERSON };
  const sent = async (text: string) => {
    const { answer, requests } = await dialled(
      `  body: { to: '{{phone}}', t: '${text}' }\n`,
      {},
      lead,
    );
    const { t } = JSON.parse(requests[0]?.body ?? '{}') as { t?: unknown };
    return requests.length === 0 ? answer.detail : t;
  };

  test.each([
    ['{{firstName}}', 'Zoë'],
    ['Hi {{firstName|there}}!', 'Hi Zoë!'],
    ['Hi {{ company | your company }}!', 'Hi your company!'],
    ['{{company}}', ''],
    ['{{company?}}', ''],
    ['{{lastName?}}', undefined],
    ['Hi {{lastName?}}!', 'Hi !'],
    ['{{lastName|friend}}', 'friend'],
    ['{{lastName|}}', ''],
    ['{{lastName?|friend}}', 'friend'],
    ['{{lead.First name|there}}', LEAD.variables['First name']],
    ['{{lead.empty}}', ''],
    ['{{lead.empty|your town}}', 'your town'],
    ['{{lead.City|is it you?}}', 'is it you?'],
    ['{{lead.City|{{phone}}', `{{lead.City|${DIAL.phone}`],
  ])('%s', async (text, expected) => {
    expect(await sent(text)).toEqual(expected);
  });

  test('that no column of the list holds is asked for before anybody is called', async () => {
    expect(await sent('{{lastName}}')).toContain(
      'the body needs {{lastName}}, and there is none: the list has no column that is known as such; say which one holds it when the list is imported (--map lastName="NAME"), or write a default, {{lastName|...}}',
    );
  });

  test('needs what the list says, and only then', async () => {
    const needs = async (text: string) =>
      (await dialled(`  body: { to: '${text}' }\n`, {}, lead)).service.usesLeadColumns;
    expect(await needs('{{firstName|there}}')).toBe(true);
    expect(await needs('{{from|+12125550199}}')).toBe(false);
  });
});

test('whether it needs the columns of the list is the word of the profile', async () => {
  expect((await dialled(SEND)).service.usesLeadColumns).toBe(false);
  expect((await dialled("  body: { a: '{{variables?}}' }\n")).service.usesLeadColumns).toBe(true);
  expect((await dialled("  body: { a: '{{lead.x?}}' }\n")).service.usesLeadColumns).toBe(true);
});

describe("the service's own error word wins over the status", () => {
  test.each([
    [429, { error: { code: 'bad_number' } }, { kind: 'rejected' }],
    [400, { error: { code: 'LIMIT_calls' } }, { kind: 'refused' }],
    [400, { error: { code: 'no-money' } }, { kind: 'rejected', pause: true }],
    [400, { error: { code: 77 } }, { kind: 'unknown' }],
    [400, { error: { code: 'other' } }, { kind: 'rejected' }],
    [429, 'limit', { kind: 'refused' }],
    [500, { error: { code: 'bad_number' } }, { kind: 'rejected' }],
    [200, { error: { code: 'bad_number' } }, { kind: 'rejected' }],
    [200, { call_id: 'c1', error: { code: 'bad_number' } }, { kind: 'placed', callId: 'c1' }],
    [200, { error: { code: 'other' } }, { kind: 'unknown' }],
    [400, { error: { code: ['bad_number'] } }, { kind: 'rejected', named: true }],
    [400, { error: { code: ['other', 'limit calls'] } }, { kind: 'refused' }],
    [400, { error: { code: ['bad_number', 'no_money'] } }, { kind: 'rejected', pause: true }],
    [400, { error: { code: ['no_money', 77, 'bad_number'] } }, { kind: 'unknown' }],
    [400, { error: { code: ['bad_number', 'limit'] } }, { kind: 'refused' }],
    [422, { error: { code: ['other', {}, null] } }, { kind: 'rejected' }],
    [400, { error: { code: 'gone' } }, { kind: 'rejected', named: true, invalidNumber: true }],
    [400, { error: { code: ['gone', 'bad_number'] } }, { kind: 'rejected', named: true }],
    [422, { error: { code: [] } }, { kind: 'rejected' }],
    [500, { error: { code: [['bad_number']] } }, { kind: 'unknown' }],
  ])('HTTP %d with %j', async (status, body, expected) => {
    const server = await fakeService(() => ({ status, body }));
    onTestFinished(() => server.stop());
    const errors =
      "  errors:\n    at: [error.code]\n    words: { bad_number: rejected, gone: invalid_number, 'limit*': refused, no_money: pause, '77': unknown }\n";
    const service = connect(server.url, { profile: profileWith(SEND + errors) });
    onTestFinished(() => service.close());
    const answer = await service.startCall(DIAL, yes);
    expect(answer).toMatchObject(expected);
    expect('pause' in answer).toBe('pause' in expected);
  });
});

test('a key of two parts goes as Basic, its first part into paths, and its second is not shown', async () => {
  const server = await fakeService(() => ({ status: 400, body: 'the secret hunter22 is no good' }));
  onTestFinished(() => server.stop());
  const text = PROFILE_TEXT.replace(
    "  header: Authorization\n  prefix: 'Bearer '\n",
    '  basic: true\n',
  )
    .replace('path: /v1/calls/outbound', 'path: /accounts/{user}/calls')
    .replace('path: /v1/agents', 'path: /accounts/{user}/agents');
  const profile = loadProfile(text, 'mine.yaml');
  const service = connect(server.url, { profile, key: 'AC 1:hunter22'.replace(' ', '') });
  onTestFinished(() => service.close());
  const { detail } = await service.startCall(DIAL, yes);
  await expect(service.listAgents()).rejects.toThrow('the secret [key]');
  expect(detail).toContain('the secret [key] is no good');
  expect(server.requests.map(({ url }) => url)).toEqual([
    '/accounts/AC1/calls',
    '/accounts/AC1/agents',
  ]);
  const { authorization } = server.requests[0]?.headers ?? {};
  expect(authorization).toBe(`Basic ${Buffer.from('AC1:hunter22').toString('base64')}`);
});

test('requests keep the pace that the profile sets, whatever they are', async () => {
  const waits: number[] = [];
  const server = await fakeService(() => ({ body: { agents: [], call_id: 'c1' } }));
  onTestFinished(() => server.stop());
  let now = 0;
  const clock = {
    now: () => now,
    monotonic: () => now,
    after: () => () => undefined,
    sleep: (ms: number) => {
      waits.push(ms);
      return Promise.resolve();
    },
  };
  const profile = loadProfile(`${PROFILE_TEXT}\nlimits: { requestsPerSecond: 4 }\n`, 'mine.yaml');
  const service = connect(server.url, { profile, clock });
  onTestFinished(() => service.close());
  await service.startCall(DIAL, yes);
  await service.listAgents();
  await service.readAnalytics('c1');
  now = 10_000;
  await service.readAnalytics('c1');
  expect(waits).toEqual([250, 500]);

  const rules = loadProfile(`${PROFILE_TEXT}\nlimits: { dialsPerSecond: 0.5 }\n`, 'mine.yaml');
  for (const [dialsPerSecond, room] of [
    [undefined, 2],
    [4, 9],
  ] as const) {
    const other = connect(server.url, { profile: rules, clock, dialsPerSecond });
    onTestFinished(() => other.close());
    waits.length = 0;
    await other.listAgents();
    await other.startCall(DIAL, yes);
    await other.readAnalytics('c1');
    await other.startCall(DIAL, yes);
    expect(waits).toEqual([1_000 / (dialsPerSecond ?? 0.5)]);
    now += 10_000;
    expect([other.roomWithin?.(2_000), other.roomWithin?.(2_000, 'dial')]).toEqual([
      Infinity,
      room,
    ]);
  }
});
