import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import type { SignatureRules } from '../../../src/service/profile/profile-webhooks.ts';
import { createSigner, createVerifier } from '../../../src/service/webhooks/signatures.ts';
import { START } from '../../helpers/clock.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const OTHER = 'whsec_b3RoZXItc2VjcmV0LW90aGVyLXNlY3JldA==';
const BODY = Buffer.from('{"type":"call.finished","data":{"call_id":"call_1"}}');
const STANDARD: SignatureRules = { scheme: 'standard', tolerance: 300 };
const SIGNED = { kind: 'signed' };
const refused = (why: string) => ({ kind: 'refused', why });

describe('a delivery signed after Standard Webhooks', () => {
  const sign = createSigner(STANDARD, SECRET);

  it('is believed when the reference implementation signed it', () => {
    const at = new Date(START);
    const signature = new Webhook(SECRET).sign('msg_1', at, BODY.toString());
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(START / 1_000),
      'webhook-signature': signature,
    };

    expect(createVerifier(STANDARD, [SECRET])(headers, BODY, START)).toEqual(SIGNED);
  });

  it('is believed by the reference implementation when it is ours', () => {
    const now = Date.now();
    const headers = sign(BODY, 'msg_1', now);

    expect(new Webhook(SECRET).verify(BODY.toString(), headers)).toEqual(
      JSON.parse(BODY.toString()),
    );
  });

  it('counts when any of several secrets signed it, and any of several signatures is right', () => {
    const headers = sign(BODY, 'msg_1', START);
    expect(createVerifier(STANDARD, [OTHER, SECRET])(headers, BODY, START)).toEqual(SIGNED);

    const both = {
      ...headers,
      'webhook-signature': `v1,AAAA v1a,xx ${headers['webhook-signature'] ?? ''}`,
    };
    expect(createVerifier(STANDARD, [SECRET])(both, BODY, START)).toEqual(SIGNED);
  });

  it.each<[string, (headers: Record<string, string>) => object, Buffer, number, string]>([
    ['another body', (h) => h, Buffer.from('{}'), 0, 'signature_wrong'],
    ['another id', (h) => ({ ...h, 'webhook-id': 'msg_2' }), BODY, 0, 'signature_wrong'],
    [
      'another time',
      (h) => ({ ...h, 'webhook-timestamp': String(START / 1_000 + 1) }),
      BODY,
      0,
      'signature_wrong',
    ],
    ['no signature', () => ({}), BODY, 0, 'signature_missing'],
    ['an empty one', (h) => ({ ...h, 'webhook-signature': 'v1,' }), BODY, 0, 'signature_wrong'],
    [
      'one of another version',
      (h) => ({ ...h, 'webhook-signature': 'v2,abcd' }),
      BODY,
      0,
      'signature_missing',
    ],
    [
      'a time that is no number',
      (h) => ({ ...h, 'webhook-timestamp': 'now' }),
      BODY,
      0,
      'time_wrong',
    ],
    ['an old time', (h) => h, BODY, 301_000, 'time_wrong'],
    ['a time to come', (h) => h, BODY, -301_000, 'time_wrong'],
  ])('is refused with %s', (_, change, body, later, why) => {
    const headers = change(sign(BODY, 'msg_1', START)) as Record<string, string>;

    expect(createVerifier(STANDARD, [SECRET])(headers, body, START + later)).toEqual(refused(why));
  });

  it('is refused when another secret signed it', () => {
    const headers = sign(BODY, 'msg_1', START);

    expect(createVerifier(STANDARD, [OTHER])(headers, BODY, START)).toEqual(
      refused('signature_wrong'),
    );
  });

  it('needs a secret that is one', () => {
    expect(() => createVerifier(STANDARD, ['whsec_short'])).toThrow(/begin with whsec_/);
  });
});

const HMAC = {
  scheme: 'hmac',
  header: 'x-signature',
  algorithm: 'sha256',
  encoding: 'hex',
  prefix: '',
  unit: 's',
  signed: '{body}',
  tolerance: 300,
} as const satisfies SignatureRules;

describe('a delivery signed in another way', () => {
  it.each<[string, SignatureRules, (hmac: (text: string) => Buffer) => Record<string, string>]>([
    ['of the body in hex', HMAC, (hmac) => ({ 'x-signature': hmac(String(BODY)).toString('hex') })],
    [
      'with a prefix',
      { ...HMAC, prefix: 'sha256=' },
      (hmac) => ({ 'x-signature': `sha256=${hmac(String(BODY)).toString('hex')}` }),
    ],
    [
      'with a time of its own, in Base64',
      { ...HMAC, encoding: 'base64', timestamp: 'x-timestamp', signed: '{timestamp}.{body}' },
      (hmac) => ({
        'x-timestamp': String(START / 1_000),
        'x-signature': hmac(`${START / 1_000}.${String(BODY)}`).toString('base64'),
      }),
    ],
    [
      'with its time in the same header',
      { ...HMAC, fields: { timestamp: 't', signature: 'v0' }, signed: '{timestamp}.{body}' },
      (hmac) => ({
        'x-signature': `t=${START / 1_000},v0=${hmac(`${START / 1_000}.${String(BODY)}`).toString('hex')}`,
      }),
    ],
    [
      'with ms behind the body',
      {
        ...HMAC,
        fields: { timestamp: 'v', signature: 'd' },
        signed: '{body}{timestamp}',
        unit: 'ms',
      },
      (hmac) => ({
        'x-signature': `v=${START},d=${hmac(`${String(BODY)}${START}`).toString('hex')}`,
      }),
    ],
    [
      'with a date behind the body',
      { ...HMAC, timestamp: 'x-timestamp', signed: '{body}{timestamp}', unit: 'iso' },
      (hmac) => ({
        'x-timestamp': new Date(START).toISOString(),
        'x-signature': hmac(`${String(BODY)}${new Date(START).toISOString()}`).toString('hex'),
      }),
    ],
  ])('%s is believed, as is ours, and no other', (_, rules, headersOf) => {
    const hmac = (text: string) => createHmac('sha256', 'secret').update(text).digest();
    const verify = createVerifier(rules, ['old', 'secret']);
    const headers = headersOf(hmac);

    expect(verify(headers, BODY, START)).toEqual(SIGNED);
    expect(createSigner(rules, 'secret')(BODY, '', START)).toEqual(headers);
    expect(verify(headers, Buffer.from('{}'), START)).toEqual(refused('signature_wrong'));
    expect(verify({}, BODY, START)).toEqual(refused('signature_missing'));
    expect(createVerifier(rules, ['other'])(headers, BODY, START)).toEqual(
      refused('signature_wrong'),
    );
    if (rules.scheme === 'hmac' && rules.signed.includes('{timestamp}')) {
      expect(verify(headers, BODY, START + 301_000)).toEqual(refused('time_wrong'));
    }
  });

  it('counts when one of several signatures in its header is right, eight at most', () => {
    const hex = createHmac('sha256', 'secret').update(BODY).digest('hex');
    const after = (others: number) => ({ 'x-signature': `${'00,'.repeat(others)} ${hex}` });

    const verify = createVerifier(HMAC, ['secret']);
    expect(verify(after(7), BODY, START)).toEqual(SIGNED);
    expect(verify(after(8), BODY, START)).toEqual(refused('signature_wrong'));
  });

  it('may have a date without a zone, which is in UTC, and no number in its place', () => {
    const rules = {
      ...HMAC,
      timestamp: 'x-time',
      signed: '{body}{timestamp}',
      unit: 'iso',
    } as const;
    const check = (time: string) => {
      const signed = createHmac('sha256', 'secret')
        .update(`${String(BODY)}${time}`)
        .digest('hex');
      return createVerifier(rules, ['secret'])(
        { 'x-time': time, 'x-signature': signed },
        BODY,
        START,
      );
    };
    const time = new Date(START).toISOString();
    expect(check(time.replace('Z', ''))).toEqual(SIGNED);
    expect(check(time.replace('Z', '000+00:00'))).toEqual(SIGNED);
    for (const other of [String(START / 1_000), String(START), 'now', '2020-01-01T00:00:00Z']) {
      expect(check(other)).toEqual(refused('time_wrong'));
    }
  });

  it('is over the bytes as they came, also where they are no text', () => {
    const bytes = Buffer.from([0xff, 0x00, 0xfe]);
    const signature = createHmac('sha256', 'secret').update(bytes).digest('hex');

    const verify = createVerifier(HMAC, ['secret']);
    expect(verify({ 'x-signature': signature }, bytes, START)).toEqual(SIGNED);
  });

  it('may carry the secret itself', () => {
    const rules = { scheme: 'token', header: 'authorization', prefix: 'Bearer ' } as const;
    const verify = createVerifier(rules, ['secret']);

    expect(verify({ authorization: 'Bearer secret' }, BODY, START)).toEqual(SIGNED);
    expect(verify({ authorization: 'Bearer secre' }, BODY, START)).toEqual(
      refused('signature_wrong'),
    );
    expect(verify({}, BODY, START)).toEqual(refused('signature_missing'));
  });

  it('is unsigned where nobody can sign', () => {
    const unsigned = { kind: 'unsigned' };
    expect(createVerifier({ scheme: 'none' }, ['secret'])({}, BODY, START)).toEqual(unsigned);
    expect(createVerifier(STANDARD, [])({}, BODY, START)).toEqual(unsigned);
  });
});

describe('a form that is signed with its address and fields', () => {
  const URL_GIVEN = 'https://calls.example.com/webhooks/main/hook_1?way=a%20b';
  const RULES: SignatureRules = {
    scheme: 'hmac',
    header: 'x-twilio-signature',
    algorithm: 'sha1',
    encoding: 'base64',
    prefix: '',
    unit: 's',
    signed: '{url}{fields}',
    tolerance: 300,
  };
  const FORM = Buffer.from('To=%2B12125550123&CallStatus=completed&CallSid=CA1&Tag=b&Tag=a&Tag=b');
  // As its specification writes it: the address, then each name with its value, in order of names.
  const signature = createHmac('sha1', 'token')
    .update(`${URL_GIVEN}CallSidCA1CallStatuscompletedTagaTagbTo+12125550123`)
    .digest('base64');
  const headers = {
    'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
    'x-twilio-signature': signature,
  };
  const verify = createVerifier(RULES, ['old', 'token']);

  it('is believed at the address that it was sent to', () => {
    expect(verify(headers, FORM, START, URL_GIVEN)).toEqual(SIGNED);
    const sorted = Buffer.from('Tag=a&Tag=b&CallSid=CA1&CallStatus=completed&To=%2B12125550123');
    expect(verify(headers, sorted, START, URL_GIVEN)).toEqual(SIGNED);
  });

  it('is signed by us in the same way', () => {
    expect(createSigner(RULES, 'token')(FORM, '', START, URL_GIVEN)).toEqual({
      'x-twilio-signature': signature,
    });
  });

  it.each<[string, object, Buffer, string]>([
    ['at another address', {}, FORM, `${URL_GIVEN}&x=1`],
    ['with another value', {}, Buffer.from(FORM.toString().replace('CA1', 'CA2')), URL_GIVEN],
    ['with one field more', {}, Buffer.from(`${FORM.toString()}&x=1`), URL_GIVEN],
    ['with one field less', {}, Buffer.from(FORM.toString().replace('Tag=a&', '')), URL_GIVEN],
    ['as something else than a form', { 'content-type': 'application/json' }, FORM, URL_GIVEN],
  ])('is not believed %s', (_title, other, body, url) => {
    const given = { ...headers, ...other };
    expect(verify(given, body, START, url)).toEqual(refused('signature_wrong'));
  });

  it('is never believed as something that has no fields', () => {
    const bare = createHmac('sha1', 'token').update(URL_GIVEN).digest('base64');
    const json = { 'content-type': 'application/json', 'x-twilio-signature': bare };
    expect(verify(json, BODY, START, URL_GIVEN)).toEqual(refused('signature_wrong'));
  });
});
