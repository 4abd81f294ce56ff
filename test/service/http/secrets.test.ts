import { describe, expect, test } from 'vitest';
import { createMask } from '../../../src/service/http/secrets.ts';

const BEARER = { basic: false, header: 'Authorization', prefix: 'Bearer ' };
const BASIC = { basic: true, header: 'Authorization', prefix: 'Basic ' };
const KEY = 'sk/live+4f9a"2b=';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const unicode = (text: string) =>
  text.replace(/./g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);

describe('a key is masked', () => {
  const mask = createMask(BEARER, KEY);
  test.each([
    ['as it is', `Bearer ${KEY}.`, 'Bearer [key].'],
    ['as JSON', JSON.stringify({ seen: KEY }), '{"seen":"[key]"}'],
    [
      'with slashes escaped',
      `{"seen":"${KEY.replace('/', '\\/').replace('"', '\\"')}"}`,
      '{"seen":"[key]"}',
    ],
    ['with every sign escaped', `{"seen":"${unicode(KEY)}"}`, '{"seen":"[key]"}'],
    ['with some signs escaped', `{"seen":"s\\u006B\\/liv\\u0065+4f9a\\"2b="}`, '{"seen":"[key]"}'],
    ['as part of an address', `/x?k=${encodeURIComponent(KEY)}&y`, '/x?k=[key]&y'],
    ['in an address of small letters', `k=${encodeURIComponent(KEY).toLowerCase()}&`, 'k=[key]&'],
    [
      'in an address that escapes all',
      `k=${KEY.replace(/./g, (c) => `%${c.charCodeAt(0).toString(16)}`)}&`,
      'k=[key]&',
    ],
    ['in hex', Buffer.from(KEY).toString('hex'), '[key]'],
    ['in hex of capitals', Buffer.from(KEY).toString('hex').toUpperCase(), '[key]'],
  ])('%s', (_how, text, masked) => {
    expect(mask(text)).toBe(masked);
  });

  test.each(['', 'u', 'us', 'use', 'user:', '{"k":"'])('in Base64 after "%s"', (before) => {
    for (const after of ['', ':', '"}', ' and more']) {
      for (const encoding of ['base64', 'base64url'] as const) {
        const masked = mask(`<${Buffer.from(before + KEY + after).toString(encoding)}>`);
        expect(masked).toContain('[key]');
        expect(Buffer.from(masked.replace('[key]', '|'), encoding).toString()).not.toContain(
          'live',
        );
      }
    }
  });
});

test('of user and password the whole and the password are masked, and the user is not', () => {
  const mask = createMask(BASIC, 'AC0123456789:open-sesame');
  expect(mask(`Basic ${base64('AC0123456789:open-sesame')}`)).toMatch(/^Basic \[key\]=*$/);
  expect(mask('AC0123456789:open-sesame, open-sesame')).toBe('[key], [key]');
  expect(mask('/Accounts/AC0123456789/Calls')).toBe('/Accounts/AC0123456789/Calls');
  expect(mask(base64('other:open-sesame'))).not.toContain(base64('sesame').slice(0, 6));
});

test('secrets of webhooks are masked, with and without what they begin with', () => {
  const mask = createMask(BEARER, null, ['whsec_MfKQ9r8GKYqrTwjU', 'schlüssel-9']);
  expect(mask('whsec_MfKQ9r8GKYqrTwjU MfKQ9r8GKYqrTwjU')).toBe('[key] [key]');
  expect(mask(Buffer.from('schlüssel-9').toString('latin1'))).toBe('[key]');
});

test('a short secret is masked where it can be nothing else, and ordinary text stays', () => {
  const mask = createMask(BEARER, 'test');
  expect(mask('{"auth":"Bearer test","key":"test"}')).toBe('{"auth":"Bearer [key]","key":"[key]"}');
  const text = '{"test":1,"transcript":"user: a test, tests and \\"testing\\""}';
  expect(mask(text)).toBe(text);
});

test('a text without a secret stays as it is, sign for sign', () => {
  const mask = createMask(BEARER, KEY);
  const text = '{"a":"https:\\/\\/x\\/%41%zz \\u0041 \\\\u0042 \\" \\n","b":100}';
  expect(mask(text)).toBe(text);
  expect(mask('')).toBe('');
});

test('JSON stays JSON when something in it is masked', () => {
  const mask = createMask(BEARER, KEY);
  const value = { a: 'back\\slash "quoted" \\u0041 \u0001 é', b: `x${KEY}y`, c: [1, '\\'] };
  for (const text of [JSON.stringify(value), JSON.stringify(value).replaceAll('a', '\\u0061')]) {
    expect(JSON.parse(mask(text))).toEqual({ ...value, b: 'x[key]y' });
  }
});
