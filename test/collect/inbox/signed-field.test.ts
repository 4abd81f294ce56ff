import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  createDeliveryProtocol,
  createTestDelivery,
} from '../../../src/service/webhooks/delivery-protocol.ts';
import { loadProfile } from '../../../src/service/profile/profile.ts';
import { someAnalytics } from '../../helpers/factory.ts';
import { aReceiver, send } from '../../helpers/services/webhooks.ts';
import { PROFILE_TEXT } from '../../service/helpers.ts';
import { aDesk, claimOne, placed, rowOf, stateOf } from './inbox-desk.ts';

const KEY = 'field-secret';
const PROFILE = loadProfile(
  `${PROFILE_TEXT.slice(0, PROFILE_TEXT.indexOf('\nwebhooks:'))}
webhooks:
  type: [type]
  deliveryId: [id]
  callId: [call.id, ref]
  attemptKey: [key]
  events: { '*': analytics }
  signature: { scheme: hmac, header: x-signature, signed: '{body.ref}' }
`,
  'mine.yaml',
);
const PROTOCOL = createDeliveryProtocol(PROFILE, [KEY]);
if (PROTOCOL === null) throw new Error('the profile has webhooks');
const protocol = PROTOCOL;

/** The signature of a service that signs nothing but the id of the call. */
const over = (ref: string) => createHmac('sha256', KEY).update(ref).digest('hex');
const by = (ref: string) => ({ secret: null, headers: { 'x-signature': over(ref) } });

describe('a delivery of which only the call id is signed', () => {
  it('is kept as an unsigned one', async () => {
    const desk = await aReceiver({ protocol });
    expect(await send(desk.url, { ref: 'call_1' }, by('call_1'))).toMatchObject({ status: 200 });
    expect(await send(desk.url, { ref: 17 }, by('17'))).toMatchObject({ status: 200 });
    expect(await desk.kept()).toMatchObject([{ signed: false }, { signed: false }]);
    expect(protocol.proves).toBe('fields');
  });

  it.each<[string, unknown, object, string]>([
    ['with the id of another call', { ref: 'call_2' }, by('call_1'), 'signature_wrong'],
    ['without a signature', { ref: 'call_1' }, { secret: null }, 'signature_missing'],
    ['without the field', { type: 'x' }, by('call_1'), 'signature_wrong'],
    ['with a blank field, for which a signature is right', { ref: '' }, by(''), 'signature_wrong'],
    ['with an object as the field', { ref: { a: 1 } }, by('{"a":1}'), 'signature_wrong'],
    ['that is no JSON', Buffer.from('call_1'), by('call_1'), 'signature_wrong'],
    [
      'whose call, as it would be read, is another',
      { ref: 'call_1', call: { id: 'call_2' } },
      by('call_1'),
      'signature_wrong',
    ],
  ])('is refused %s', async (_what, event, how, why) => {
    const desk = await aReceiver({ protocol });
    expect(await send(desk.url, event, how)).toMatchObject({ status: 401 });
    expect(desk.receiver.counts.toJSON()).toEqual({ [why]: 1 });
    expect(await desk.kept()).toEqual([]);
  });

  it('does not take the place of another one by a name that anybody may write into it', async () => {
    const desk = await aReceiver({ protocol });
    await send(desk.url, { ref: 'call_1', id: 'evt_2' }, by('call_1'));
    await send(desk.url, { ref: 'call_2', id: 'evt_2' }, by('call_2'));
    await send(desk.url, { ref: 'call_2', id: 'evt_2' }, by('call_2'));
    expect(desk.receiver.counts.toJSON()).toEqual({ kept: 2, repeated: 1 });
  });

  it('may be sent again with other words around its id, and what counts is what the service says', async () => {
    const desk = await aDesk({ protocol });
    const { scene, inbox, heard } = desk;
    const { url } = await aReceiver({ protocol, store: scene.store, clock: scene.clock });
    const intent = await claimOne(scene);
    await scene.store.recordDial(intent.attemptId, placed('call_1'));

    const forged = {
      status: 'completed',
      transcript: 'person: Take me off your list',
      duration: 9,
    };
    await send(url, { ref: 'call_1', ...forged }, by('call_1'));
    await inbox.runOnce();

    expect(await stateOf(scene, 'dlv_1')).toMatchObject({
      state: 'hint',
      reason: 'unsigned: the call is read from the service',
    });
    expect(await rowOf(scene, intent)).toMatchObject({ attempt: { state: 'placed' } });
    expect(heard).toEqual(['poll due']);
  });

  it('that names a dial whose answer was lost counts once the service tells of that call', async () => {
    const { scene, inbox, reads } = await aDesk({ protocol });
    const { url } = await aReceiver({ protocol, store: scene.store, clock: scene.clock });
    const intent = await claimOne(scene);
    const lost = { answered: false, accepted: false, detail: 'no answer' };
    await scene.store.recordDial(intent.attemptId, {
      kind: 'unknown',
      at: scene.clock.now(),
      ...lost,
    });

    await send(url, { ref: 'call_1', key: intent.key, transcript: 'x' }, by('call_1'));
    await inbox.runOnce();

    expect(reads).toEqual(['call_1']);
    expect(await rowOf(scene, intent)).toMatchObject({
      attempt: { state: 'settled', callId: 'call_1' },
      analytics: { transcript: someAnalytics().transcript },
    });
  });

  it('can be sent by us to try the way', async () => {
    const desk = await aReceiver({ protocol });
    const { body, headers, keys } = createTestDelivery(PROFILE, KEY, {
      id: 'test_1',
      now: Date.now(),
      url: desk.url,
    });
    expect(await send(desk.url, body, { secret: null, headers })).toMatchObject({ status: 200 });
    const [kept] = await desk.kept();
    expect(keys).toContain(kept?.key);
  });
});

it('a signature must be over something of the delivery', () => {
  const text = PROFILE.text.replace('{body.ref}', '{timestamp}');
  expect(() => loadProfile(text, 'mine.yaml')).toThrow(
    'it must contain {body}, {fields} or a field such as {body.call_id}',
  );
});
