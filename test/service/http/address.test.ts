import { expect, test } from 'vitest';
import { connect, KEY, PROFILE } from '../helpers.ts';

test.each([
  'http://127.0.0.1:1',
  'http://127.9.9.9',
  'http://localhost',
  'http://[::1]:1/v1',
  'https://voice.example.com/base',
])('%s may be used', async (url) => {
  const service = connect(`${url}/`);
  expect(service.url).toBe(url);
  await service.close();
});

test.each([
  'http://voice.example.com',
  'http://10.0.0.1',
  'http://127.0.0.1.example.com',
  'http://0.0.0.0',
])('%s is refused, because the key would go over the network in the clear', (url) => {
  expect(() => connect(url)).toThrow(
    expect.objectContaining({ code: 'SERVICE_URL_INSECURE', exitCode: 2 }),
  );
});

test.each([
  'voice.example.com',
  'ftp://voice.example.com',
  '',
  'https://u:hunter2@voice.example.com',
  'https://voice.example.com?x=1',
  'https://voice.example.com#x',
])('"%s" is no address of a service', (url) => {
  const wrong: unknown = expect.objectContaining({ code: 'SERVICE_URL_INVALID', exitCode: 2 });
  expect(() => connect(url)).toThrow(wrong);
  expect(() => connect(url)).not.toThrow('hunter2');
});

test.each(['', 'two words', `${KEY}\n`, 'schlüssel'])(
  'a key that no header can carry is refused: %j',
  (key) => {
    const wrong: unknown = expect.objectContaining({ code: 'SERVICE_KEY_UNUSABLE', exitCode: 2 });
    expect(() => connect('http://127.0.0.1:1', { key })).toThrow(wrong);
  },
);

test('another address or another profile is another service', () => {
  const base = connect('http://127.0.0.1:1');
  const { profile } = { profile: { ...PROFILE, text: `${PROFILE.text}\n` } };
  const others = [connect('http://127.0.0.1:2'), connect('http://127.0.0.1:1', { profile })];
  expect(base.fingerprint).toBe(connect('http://127.0.0.1:1', { key: 'other' }).fingerprint);
  for (const other of others) expect(other.fingerprint).not.toBe(base.fingerprint);
});
