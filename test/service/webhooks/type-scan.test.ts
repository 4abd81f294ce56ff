import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDeliveryProtocol } from '../../../src/service/webhooks/delivery-protocol.ts';
import { loadProfile } from '../../../src/service/profile/profile.ts';
import { PROFILE_TEXT } from '../helpers.ts';
import { examples } from '../../helpers/properties.ts';

const AUDIO = { type: 'post_call_audio', data: { call_id: 'c1', full_audio: 'QUJD' } };

function protocolOf(rules: string) {
  const start = PROFILE_TEXT.indexOf('\nwebhooks:');
  const section = `\nwebhooks: { callId: [call_id], events: {}, ${rules} }\n`;
  const protocol = createDeliveryProtocol(
    loadProfile(PROFILE_TEXT.slice(0, start) + section, 'mine.yaml'),
    [],
  );
  if (protocol?.unneeded == null) throw new Error('it names what is unneeded');
  return { ...protocol, unneeded: protocol.unneeded };
}

const UNNEEDED = 'unneeded: { types: [post_call_audio, Recording Ready] }';
const wire = protocolOf(`type: [type], ${UNNEEDED}`);

/** @param size of the pieces in which it comes */
function isUnneeded(body: Buffer, { unneeded } = wire, size = body.length): boolean {
  const scan = unneeded.scan();
  for (let at = 0; at < body.length; at += size) scan.add(body.subarray(at, at + size));
  return scan.isUnneeded();
}

const json = (value: unknown) => Buffer.from(JSON.stringify(value));

describe('a delivery is unneeded', () => {
  it.each<[string, Buffer]>([
    ['by its type', json(AUDIO)],
    ['with its type behind the rest', json({ data: 'x'.repeat(5_000), type: 'post_call_audio' })],
    ['with blanks around', Buffer.from(' {\n "type"\t:\r\n  "post_call_audio" } \n')],
    ['with its type in another spelling', json({ type: 'Post-Call Audio' })],
    ['with its type escaped', Buffer.from('{"\\u0074ype":"post\\u005fcall_audio"}')],
    ['by any of the types', json({ type: 'recording.ready' })],
    ['by the last of two types', Buffer.from('{"type":"x","type":"post_call_audio"}')],
    ['after texts with quotes and backslashes', json({ a: 'x"y\\', type: 'post_call_audio' })],
    ['after lists and numbers', json({ a: [1, [{ type: 'x' }], null], type: 'post_call_audio' })],
  ])('%s, wherever it is cut', (_, body) => {
    for (let size = 1; size <= Math.min(body.length, 40); size++) {
      expect(isUnneeded(body, wire, size)).toBe(true);
    }
  });

  it.each<[string, Buffer]>([
    ['of another type', json({ type: 'post_call_transcription' })],
    ['without a type', json({ data: 1 })],
    ['whose type is no text', json({ type: ['post_call_audio'] })],
    ['whose type is an object', json({ type: { type: 'post_call_audio' } })],
    ['whose type only begins so', json({ type: 'post_call_audio_2' })],
    ['with the word in a text', json({ type: 'x', say: '"type":"post_call_audio"' })],
    ['with the word in an inner object', json({ type: 'x', data: { type: 'post_call_audio' } })],
    ['with the word in a list', json({ list: [{ type: 'post_call_audio' }] })],
    ['with the word as a name', json({ post_call_audio: 'type' })],
    ['with the word under another name', json({ kind: 'post_call_audio' })],
    ['by the first of two types', Buffer.from('{"type":"post_call_audio","type":"x"}')],
    ['that is a list', json([AUDIO])],
    ['that is a text', json('{"type":"post_call_audio"}')],
    ['that is cut off', json(AUDIO).subarray(0, -1)],
    ['that is cut off in a text', Buffer.from('{"type":"post_call_audio","a":"b')],
    ['with something behind it', Buffer.from('{"type":"post_call_audio"} {}')],
    ['with brackets that do not match', Buffer.from('{"type":"post_call_audio","a":[}]')],
    ['nested beyond all use', Buffer.from(`{"type":"post_call_audio","a":${'['.repeat(300)}`)],
    ['that is a form', Buffer.from('type=post_call_audio')],
    ['that is nothing', Buffer.alloc(0)],
  ])('but not one %s', (_, body) => {
    for (const size of [1, 2, 3, 7, body.length + 1]) {
      expect(isUnneeded(body, wire, size)).toBe(false);
    }
  });

  it('by the place that the profile names, the first of them that is there', () => {
    const inner = protocolOf(`within: [message, .], type: [event.kind, type], ${UNNEEDED}`);
    const of = (value: unknown) => isUnneeded(json(value), inner, 5);

    expect(of({ message: { type: 'post_call_audio' } })).toBe(true);
    expect(of({ type: 'post_call_audio' })).toBe(true);
    expect(of({ event: { kind: 'post_call_audio' }, type: 'x' })).toBe(true);
    expect(of({ type: 'post_call_audio', message: { type: 'x' } })).toBe(false);
    expect(of({ type: 'post_call_audio', message: { event: { kind: 'x' } } })).toBe(false);
    expect(of({ message: [{ type: 'post_call_audio' }] })).toBe(false);
  });

  it('exactly when it would be called so if it were read whole', () => {
    const inner = protocolOf(`within: [data, .], type: [type, data.kind], ${UNNEEDED}`);
    const name = fc.constantFrom('type', 'data', 'kind', '"\\');
    const word = fc.constantFrom('post_call_audio', 'recording.ready', 'x', '"\\}é', null, 1);
    const inside = (value: fc.Arbitrary<unknown>) =>
      fc.dictionary(name, fc.oneof(word, value, fc.array(value, { maxLength: 2 })), { maxKeys: 4 });
    const value = inside(inside(inside(word)));
    const types = new Set(['post_call_audio', 'recording.ready']);
    let hits = 0;
    fc.assert(
      fc.property(value, fc.integer({ min: 1, max: 30 }), fc.nat(3), (given, size, indent) => {
        const body = Buffer.from(JSON.stringify(given, null, indent));
        const reading = inner.read(body, {});
        const type = reading.kind === 'event' ? reading.type : null;
        if (types.has(type ?? '')) hits += 1;
        expect(isUnneeded(body, inner, size)).toBe(types.has(type ?? ''));
      }),
      { numRuns: examples(1_500), seed: 4 },
    );
    expect(hits).toBeGreaterThan(examples(100));
  });

  it('without a crash, whatever the bytes are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.json(), (bytes, text) => {
        isUnneeded(Buffer.from(bytes), wire, 7);
        isUnneeded(Buffer.concat([Buffer.from(text), Buffer.from(bytes)]), wire, 3);
        isUnneeded(Buffer.concat([Buffer.from('{"type":"'), Buffer.from(bytes)]), wire, 3);
      }),
    );
  });

  it('without keeping more of it than a type is long', () => {
    const scan = wire.unneeded.scan();
    let most = 0;
    const add = (text: string) => {
      scan.add(Buffer.from(text));
      most = Math.max(most, scan.held);
    };
    add(`{"${'n'.repeat(100_000)}":"`);
    for (let i = 0; i < 100; i++) add('v'.repeat(10_000));
    add('","type":"');
    for (let i = 0; i < 100; i++) add('t'.repeat(10_000));
    add('","type":"post_call_audio"}');

    expect(scan.isUnneeded()).toBe(true);
    expect(most).toBeLessThan(1_000);
  });
});

describe('a profile that calls deliveries unneeded', () => {
  it('takes 32 MB of them, or as many as it says', () => {
    const of = (largest: string) =>
      protocolOf(`type: [type], unneeded: { types: [a]${largest} }`).unneeded.largestBytes;
    expect([of(''), of(', largest: 1'), of(', largest: 256')]).toEqual([
      33_554_432, 1_048_576, 268_435_456,
    ]);
  });

  it.each([
    ['without types', 'type: [type], unneeded: { types: [] }', /unneeded\.types/],
    ['above 256 MB', 'type: [type], unneeded: { types: [a], largest: 257 }', /unneeded\.largest/],
    ['of less than 1 MB', 'type: [type], unneeded: { types: [a], largest: 0.5 }', /largest/],
    [
      'that an event needs',
      'type: [type], events: { a: ended }, unneeded: { types: [A] }',
      /unneeded\.types.*events says that a is needed: ended/,
    ],
    [
      'that every other event needs',
      "type: [type], events: { '*': ended }, unneeded: { types: [a] }",
      /events says that a is needed: ended/,
    ],
    [
      'whose type is an expression',
      "type: ['= body.type'], unneeded: { types: [a] }",
      /unneeded.*names in type and within/,
    ],
    [
      'inside of an expression',
      "type: [type], within: ['= body.data'], unneeded: { types: [a] }",
      /unneeded.*names in type and within/,
    ],
  ])('%s is refused with its place', (_, rules, named) => {
    const start = PROFILE_TEXT.indexOf('\nwebhooks:');
    const events = rules.includes('events') ? '' : 'events: {}, ';
    const section = `\nwebhooks: { callId: [call_id], ${events}${rules} }\n`;
    expect(() => loadProfile(PROFILE_TEXT.slice(0, start) + section, 'mine.yaml')).toThrow(named);
  });
});
