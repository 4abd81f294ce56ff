import { describe, expect, it } from 'vitest';
import type { Intent } from '../../../src/store/port.ts';
import { createDeliveryProtocol } from '../../../src/service/webhooks/delivery-protocol.ts';
import { loadProfile } from '../../../src/service/profile/profile.ts';
import { START } from '../../helpers/clock.ts';
import { aPhone, someAnalytics } from '../../helpers/factory.ts';
import { protocol } from '../../helpers/services/webhooks.ts';
import { PROFILE_TEXT } from '../../service/helpers.ts';
import {
  aDesk,
  aDialled,
  claimOne,
  finished,
  placed,
  rowOf,
  SETTLED,
  stateOf,
  unknown,
} from './inbox-desk.ts';

describe('a signed "call finished"', () => {
  it('frees the slot and has the call polled at once', async () => {
    const { scene, deliver, heard, reads, intent } = await aDialled(placed('call_1'));

    expect(await deliver(finished({ call_id: 'call_1' }))).toMatchObject({
      state: 'applied',
      attemptId: intent.attemptId,
    });

    expect(await rowOf(scene, intent)).toMatchObject({ attempt: { state: 'ended' } });
    const due = { service: 'main', campaignId: null, now: scene.clock.now(), limit: 10 };
    expect(await scene.store.duePolls(due)).toMatchObject([{ callId: 'call_1' }]);
    expect(heard).toEqual(['line down', 'poll due']);
    expect(reads).toEqual([]);
  });

  it('before the own answer of its dial ends in the same row', async () => {
    const { scene, deliver } = await aDesk();
    const intent = await claimOne(scene);

    const early = finished({ call_id: 'call_1', idempotency_key: intent.key });
    expect(await deliver(early)).toMatchObject({ state: 'applied' });
    expect(await scene.store.recordDial(intent.attemptId, placed('call_1'))).toBe('stayed');

    expect(await rowOf(scene, intent)).toMatchObject({
      attempt: { state: 'ended', callId: 'call_1' },
    });
  });

  it('before the own answer of its dial, without a key, waits for that answer', async () => {
    const { scene, deliver, inbox } = await aDesk();
    const intent = await claimOne(scene);
    const id = 'dlv_1';

    expect(await deliver(finished({ call_id: 'call_1' }))).toMatchObject({ state: 'unmatched' });
    await scene.store.recordDial(intent.attemptId, placed('call_1'));
    await scene.clock.advance(1_000);
    await inbox.runOnce();

    expect(await stateOf(scene, id)).toMatchObject({
      state: 'applied',
      attemptId: intent.attemptId,
    });
  });

  it.each(['unknown', 'unconfirmed'])(
    'is the only trace of a call whose attempt is %s, and lifts it',
    async (state) => {
      const { scene, deliver, intent } = await aDialled(unknown);
      if (state === 'unconfirmed') {
        const { id: campaignId, settings } = scene.campaign;
        const now = START + 3_600_000;
        await scene.store.sweep({ campaignId, now, settings, gone: [] });
      }
      expect(await rowOf(scene, intent)).toMatchObject({ attempt: { state } });

      const only = finished({ call_id: 'call_9', idempotency_key: intent.key });
      expect(await deliver(only)).toMatchObject({ state: 'applied' });
      expect(await rowOf(scene, intent)).toMatchObject({
        state: 'calling',
        attempt: { state: 'ended', callId: 'call_9' },
      });
    },
  );

  it('finds its call by the number where that can be no other', async () => {
    const { scene, deliver, intent } = await aDialled(unknown);

    const event = finished({ call_id: 'call_9', phone_number: intent.phone, agent_id: 'ag_1' });
    expect(await deliver(event)).toMatchObject({ state: 'applied' });
    expect(await rowOf(scene, intent)).toMatchObject({ attempt: { callId: 'call_9' } });
  });

  it.each<[string, (intent: Intent) => object]>([
    ['another number', () => finished({ call_id: 'c', phone_number: aPhone(99) })],
    ['an earlier time', ({ phone }) => finished({ call_id: 'c', phone_number: phone }, START - 1)],
    [
      'another agent',
      ({ phone }) => finished({ call_id: 'c', phone_number: phone, agent_id: 'x' }),
    ],
    [
      'another dial',
      ({ phone }) => finished({ call_id: 'c', phone_number: phone, idempotency_key: 'x' }),
    ],
    [
      'no time',
      ({ phone }) => ({ type: 'call.finished', data: { call_id: 'c', phone_number: phone } }),
    ],
    ['no call', ({ phone }) => finished({ phone_number: phone })],
  ])('with %s does not touch a call in doubt', async (_, eventFor) => {
    const { scene, deliver, intent } = await aDialled(unknown);

    expect(await deliver(eventFor(intent))).toMatchObject({ state: 'unmatched', attemptId: null });
    expect(await rowOf(scene, intent)).toMatchObject({ attempt: { state: 'unknown' } });
  });

  it('that names another call than its dial was answered with is a contradiction, kept', async () => {
    const { scene, deliver, intent } = await aDialled(placed('call_1'));

    const event = finished({ call_id: 'call_2', idempotency_key: intent.key });
    expect(await deliver(event)).toMatchObject({ state: 'contradicted' });

    expect(await rowOf(scene, intent)).toMatchObject({ attempt: { callId: 'call_1' } });
    const history = await scene.store.history(scene.campaign.id);
    expect(history.at(-1)).toMatchObject({ what: 'delivery.contradicted' });
  });

  it('of a call that was given up has it read again', async () => {
    const { scene, deliver, reads, intent } = await aDialled(placed('call_1'));
    await scene.store.recordPoll(intent.attemptId, {
      kind: 'pending',
      at: START,
      nextPollAt: START + 90_000_000,
    });
    const { id: campaignId, settings } = scene.campaign;
    const now = START + 80_000_000;
    await scene.store.sweep({ campaignId, now, settings, gone: [] });
    expect(await rowOf(scene, intent)).toMatchObject({ result: 'no_result' });

    expect(await deliver(finished({ call_id: 'call_1' }))).toMatchObject({ state: 'applied' });
    expect(reads).toEqual(['call_1']);
    expect(await rowOf(scene, intent)).toMatchObject({ result: 'answered' });
  });

  it('again, later, or out of order changes nothing', async () => {
    const { scene, deliver, intent } = await aDialled(placed('call_1'));
    await scene.store.recordPoll(intent.attemptId, {
      kind: 'settled',
      at: START + 1,
      callId: 'call_1',
      analytics: someAnalytics(),
      result: 'answered',
      source: 'derived',
    });
    const before = await scene.rows();

    expect(await deliver(finished({ call_id: 'call_1' }))).toMatchObject({ state: 'applied' });
    expect(await deliver(finished({ call_id: 'call_1' }))).toMatchObject({ state: 'applied' });
    expect(await scene.rows()).toEqual(before);
  });
});

describe('a signed delivery that is the analytics', () => {
  const section = `\nwebhooks: { type: [type], callId: [call_id], events: { '*': analytics } }\n`;
  const profile = PROFILE_TEXT.slice(0, PROFILE_TEXT.indexOf('\nwebhooks:')) + section;
  const whole = createDeliveryProtocol(loadProfile(profile, 'mine.yaml'), []) ?? protocol();

  it('says an opt-out that counts, though the service had said that the call never rang', async () => {
    const { scene, deliver, intent } = await aDialled(placed('call_1'), { protocol: whole });
    const unrung = { at: START + 1, callId: 'call_1', detail: 'no line', notBefore: START };
    const poll = { kind: 'not_called', refusal: 'no line', pause: false, ...unrung } as const;
    await scene.store.recordPoll(intent.attemptId, poll);

    await deliver({ call_id: 'call_1', status: 'completed', opt_out: true, duration: 30 });

    const query = { campaignId: null, phones: [intent.phone], now: START + 9 };
    expect(await scene.store.lookUpPhones(query)).toMatchObject([
      { suppressed: expect.any(String) as string },
    ]);
  });

  it.each<[string, object, string, string, object]>([
    [
      'are there',
      { status: 'completed', transcript: 'agent: Hi.\nperson: Yes.', duration: 12 },
      'applied',
      'settled',
      { analytics: { durationMs: 12_000 } },
    ],
    ['are still to come', { status: 'processing' }, 'applied', 'ended', {}],
    ['are of a call that goes on', { status: 'in-progress' }, 'applied', 'placed', {}],
    ['cannot be read', { something: 'else' }, 'hint', 'placed', {}],
  ])('says what a poll would have found, where they %s', async (_, said, state, to, row) => {
    const { scene, deliver, reads, intent } = await aDialled(placed('call_1'), { protocol: whole });

    expect(await deliver({ call_id: 'call_1', ...said })).toMatchObject({ state });

    expect(await rowOf(scene, intent)).toMatchObject({ attempt: { state: to }, ...row });
    expect(reads).toEqual([]);
  });

  it.each([true, false])(
    'says later than others that the person opted out, which all campaigns know then (signed: %s)',
    async (signed) => {
      const look = { ...SETTLED, result: 'opted_out' } as const;
      const { scene, deliver, intent } = await aDialled(placed('call_1'), {
        protocol: whole,
        look,
      });
      const first = { status: 'completed', transcript: 'agent: Hi.\nperson: Yes.', duration: 12 };
      await deliver({ call_id: 'call_1', ...first });

      await deliver({ call_id: 'call_1', ...first, analysis: { opt_out: true } }, { signed });

      const held = { now: scene.clock.now(), after: null, limit: 10 };
      expect(await scene.store.suppressions(held)).toMatchObject([
        { phone: intent.phone, source: 'service' },
      ]);
    },
  );
});
