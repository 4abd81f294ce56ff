import { describe, expect, it } from 'vitest';
import { createDeliveryProtocol } from '../../../src/service/webhooks/delivery-protocol.ts';
import { loadProfile } from '../../../src/service/profile/profile.ts';
import { PROFILE, PROFILE_TEXT } from '../helpers.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const bytes = (value: unknown) => Buffer.from(JSON.stringify(value));

/** The documented service's profile, with another webhooks section. */
function protocolOf(section: string, secrets: string[] = []) {
  const start = PROFILE_TEXT.indexOf('\nwebhooks:');
  const profile = loadProfile(`${PROFILE_TEXT.slice(0, start)}\n${section}`, 'mine.yaml');
  const protocol = createDeliveryProtocol(profile, secrets);
  if (protocol === null) throw new Error('the profile has no webhooks');
  return protocol;
}

const standard = createDeliveryProtocol(PROFILE, []);
const read = (value: unknown) => standard?.read(bytes(value), JSON_TYPE);

describe('what a delivery says', () => {
  it('is read with the default profile: who, which call, which dial, when', () => {
    const delivery = {
      type: 'call.finished',
      id: 'evt_1',
      timestamp: '2026-01-05T15:00:00Z',
      data: {
        call_id: 'call_1',
        agent_id: 'ag_1',
        phone_number: '+12125550101',
        idempotency_key: 'k1',
        status: 'completed',
      },
    };

    expect(read(delivery)).toEqual({
      kind: 'event',
      type: 'call.finished',
      meaning: 'ended',
      callId: 'call_1',
      attemptKey: 'k1',
      phone: '+12125550101',
      agent: 'ag_1',
      at: Date.parse('2026-01-05T15:00:00Z'),
      found: null,
      lead: null,
    });
    expect(standard?.idOf({}, bytes(delivery))).toBe('evt_1');
    expect(standard?.idOf({ 'webhook-id': 'msg_1' }, bytes(delivery))).toBe('msg_1');
  });

  it('keeps every field of a captured lead', () => {
    const lead = { name: 'Ada', budget: 12, tags: ['a'], nested: { x: null } };

    const event = read({ type: 'lead.captured', data: { call_id: 'call_1', lead } });
    expect(event).toMatchObject({ meaning: 'lead_captured', callId: 'call_1', lead });
  });

  it.each([
    ['a type that the profile does not name', { type: 'agent.updated' }, 'unknown'],
    ['no type at all', { data: {} }, 'unknown'],
    ['a type in another spelling', { type: 'CALL_FINISHED' }, 'ended'],
    ['a type that means nothing', { type: 'call.started' }, 'ignored'],
  ])('%s: %j is %s', (_, body, meaning) => {
    expect(read(body)).toMatchObject({ kind: 'event', meaning });
  });

  it.each([
    ['no JSON', Buffer.from('<xml/>')],
    ['nothing', Buffer.alloc(0)],
    ['a bare word', Buffer.from('"call"')],
    ['bytes that are no text', Buffer.from([0xff, 0xfe, 0x00])],
    ['a captured lead without fields', bytes({ type: 'lead.captured', data: {} })],
  ])('is unreadable when it is %s', (_, body) => {
    expect(standard?.read(body, JSON_TYPE)).toMatchObject({ kind: 'unreadable' });
  });

  it.each([
    [1_767_625_200, 1_767_625_200_000],
    ['1767625200', 1_767_625_200_000],
    [1_767_625_200_123, 1_767_625_200_123],
    ['2026-01-05T15:00:00+01:00', Date.parse('2026-01-05T14:00:00Z')],
    ['soon', null],
    [-5, null],
  ])('its time %j is %j', (timestamp, at) => {
    expect(read({ type: 'call.finished', timestamp, data: {} })).toMatchObject({ at });
  });

  it('is about a call that is over where it is the analytics, and nothing is told of a missing end', () => {
    const webhooks = `webhooks:
  type: [event]
  callId: [call.call_id]
  events: { call_analyzed: analytics }
  analytics: [call]
`;
    const turns = [{ role: 'user', text: 'Hi.' }];
    const call = { call_id: 'c1', phase: 'over', transcript: turns, duration: 12, sentiment: 'x' };
    const event = protocolOf(webhooks).read(bytes({ event: 'call_analyzed', call }), JSON_TYPE);
    const found = event.kind === 'event' ? event.found : null;
    expect(found?.kind).toBe('settled');
    expect(found).not.toHaveProperty('isUnproved');
    expect(found).not.toHaveProperty('unknown');
  });

  it('may be the analytics, and every type but those that are named may', () => {
    const protocol = protocolOf(
      `webhooks:
  type: [event]
  callId: [call.call_id]
  events: { call_started: ignored, '*': analytics }
  analytics: [call]
`,
    );
    const call = { call_id: 'call_1', status: 'completed', transcript: 'agent: Hi', duration: 12 };

    expect(protocol.read(bytes({ event: 'call_analyzed', call }), JSON_TYPE)).toMatchObject({
      meaning: 'analytics',
      callId: 'call_1',
      found: { kind: 'settled', analytics: { durationMs: 12_000 } },
    });
    const ringing = { event: 'x', call: { call_id: 'call_1', status: 'ringing' } };
    expect(protocol.read(bytes(ringing), JSON_TYPE)).toMatchObject({ found: { kind: 'pending' } });
    expect(protocol.read(bytes({ event: 'x', call: { call_id: 'c' } }), JSON_TYPE)).toMatchObject({
      found: null,
    });
    expect(protocol.read(bytes({ event: 'call_started', call }), JSON_TYPE)).toMatchObject({
      meaning: 'ignored',
    });
  });

  it('may come as a form', () => {
    const protocol = protocolOf(
      `webhooks: { type: [CallStatus], callId: [CallSid], phone: [To], events: { completed: ended } }\n`,
    );
    const form = Buffer.from('CallSid=CA1&CallStatus=completed&To=%2B1+212+555+0101&__proto__=x');
    const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };

    expect(protocol.read(form, headers)).toMatchObject({
      meaning: 'ended',
      callId: 'CA1',
      phone: '+12125550101',
    });
  });
});

describe('the headers that are kept', () => {
  it('hold no secret', () => {
    const protocol = protocolOf(
      `webhooks: { type: [t], callId: [c], events: {}, signature: { scheme: token, header: X-Secret } }\n`,
      ['s3cret'],
    );
    const headers = {
      'x-secret': 's3cret',
      authorization: 'Bearer k',
      cookie: 'a=b',
      'user-agent': 'x/1',
    };

    expect(protocol.headersToKeep(headers)).toEqual({ 'user-agent': 'x/1' });
  });
});

describe('a webhooks section with a mistake', () => {
  it.each([
    ["signature: { scheme: hmac, header: x, signed: '{timestamp}.{body}' }", /signed/],
    ["signature: { scheme: hmac, header: x, timestamp: y, signed: '{body}' }", /signed/],
    ['signature: { scheme: magic }', /signature/],
    ['ips: [300.1.1.1]', /ips/],
    ['evnts: {}', /events/],
  ])('is refused with its place: %s', (line, named) => {
    expect(() =>
      protocolOf(`webhooks:\n  type: [t]\n  callId: [c]\n  events: {}\n  ${line}\n`),
    ).toThrow(named);
  });
});
