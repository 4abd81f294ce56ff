import { describe, expect, it } from 'vitest';
import { writeCapturedLeads } from '../../../src/results/write.ts';
import { Writable } from 'node:stream';
import { createDeliveryProtocol } from '../../../src/service/webhooks/delivery-protocol.ts';
import { loadProfile } from '../../../src/service/profile/profile.ts';
import type { DeliveryDecision } from '../../../src/store/port.ts';
import { aPhone } from '../../helpers/factory.ts';
import { protocol } from '../../helpers/services/webhooks.ts';
import { PROFILE_TEXT } from '../../service/helpers.ts';
import { aDesk, aDialled, claimOne, finished, placed, rowOf, stateOf } from './inbox-desk.ts';

const NO_TIMES = [
  1e300,
  -1e300,
  1.7e18 * 1_000,
  1e15,
  -1,
  0,
  '9'.repeat(400),
  '+275760-09-13',
  {},
  [],
  true,
];

/** Its last delivery brings the analytics. */
const telling = () =>
  createDeliveryProtocol(
    loadProfile(
      PROFILE_TEXT.replace('call.analyzed: ended', 'call.analyzed: analytics'),
      'mine.yaml',
    ),
    [],
  ) ?? protocol();
const analyzed = (data: Record<string, unknown>) => ({
  type: 'call.analyzed',
  data: { transcript: 'agent: Hello.\nuser: Yes.', duration: 42, ...data },
});

describe('a delivery with a time that is none', () => {
  it.each([true, false])(
    'is dealt with, and those after it as well (signed: %s)',
    async (signed) => {
      const { scene, deliver } = await aDialled(placed('call_1'));

      for (const timestamp of NO_TIMES) {
        const event = {
          type: 'lead.captured',
          timestamp,
          data: { call_id: 'call_1', lead: { n: 1 } },
        };
        expect(await deliver(event, { signed })).toMatchObject({ state: 'applied' });
      }
      const last = { type: 'lead.captured', data: { call_id: 'call_1', lead: { last: 'yes' } } };
      expect(await deliver(last, { signed })).toMatchObject({ state: 'applied' });

      let csv = '';
      const to = new Writable({
        write: (chunk: Buffer, _, done) => {
          csv += chunk.toString();
          done();
        },
      });
      const { store, campaign } = scene;
      const { rows } = await writeCapturedLeads({ store, campaign, to, format: 'csv' });
      expect(rows).toBe(NO_TIMES.length + 1);
      expect(csv.match(/^\d{4}-\d\d-\d\dT/gm)).toHaveLength(rows);
    },
  );
});

describe('a delivery that cannot be kept', () => {
  it('waits for a person with its reason, and stops no other of its batch', async () => {
    const { scene, put, inbox } = await aDialled(placed('call_1'));
    const decide = scene.store.decideDeliveries.bind(scene.store);
    scene.store.decideDeliveries = (decisions: readonly DeliveryDecision[]) =>
      decisions.some(({ type }) => type === 'lead.captured')
        ? Promise.reject(new RangeError('no column holds it'))
        : decide(decisions);

    const bad = await put({ type: 'lead.captured', data: { call_id: 'call_1', lead: {} } });
    const good = await put(finished({ call_id: 'call_1' }));
    expect(await inbox.runOnce()).toBe(2);

    expect(await stateOf(scene, bad)).toMatchObject({
      state: 'unreadable',
      reason: 'it could not be dealt with: no column holds it',
    });
    expect(await stateOf(scene, good)).toMatchObject({ state: 'applied' });
    expect(await inbox.runOnce()).toBe(0);
  });

  it('because its own evidence fails stops no other either', async () => {
    const { scene, put, inbox } = await aDialled(placed('call_1'));
    scene.store.recordPoll = () => Promise.reject(new TypeError('it cannot be bound'));

    const bad = await put(finished({ call_id: 'call_1' }));
    const good = await put({ type: 'lead.captured', data: { call_id: 'call_1', lead: {} } });
    await inbox.runOnce();

    expect(await stateOf(scene, bad)).toMatchObject({ state: 'unreadable' });
    expect(await stateOf(scene, good)).toMatchObject({ state: 'applied' });
  });
});

describe('a delivery that names another call than it is about', () => {
  it.each<[string, Record<string, unknown>]>([
    ['within its analytics', { call_id: 'call_1', analytics: { call_id: 'call_9' } }],
    ['by the number', { call_id: 'call_1', phone_number: aPhone(77) }],
    ['by the key', { call_id: 'call_1', idempotency_key: 'of-another' }],
  ])('(%s) is a contradiction in the history, and not in the results', async (_, data) => {
    const { scene, deliver, intent } = await aDialled(placed('call_1'), { protocol: telling() });

    expect(await deliver(analyzed(data))).toMatchObject({ state: 'contradicted' });

    expect(await rowOf(scene, intent)).toMatchObject({
      analytics: null,
      attempt: { state: 'placed' },
    });
    expect((await scene.store.history(scene.campaign.id)).at(-1)).toMatchObject({
      what: 'delivery.contradicted',
      detail: { attempt: intent.attemptId },
    });
  });

  it('is believed where all that it names is the call’s own', async () => {
    const { scene, deliver, intent } = await aDialled(placed('call_1'), { protocol: telling() });

    const { phone, key } = intent;
    const data = { call_id: 'call_1', phone_number: phone, idempotency_key: key };
    expect(await deliver(analyzed(data))).toMatchObject({ state: 'applied' });
    expect(await rowOf(scene, intent)).toMatchObject({ result: 'answered' });
  });
});

describe('deliveries about a call id that two dials were answered with', () => {
  it.each<[string, 0 | 1 | null, string]>([
    ['of the one that has it are taken', 0, 'applied'],
    ['of the other one are a contradiction', 1, 'contradicted'],
    ['that do not say whose they are, too', null, 'contradicted'],
  ])('%s', async (_, whose, state) => {
    const { scene, deliver } = await aDesk({ protocol: telling() });
    const both = [await claimOne(scene), await claimOne(scene)] as const;
    for (const { attemptId } of both) await scene.store.recordDial(attemptId, placed('call_1'));

    const named = whose === null ? {} : { phone_number: both[whose].phone };
    expect(await deliver(analyzed({ call_id: 'call_1', ...named }))).toMatchObject({ state });
    const lead = { type: 'lead.captured', data: { call_id: 'call_1', ...named, lead: { n: 1 } } };
    expect(await deliver(lead)).toMatchObject({ state });

    const found = await Promise.all(both.map((intent) => rowOf(scene, intent)));
    const isTaken = whose === 0;
    expect(found.map((row) => row?.capturedLeads.length)).toEqual([isTaken ? 1 : 0, 0]);
    expect(found.map((row) => row?.analytics !== null)).toEqual([isTaken, false]);
  });
});

it('a delivery whose call id is longer than any id is unreadable, and says why', async () => {
  const { deliver } = await aDesk();

  const kept = await deliver(finished({ call_id: 'x'.repeat(300_000) }));
  expect(kept).toMatchObject({ state: 'unreadable' });
  expect(kept?.reason).toContain('has 300000 signs, and at most 512 are taken');
});
