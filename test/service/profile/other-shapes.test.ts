// Services whose requests and answers are not those of the default profile: an agent in the path, a constant header, a
// transcript at another address, a call's id in a header or in a refusal.
import { describe, expect, onTestFinished, test } from 'vitest';
import { loadProfile } from '../../../src/service/profile/profile.ts';
import type { VoiceService } from '../../../src/service/port.ts';
import type { VoiceServiceOptions } from '../../../src/service/voice-service.ts';
import {
  connect,
  DIAL,
  fakeService,
  phone,
  PROFILE_TEXT,
  yes,
  type FakeService,
} from '../helpers.ts';

const PATH = '  path: /v1/calls/outbound\n';
const SEND = '  send: { phone: phone_number, agent: agent_id }\n';
const CALL_ID = / {2}callId: \[call_id, callId, id.*\n/;
const ANALYTICS = '  path: /v1/calls/{call_id}/analytics\n';

/** The default profile with replacements in it. */
function profileWith(...replaced: [from: string | RegExp, to: string][]) {
  const text = replaced.reduce((before, [from, to]) => {
    expect(typeof from === 'string' ? before.includes(from) : from.test(before)).toBe(true);
    return before.replace(from, () => to);
  }, PROFILE_TEXT);
  return loadProfile(text, 'mine.yaml');
}

function complaint(...replaced: Parameters<typeof profileWith>): string {
  try {
    profileWith(...replaced);
  } catch (error) {
    expect(error).toMatchObject({ code: 'PROFILE_INVALID', exitCode: 2 });
    return (error as Error).message;
  }
  throw new Error('it was taken');
}

async function at(
  profile: VoiceServiceOptions['profile'],
  answer: Parameters<typeof fakeService>[0],
): Promise<{ service: VoiceService; requests: FakeService['requests'] }> {
  const server = await fakeService(answer);
  const service = connect(server.url, { profile });
  onTestFinished(async () => {
    await service.close();
    await server.stop();
  });
  return { service, requests: server.requests };
}

const OWNER = { agent: 'ag/9?a#b', phone: phone('+12125550123') };
const OWNER_IN_URL = 'ag%2F9%3Fa%23b';

describe('a path', () => {
  test('of a dial names agent and number, encoded, and its messages do not tell the number', async () => {
    const profile = profileWith(
      [PATH, '  path: /v1/agents/{agent}/calls?to={phone}\n'],
      [SEND, '  body: { record: true }\n'],
    );
    const { service, requests } = await at(profile, () => ({ status: 500, body: 'down' }));
    const answer = await service.startCall({ ...DIAL, ...OWNER }, yes);
    expect(requests[0]?.url).toBe(`/v1/agents/${OWNER_IN_URL}/calls?to=%2B12125550123`);
    expect(answer).toMatchObject({ kind: 'unknown' });
    expect(answer.detail).toContain(`/v1/agents/${OWNER_IN_URL}/calls?to={phone} (with`);
    expect(answer.detail).not.toContain('2125550123');
  });

  test('of a poll names whose call it asks for', async () => {
    const profile = profileWith([ANALYTICS, '  path: /v1/a/{agent}/n/{phone}/calls/{call_id}\n']);
    const { service, requests } = await at(profile, () => ({ status: 422, body: {} }));
    const polled = await service.readAnalytics('c/1', undefined, OWNER);
    expect(requests[0]?.url).toBe(`/v1/a/${OWNER_IN_URL}/n/%2B12125550123/calls/c%2F1`);
    expect(polled).toMatchObject({ kind: 'unreadable' });
    expect(JSON.stringify(polled)).not.toContain('2125550123');
  });

  test('of the list of calls is asked for once for each agent', async () => {
    const profile = profileWith([
      '\ndial:',
      "\ncalls: { method: GET, path: '/v1/calls?agent_id={agent}&since={since_s}', items: [calls], callId: [id], phone: [to], startedAt: [at] }\ndial:",
    ]);
    const { service, requests } = await at(profile, ({ url }) => ({
      body: { calls: [{ id: url.includes('ag_1') ? 'c1' : 'c2', to: OWNER.phone }] },
    }));
    const of = ['ag_1', 'ag_2', 'ag_1'].map((agent) => ({ agent, phone: OWNER.phone }));
    const listing = await service.callList?.read({ since: 5_000, of });
    expect(requests.map(({ url }) => url)).toEqual([
      '/v1/calls?agent_id=ag_1&since=5',
      '/v1/calls?agent_id=ag_2&since=5',
    ]);
    expect(listing).toMatchObject({
      kind: 'listed',
      complete: true,
      calls: [{ callId: 'c1' }, { callId: 'c2' }],
    });
  });

  test('of the list of calls is asked for for twenty agents at once, and says for which', async () => {
    const profile = profileWith([
      '\ndial:',
      "\ncalls: { method: GET, path: '/v1/calls?agent_id={agent}', items: [calls], callId: [id], phone: [to], startedAt: [at] }\ndial:",
    ]);
    const { service, requests } = await at(profile, () => ({ body: { calls: [] } }));
    const of = Array.from({ length: 21 }, (_, n) => ({ ...OWNER, agent: `ag_${n}` }));
    const listing = await service.callList?.read({ since: 5_000, of });
    expect(requests).toHaveLength(20);
    expect(listing).toMatchObject({ kind: 'listed', complete: false });
    expect(of.filter((one) => listing?.covers?.(one) !== true)).toEqual([of[20]]);
  });

  test('has no name of a value that its operation lacks', () => {
    const slip = complaint([PATH, '  path: /v1/calls/{call_id}\n'], [SEND, SEND]);
    expect(slip).toContain(
      '"dial.path" is "/v1/calls/{call_id}"; {call_id} has no value here; known: {agent}, {phone}, {user}',
    );
    expect(complaint(['    path: /v1/agents\n', '    path: /v1/{agent}\n'])).toContain(
      '{agent} has no value here',
    );
  });
});

test('a dial that names no agent, or no number, is no dial', () => {
  const fixed = '  path: /v1/agents/ag_1/calls\n';
  expect(complaint([PATH, fixed], [SEND, "  body: { to: '{{phone}}' }\n"])).toContain(
    '"dial.path" is "/v1/agents/ag_1/calls"; the dial names no agent: write {agent} here, or {{agent}} in body',
  );
  expect(complaint([SEND, "  body: { agent: '{{agent}}' }\n"])).toContain(
    'the dial names no phone',
  );
  // An id of the account by that name would be one agent for everybody: the campaign's own agent stands there.
  const own = profileWith(
    [PATH, '  path: /v1/agents/{agent}/calls\n'],
    [SEND, "  body: { to: '{{phone}}' }\n"],
  );
  expect(own.dial.path).toContain('{agent}');
});

describe('a constant header', () => {
  const headers = (lines: string) => [/\nauth:/, `\nheaders: ${lines}\nauth:`] as [RegExp, string];

  test('goes with dials and reads', async () => {
    const profile = profileWith(headers('{ X-Version: 2026-03-01 }'));
    const { service, requests } = await at(profile, () => ({ body: { call_id: 'c1' } }));
    await service.startCall(DIAL, yes);
    await service.readAnalytics('c1');
    await service.listAgents().catch(() => undefined);
    expect(requests.length).toBeGreaterThan(2);
    for (const request of requests) expect(request.headers['x-version']).toBe('2026-03-01');
  });

  test.each([
    ['authorization: a', /callsheet sets this header itself/],
    ['Content-Type: text/plain', /callsheet sets this header itself/],
    ['Host: other.example', /callsheet sets this header itself/],
    ['content-length: "5"', /callsheet sets this header itself/],
    ['Idempotency-Key: a', /callsheet sets this header itself/],
    ['X-Api-Key: a', /a secret stands in no profile/],
    ['Cookie: a', /a secret stands in no profile/],
    ['X-Access-Token: a', /a secret stands in no profile/],
    ['X-Org: Bearer abc', /a secret stands in no profile/],
    ['X-Org: "a\\nb: c"', /it must be plain text/],
  ])('is refused: %s', (line, message) => {
    expect(complaint(headers(`{ ${line} }`))).toMatch(message);
  });
});

describe("a call's id", () => {
  const LOCATION = '  location: /v1/accounts/{account}/calls/{call_id}\n';

  test.each([
    ['/v1/accounts/a/calls/c1', 'c1'],
    ['https://api.example/base/v1/accounts/a/calls/c%2F1/?x=1', 'c/1'],
    ['/v1/accounts/a/calls/a&b+c%zz', 'a&b+c%zz'],
  ])('is read from the header Location: %s', async (location, callId) => {
    const profile = profileWith([CALL_ID, LOCATION]);
    const { service } = await at(profile, () => ({ status: 201, headers: { location }, body: '' }));
    expect(await service.startCall(DIAL, yes)).toMatchObject({ kind: 'placed', callId });
  });

  test.each([
    [201, '/v1/accounts/a/calls'],
    [201, '/v1/calls/c1'],
    // Where the dial should have gone, and no call.
    [307, '/v1/accounts/a/calls/outbound'],
  ])('is not read from %i %s', async (status, location) => {
    const profile = profileWith([CALL_ID, LOCATION]);
    const { service } = await at(profile, () => ({ status, headers: { location }, body: '' }));
    const answer = await service.startCall(DIAL, yes);
    expect(answer).toMatchObject({ kind: 'unknown', status });
    if (status === 201) expect(answer.detail).toContain('looked for the header Location;');
  });

  test('in a body wins over the header, and a profile needs one of them', async () => {
    const profile = profileWith([CALL_ID, `  callId: [call_id]\n${LOCATION}`]);
    const headers = { location: '/v1/accounts/a/calls/c2' };
    const { service } = await at(profile, () => ({ headers, body: { call_id: 'c1' } }));
    expect(await service.startCall(DIAL, yes)).toMatchObject({ kind: 'placed', callId: 'c1' });
    expect(complaint([CALL_ID, ''])).toContain('"dial.callId" is missing');
    expect(complaint([CALL_ID, '  location: /v1/calls\n'])).toContain('{call_id}');
  });

  const IN_REFUSAL: [RegExp, string] = [
    CALL_ID,
    '  callId: [call_id]\n  callIdInRefusal: [existing.id]\n  errors: { at: [code], words: { busy: refused } }\n',
  ];
  const EXISTING = { code: 'busy', existing: { id: 'c1' } };

  test.each([400, 409, 422, 429, 500, 503])(
    'in a refusal means that the call is there, whatever else is said: %i',
    async (status) => {
      const { service } = await at(profileWith(IN_REFUSAL), () => ({ status, body: EXISTING }));
      expect(await service.startCall(DIAL, yes)).toEqual({
        kind: 'placed',
        callId: 'c1',
        status,
        detail: `HTTP ${status}`,
      });
    },
  );

  test('that cannot be used leaves the dial of a refusal in doubt', async () => {
    const body = { existing: { id: 'c'.repeat(600) } };
    const { service } = await at(profileWith(IN_REFUSAL), () => ({ status: 400, body }));
    expect(await service.startCall(DIAL, yes)).toMatchObject({ kind: 'unknown', status: 400 });
  });

  test('in a refusal proves nothing where the profile does not say so', async () => {
    const body = { ...EXISTING, call_id: 'c1', id: 'c1' };
    const { service } = await at(loadProfile(PROFILE_TEXT, 'x'), () => ({ status: 422, body }));
    expect(await service.startCall(DIAL, yes)).toMatchObject({ kind: 'rejected', status: 422 });
  });
});

describe('what was said, where another address has it', () => {
  const MORE =
    "  more: { path: '/v1/calls/{call_id}/messages', into: messages, items: [results], next: { links: [next] } }\n";
  const profile = profileWith(
    [ANALYTICS, ANALYTICS + MORE],
    [/ {4}turns:\s+\[[^\]]*\]/, '    turns: [messages]'],
  );
  const OVER = { call_id: 'c1', status: 'completed', data: { duration_seconds: 42 } };
  const SAID = [
    { role: 'agent', text: 'Hello' },
    { role: 'user', text: 'Hi' },
  ];

  test('is read after the end, page by page, and stands beside the first answer', async () => {
    const { service, requests } = await at(profile, ({ url }) => {
      if (url.endsWith('/analytics')) return { body: OVER };
      const isLast = url.includes('cursor');
      return { body: { next: isLast ? null : `${url}?cursor=2`, results: [SAID[isLast ? 1 : 0]] } };
    });
    expect(await service.readAnalytics('c1')).toMatchObject({
      kind: 'settled',
      analytics: {
        transcript: 'agent: Hello\nperson: Hi',
        durationMs: 42_000,
        raw: { ...OVER, messages: SAID },
      },
    });
    expect(requests.map(({ url }) => url)).toEqual([
      '/v1/calls/c1/analytics',
      '/v1/calls/c1/messages',
      '/v1/calls/c1/messages?cursor=2',
    ]);
  });

  test('is not asked for while the call is in progress', async () => {
    const { service, requests } = await at(profile, () => ({ body: { status: 'in_progress' } }));
    expect(await service.readAnalytics('c1')).toMatchObject({ kind: 'pending' });
    expect(requests).toHaveLength(1);
  });

  test.each([
    [404, { kind: 'ended' }],
    [401, { kind: 'failed', keyRefused: true }],
    [429, { kind: 'failed', works: true }],
    [503, { kind: 'failed', keyRefused: false }],
    [400, { kind: 'unreadable' }],
    [200, { kind: 'unreadable' }],
  ])('is not there, with %i: the call is not settled without it', async (status, found) => {
    const { service, requests } = await at(profile, ({ url }) =>
      url.endsWith('/analytics') ? { body: OVER } : { status, body: { error: 'no' } },
    );
    expect(await service.readAnalytics('c1')).toMatchObject(found);
    expect(requests).toHaveLength(status === 503 ? 6 : 2);
  });

  test('is whole, or the call is not settled: a page that cannot be found is told', async () => {
    const { service } = await at(profile, ({ url }) =>
      url.endsWith('/analytics')
        ? { body: OVER }
        : { body: { next: 'http://other.example/', results: SAID } },
    );
    expect(await service.readAnalytics('c1')).toMatchObject({
      kind: 'unreadable',
      detail: expect.stringContaining('not all of its pages can be read') as string,
    });
  });

  test('may be any answer, asked for by POST', async () => {
    const single =
      "  more: { method: POST, path: /v1/said, body: { id: '{{call_id}}' }, into: said }\n";
    const other = profileWith(
      [ANALYTICS, ANALYTICS + single],
      [/ {4}text:\s+\[[^\]]*\]/, '    text: [said.text]'],
    );
    const { service, requests } = await at(other, ({ url }) =>
      url === '/v1/said' ? { body: { text: 'agent: Hello' } } : { body: OVER },
    );
    expect(await service.readAnalytics('c1')).toMatchObject({
      analytics: { transcript: 'agent: Hello' },
    });
    expect(requests[1]).toMatchObject({ method: 'POST', body: '{"id":"c1"}' });
  });

  test('names the call', () => {
    expect(
      complaint([ANALYTICS, `${ANALYTICS}  more: { path: /v1/said, into: said }\n`]),
    ).toContain('"analytics.more.path" is "/v1/said"; it must contain {call_id}');
  });
});
