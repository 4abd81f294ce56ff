import { createHmac, generateKeyPairSync, sign as signWith } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { SignatureRules } from '../../../src/service/profile/profile-webhooks.ts';
import { createSigner, createVerifier } from '../../../src/service/webhooks/signatures.ts';
import { START } from '../../helpers/clock.ts';

const BODY = Buffer.from('{"type":"call.finished","data":{"call_id":"call_1"}}');
const SIGNED = { kind: 'signed' };
const refused = (why: string) => ({ kind: 'refused', why });

describe('a delivery signed with the private half of a key pair', () => {
  const RULES: SignatureRules = {
    scheme: 'ed25519',
    header: 'telnyx-signature-ed25519',
    encoding: 'base64',
    prefix: '',
    timestamp: 'telnyx-timestamp',
    unit: 's',
    signed: '{timestamp}|{body}',
    tolerance: 300,
  };
  const pair = () => generateKeyPairSync('ed25519');
  const ours = pair();
  const theirs = pair();
  const publicOf = ({ publicKey }: { publicKey: KeyObject }) =>
    Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64');
  const signed = (by: { privateKey: KeyObject }, body: Buffer, at = START / 1_000) => ({
    'telnyx-timestamp': String(at),
    'telnyx-signature-ed25519': signWith(
      null,
      Buffer.concat([Buffer.from(`${at}|`), body]),
      by.privateKey,
    ).toString('base64'),
  });
  const verify = createVerifier(RULES, [publicOf(ours)]);

  it('is believed by the public half, also while the service changes its key', () => {
    expect(verify(signed(ours, BODY), BODY, START)).toEqual(SIGNED);
    const both = createVerifier(RULES, [publicOf(theirs), publicOf(ours)]);
    expect(both(signed(ours, BODY), BODY, START)).toEqual(SIGNED);
    expect(both(signed(theirs, BODY), BODY, START)).toEqual(SIGNED);
  });

  it('is over the bytes as they came, also where they are a form or no text', () => {
    for (const body of [Buffer.from('CallSid=v3%3Aab&To=%2B12125550123'), Buffer.from([0xff, 0])]) {
      expect(verify(signed(ours, body), body, START)).toEqual(SIGNED);
    }
  });

  // RFC 8032, 7.1, TEST 2.
  it('is believed as the specification of Ed25519 signs it', () => {
    const hex = (text: string) => Buffer.from(text, 'hex');
    const key = hex('3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c');
    const signature =
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da' +
      '085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00';
    const plain: SignatureRules = {
      ...RULES,
      encoding: 'hex',
      timestamp: undefined,
      signed: '{body}',
    };
    const headers = { 'telnyx-signature-ed25519': signature };
    const secrets = [key.toString('base64')];

    expect(createVerifier(plain, secrets)(headers, hex('72'), START)).toEqual(SIGNED);
    expect(createVerifier(plain, secrets)(headers, hex('73'), START)).toEqual(
      refused('signature_wrong'),
    );
  });

  const name = 'telnyx-signature-ed25519';
  it.each<[string, Record<string, string>, Buffer, number, string]>([
    ['another body', signed(ours, BODY), Buffer.from('{}'), 0, 'signature_wrong'],
    ['the key of somebody else', signed(theirs, BODY), BODY, 0, 'signature_wrong'],
    [
      'a time that was not signed',
      { ...signed(ours, BODY), 'telnyx-timestamp': String(START / 1_000 + 1) },
      BODY,
      0,
      'signature_wrong',
    ],
    ['an old time: it is sent again by somebody', signed(ours, BODY), BODY, 301_000, 'time_wrong'],
    ['a time to come', signed(ours, BODY), BODY, -301_000, 'time_wrong'],
    [
      'a time that is no number',
      { ...signed(ours, BODY), 'telnyx-timestamp': 'now' },
      BODY,
      0,
      'time_wrong',
    ],
    ['no time', { [name]: signed(ours, BODY)[name] }, BODY, 0, 'signature_missing'],
    ['no signature', { 'telnyx-timestamp': String(START / 1_000) }, BODY, 0, 'signature_missing'],
    [
      'a signature cut short',
      { ...signed(ours, BODY), [name]: 'AAAA' },
      BODY,
      0,
      'signature_wrong',
    ],
    ['no Base64 at all', { ...signed(ours, BODY), [name]: '!' }, BODY, 0, 'signature_wrong'],
    [
      'an HMAC of the public key, which everybody may know',
      {
        'telnyx-timestamp': String(START / 1_000),
        [name]: createHmac('sha512', publicOf(ours))
          .update(`${START / 1_000}|${String(BODY)}`)
          .digest('base64'),
      },
      BODY,
      0,
      'signature_wrong',
    ],
  ])('is refused with %s', (_, headers, body, later, why) => {
    expect(verify(headers, body, START + later)).toEqual(refused(why));
  });

  it('needs a public key that is one', () => {
    for (const secret of ['short', '', 'x'.repeat(44), `${publicOf(ours)}AAAA`]) {
      expect(() => createVerifier(RULES, [secret])).toThrow(/32 bytes in Base64/);
    }
  });

  it('cannot be made here: the public half signs nothing', () => {
    expect(createSigner(RULES, publicOf(ours))(BODY, 'msg_1', START)).toEqual({});
  });
});
