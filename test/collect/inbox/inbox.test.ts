import { describe, expect, it } from 'vitest';
import { createInbox } from '../../../src/collect/inbox/inbox.ts';
import type { ToldBy } from '../../../src/domain/polling/poll-scheduler.ts';
import type { PollResult } from '../../../src/service/port.ts';
import { aPhone, someAnalytics } from '../../helpers/factory.ts';
import { protocol } from '../../helpers/services/webhooks.ts';
import { until } from '../../helpers/until.ts';
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

describe('an unsigned delivery', () => {
  it('about a known call only has it polled', async () => {
    const { scene, deliver, heard, intent } = await aDialled(placed('call_1'));

    const event = finished({ call_id: 'call_1' });
    expect(await deliver(event, { signed: false })).toMatchObject({ state: 'hint' });
    expect(await rowOf(scene, intent)).toMatchObject({ attempt: { state: 'placed' } });
    expect(heard).toEqual(['poll due']);
  });

  it('about a call in doubt counts once the service confirms it', async () => {
    const { scene, deliver, reads, intent } = await aDialled(unknown);

    const event = finished({ call_id: 'call_9', idempotency_key: intent.key });
    expect(await deliver(event, { signed: false })).toMatchObject({ state: 'applied' });
    expect(reads).toEqual(['call_9']);
    expect(await rowOf(scene, intent)).toMatchObject({
      result: 'answered',
      attempt: { callId: 'call_9' },
    });
  });

  it.each<[string, PollResult, string]>([
    ['does not know it', { kind: 'pending' }, 'unmatched'],
    [
      'cannot be asked',
      { kind: 'failed', detail: '', retryAfterMs: null, keyRefused: false },
      'unmatched',
    ],
    [
      'says that another person was called',
      { ...SETTLED, analytics: someAnalytics({ raw: { phone_number: aPhone(99) } }) },
      'contradicted',
    ],
  ])('about a call in doubt changes nothing where the service %s', async (_, look, state) => {
    const { scene, deliver, intent } = await aDialled(unknown, { look });

    const event = finished({ call_id: 'call_9', phone_number: intent.phone });
    expect(await deliver(event, { signed: false })).toMatchObject({ state });
    expect(await rowOf(scene, intent)).toMatchObject({ attempt: { state: 'unknown' } });
  });
});

describe('deliveries that come after a poll has found the end', () => {
  it.each([true, false])(
    'are not taken for ones that have stopped (signed: %s)',
    async (signed) => {
      const { deliver, heard, pollScheduler, scene } = await aDialled(placed('call_1'));
      const told = (by: ToldBy, count = 1) => {
        for (let n = 0; n < count; n++)
          pollScheduler.settled(
            { attemptId: `call${n}`, polls: 0, placedAt: scene.clock.now() - 60_000 },
            60_000,
            by,
          );
      };
      told('delivery');
      told('poll', 4);
      await scene.night.sleep(30_000);
      await deliver(finished({ call_id: 'call_1' }), { signed });
      told('poll', 4);

      expect(heard).not.toContain('stopped');
      await scene.night.sleep(30_000);
      told('poll');
      expect(heard).toContain('stopped');
    },
  );
});

describe('a captured lead', () => {
  const lead = { name: 'Ada', tags: ['a', 'b'], nested: { budget: 12 } };

  it.each([true, false])('is kept with every field (signed: %s)', async (signed) => {
    const { scene, deliver, intent } = await aDialled(placed('call_1'));

    const event = { type: 'lead.captured', data: { call_id: 'call_1', lead } };
    expect(await deliver(event, { signed })).toMatchObject({ state: 'applied' });

    expect(await rowOf(scene, intent)).toMatchObject({ capturedLeads: [lead] });
    expect(await scene.store.capturedLeads(scene.campaign.id, null, 10)).toMatchObject([
      { signed, fields: lead, callId: 'call_1' },
    ]);
  });

  it("of a call that contradicts its dial is kept, and is nobody's", async () => {
    const { scene, deliver, intent } = await aDialled(placed('call_1'));

    const data = { call_id: 'call_1', idempotency_key: 'of-another', lead };
    expect(await deliver({ type: 'lead.captured', data })).toMatchObject({ state: 'contradicted' });

    expect(await rowOf(scene, intent)).toMatchObject({ capturedLeads: [] });
  });

  it('that is there before its call waits for it', async () => {
    const { scene, deliver, inbox } = await aDesk();
    const intent = await claimOne(scene);

    const event = { type: 'lead.captured', data: { call_id: 'call_1', lead } };
    expect(await deliver(event)).toMatchObject({ state: 'unmatched' });
    await scene.store.recordDial(intent.attemptId, placed('call_1'));
    await scene.clock.advance(1_000);
    await inbox.runOnce();

    expect(await rowOf(scene, intent)).toMatchObject({ capturedLeads: [lead] });
  });
});

describe('what says nothing of a call', () => {
  it.each<[string, unknown, string]>([
    ['no JSON', Buffer.from('<xml/>'), 'unreadable'],
    ['a type that the profile does not name', { type: 'agent.updated' }, 'unknown'],
    ['a type that means nothing', { type: 'call.started' }, 'ignored'],
    ['a test of the way', { type: 'callsheet.test' }, 'ignored'],
    ['a call of somebody else', finished({ call_id: 'not-ours' }), 'unmatched'],
  ])('%s is kept with its reason', async (_, event, state) => {
    const { deliver } = await aDesk();

    const kept = await deliver(event);
    expect(kept).toMatchObject({ state });
    expect(kept?.reason).toEqual(expect.stringMatching(/./));
  });

  it('is matched again for a day and then left', async () => {
    const { scene, inbox, put } = await aDesk();
    await put(finished({ call_id: 'not-ours' }));
    await inbox.runOnce();
    expect(await scene.store.nextDeliveryAt('main')).toBe(scene.clock.now() + 86_400_000);

    await scene.clock.advance(86_400_000);
    await inbox.runOnce();
    expect(await scene.store.nextDeliveryAt('main')).toBeNull();
  });
});

describe('the inboxes of two processes', () => {
  it('each take what they received at once, and what the other one leaves for 5 s; all of it when they begin', async () => {
    const { scene, put } = await aDesk();
    const { store, clock } = scene;
    const stateIs = async (id: string, state: string) =>
      (await stateOf(scene, id))?.state === state;
    const test = (id: string) => put({ type: 'callsheet.test', id }, { id });
    await test('dlv_a_1');
    const service = { name: 'main', readAnalytics: () => Promise.reject(new Error('none')) };
    const options = { store, service, protocol: protocol(), feed: new Map(), clock };
    const inbox = createInbox({ ...options, notify: () => undefined, receiver: 'dlv_b' });
    const stopping = new AbortController();
    const running = inbox.run(stopping.signal);
    await until(() => stateIs('dlv_a_1', 'ignored'));

    await test('dlv_a_2');
    await test('dlv_b_1');
    inbox.wake();
    await until(() => stateIs('dlv_b_1', 'ignored'));
    await clock.advance(4_999);
    expect(await stateOf(scene, 'dlv_a_2')).toMatchObject({ state: 'received' });

    const passing = (async () => {
      while (!stopping.signal.aborted) await clock.advance(500);
    })();
    await until(() => stateIs('dlv_a_2', 'ignored'));
    stopping.abort();
    await Promise.all([running, passing]);
  });
});
