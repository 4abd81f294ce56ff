import { describe, expect, it } from 'vitest';
import type { DeliveryDecision, Store } from '../../../src/store/port.ts';
import { START } from '../../helpers/clock.ts';
import {
  aPlacedCall,
  aRunningStore,
  CAMPAIGN,
  claimedOne,
  placed,
  rowOf,
  settled,
  unknown,
  type OpenStore,
} from './setup.ts';

const delivery = {
  id: 'dlv_1',
  service: 'main',
  key: 'evt_1',
  receivedAt: START,
  headers: { 'content-type': 'application/json' },
  body: new TextEncoder().encode('{"call":"call_1"}'),
  signed: true,
};
const due = (store: Store, now = START) => store.dueDeliveries({ service: 'main', now, limit: 10 });
const all = { state: null, service: null, limit: 10 };

function decision(overrides: Partial<DeliveryDecision> = {}): DeliveryDecision {
  return {
    id: 'dlv_1',
    at: START + 1,
    state: 'applied',
    reason: null,
    type: 'call.finished',
    callId: 'call_1',
    attemptKey: null,
    attemptId: null,
    tryAt: null,
    lead: null,
    ...overrides,
  };
}

export function inboxRules(open: OpenStore): void {
  describe('inboxPut', () => {
    it('keeps a delivery once, however often and by whomever it is put, and counts', async () => {
      const { store, beside, reopen } = await open();

      expect(await store.inboxPut(delivery)).toBe(true);
      expect(await (await beside()).inboxPut({ ...delivery, id: 'dlv_2' })).toBe(false);
      const later = await reopen();
      expect(await later.inboxPut({ ...delivery, id: 'dlv_3' })).toBe(false);
      expect(await later.listDeliveries(all)).toMatchObject([{ id: 'dlv_1', times: 3 }]);
    });

    it('takes the same key from another service as another delivery', async () => {
      const { store } = await open();

      expect(await store.inboxPut(delivery)).toBe(true);
      expect(await store.inboxPut({ ...delivery, id: 'dlv_2', service: 'other' })).toBe(true);
    });

    it('loses nothing to a name that was given before: other bytes are another delivery', async () => {
      const { store } = await open();
      const other = { ...delivery, id: 'dlv_2', body: new TextEncoder().encode('{}') };
      await store.inboxPut(delivery);

      expect(await store.inboxPut(other)).toBe(true);
      expect(await store.inboxPut({ ...other, id: 'dlv_3' })).toBe(false);
      expect(await due(store)).toHaveLength(2);
    });

    it('reads again what comes again with a signature', async () => {
      const { store } = await open();
      await store.inboxPut({ ...delivery, signed: false });
      await store.decideDeliveries([decision({ state: 'hint' })]);
      expect(await due(store)).toEqual([]);

      await store.inboxPut({ ...delivery, id: 'dlv_2' });
      expect(await due(store)).toMatchObject([{ id: 'dlv_1', signed: true }]);
    });
  });

  describe('a delivery', () => {
    it('is due at once at the process that received it, and at all others 5 s later', async () => {
      const { store } = await open();
      for (const id of ['dlv_a_1', 'dlv_a_2', 'dlv_b_1'])
        await store.inboxPut({ ...delivery, id, key: id });
      await store.inboxPut({ ...delivery, id: 'dlv_a_3', service: 'other' });
      const dueAt = async (receiver: string, now: number) => {
        const found = await store.dueDeliveries({ service: 'main', now, limit: 10, receiver });
        return found.map(({ id }) => id).sort();
      };

      expect(await dueAt('dlv_a', START)).toEqual(['dlv_a_1', 'dlv_a_2']);
      expect(await dueAt('dlv_b', START + 4_999)).toEqual(['dlv_b_1']);
      expect(await dueAt('dlv_b', START + 5_000)).toEqual(['dlv_a_1', 'dlv_a_2', 'dlv_b_1']);

      await store.decideDeliveries([decision({ id: 'dlv_b_1' })]);
      expect(await store.nextDeliveryAt('main', 'dlv_a')).toBe(START);
      expect(await store.nextDeliveryAt('main', 'dlv_b')).toBeNull();
    });

    it('is told as the next one only if it is due early enough', async () => {
      const { store } = await open();
      await store.inboxPut(delivery);
      await store.decideDeliveries([decision({ state: 'unmatched', tryAt: START + 9 })]);
      expect(await store.nextDeliveryAt('main', '', START + 8)).toBeNull();
      expect(await store.nextDeliveryAt('main', '', START + 9)).toBe(START + 9);
      expect(await store.nextDeliveryAt('main')).toBe(START + 9);
    });

    it('is due with its bytes until it is decided, and again when it is replayed', async () => {
      const { store } = await open();
      await store.inboxPut(delivery);
      const [kept] = await due(store);
      expect(kept).toMatchObject({ id: 'dlv_1', signed: true, headers: delivery.headers });
      expect(new Uint8Array(kept?.body ?? [])).toEqual(delivery.body);
      expect(await store.nextDeliveryAt('main')).toBe(START);

      await store.decideDeliveries([decision({ state: 'ignored', reason: 'why' })]);
      expect(await due(store)).toEqual([]);
      expect(await store.nextDeliveryAt('main')).toBeNull();
      expect(await store.listDeliveries(all)).toMatchObject([{ state: 'ignored', reason: 'why' }]);
      expect(await store.listDeliveries({ ...all, state: 'applied' })).toEqual([]);
      expect(await store.countDeliveries()).toEqual([
        { service: 'main', state: 'ignored', count: 1 },
      ]);

      expect(await store.replayDeliveries({ ids: ['dlv_1', 'dlv_9'] }, START)).toBe(1);
      expect(await due(store)).toHaveLength(1);
      expect(await store.replayDeliveries({ state: 'received' }, START)).toBe(1);
    });

    it('without an attempt is matched again once there is one, and not before', async () => {
      const store = await aRunningStore(open);
      const { attemptId, key } = await claimedOne(store);
      const intent = await claimedOne(store);
      const tryAt = START + 86_400_000;
      await store.inboxPut(delivery);
      await store.inboxPut({ ...delivery, id: 'dlv_2', key: 'evt_2' });
      await store.inboxPut({ ...delivery, id: 'dlv_3', key: 'evt_3' });
      await store.decideDeliveries([
        decision({ state: 'unmatched', tryAt }),
        decision({ id: 'dlv_2', state: 'unmatched', tryAt, callId: 'call_9', attemptKey: 'none' }),
        decision({ id: 'dlv_3', state: 'unmatched', tryAt, callId: null, attemptKey: key }),
      ]);

      expect(await store.wakeDeliveries('main', START + 5)).toBe(1);
      expect(await due(store, START + 5)).toMatchObject([{ id: 'dlv_3' }]);
      await store.decideDeliveries([decision({ id: 'dlv_3' })]);

      await store.recordDial(attemptId, placed('call_1'));
      await store.recordDial(intent.attemptId, unknown());
      expect(await store.wakeDeliveries('main', START + 6)).toBe(1);
      expect(await due(store, START + 6)).toMatchObject([{ id: 'dlv_1' }]);
      expect(await store.wakeDeliveries('other', START + 6)).toBe(0);
    });
  });

  describe('a great many deliveries without an attempt', () => {
    const tryAt = START + 86_400_000;
    const MANY = 2_100;

    async function many() {
      const store = await aRunningStore(open);
      const first = await claimedOne(store);
      const second = await claimedOne(store);
      await Promise.all(
        Array.from({ length: MANY }, (_, n) =>
          store.inboxPut({ ...delivery, id: `dlv_${n}`, key: `evt_${n}` }),
        ),
      );
      await store.decideDeliveries(
        Array.from({ length: MANY }, (_, n) =>
          decision({
            id: `dlv_${n}`,
            state: 'unmatched',
            tryAt: tryAt + Math.floor(n / 7),
            callId: `call_${n}`,
          }),
        ),
      );
      return { store, first, second };
    }

    it('do not hide one of a call in progress', async () => {
      const { store, first } = await many();
      await store.recordDial(first.attemptId, placed(`call_${MANY - 1}`));

      expect(await store.wakeDeliveries('main', START + 5)).toBe(1);
      expect(await due(store, START + 5)).toMatchObject([{ id: `dlv_${MANY - 1}` }]);
    });

    it('are gone through in turn for those of calls that are over', async () => {
      const { store, first, second } = await many();
      for (const [{ attemptId }, call] of [
        [first, 'call_1000'],
        [second, `call_${MANY - 1}`],
      ] as const) {
        await store.recordDial(attemptId, placed(call));
        await store.recordPoll(attemptId, settled(call));
      }

      const woken = [];
      for (let turn = 0; turn < 3; turn++) {
        woken.push(await store.wakeDeliveries('main', START + 5 + turn));
      }
      expect(woken).toEqual([0, 1, 1]);
      expect((await due(store, START + 9)).map(({ id }) => id)).toEqual([
        'dlv_1000',
        `dlv_${MANY - 1}`,
      ]);

      expect(await store.wakeDeliveries('main', START + 9)).toBe(0);
    });
  });

  describe('listDeliveries', () => {
    it('goes on after the last one that was read, also among those of one moment', async () => {
      const { store } = await open();
      for (const [n, receivedAt] of [START, START, START, START + 1].entries())
        await store.inboxPut({ ...delivery, id: `dlv_${n}`, key: `evt_${n}`, receivedAt });
      const page = async (after: string | null, more = {}) =>
        (await store.listDeliveries({ ...all, ...more, after, limit: 2 })).map(({ id }) => id);
      expect(await page(null)).toEqual(['dlv_3', 'dlv_2']);
      expect(await page('dlv_2')).toEqual(['dlv_1', 'dlv_0']);
      expect(await page('dlv_0')).toEqual([]);
      expect(await page('dlv_2', { service: 'other' })).toEqual([]);
      expect(await page('not one of them')).toEqual([]);
    });
  });

  describe('a captured lead', () => {
    const lead = { fields: { name: 'Ada', budget: 12 }, capturedAt: START + 7, signed: true };

    it('belongs to call, lead and export, also when its call is known only later', async () => {
      const store = await aRunningStore(open);
      const intent = await aPlacedCall(store);
      const { attemptId } = intent;
      await store.inboxPut(delivery);
      await store.decideDeliveries([decision({ state: 'unmatched', lead })]);
      expect(await rowOf(store, intent)).toMatchObject({ capturedLeads: [] });
      expect(await store.capturedLeads(CAMPAIGN, null, 10)).toEqual([]);

      await store.decideDeliveries([decision({ attemptId, lead })]);
      await store.decideDeliveries([decision({ attemptId, lead })]);

      expect(await rowOf(store, intent)).toMatchObject({ capturedLeads: [lead.fields] });
      const [captured, ...others] = await store.capturedLeads(CAMPAIGN, null, 10);
      expect(others).toEqual([]);
      expect(captured).toMatchObject({ ...lead, phone: intent.phone, callId: 'call_1', attemptId });
      expect(await store.capturedLeads(CAMPAIGN, captured?.cursor ?? '', 10)).toEqual([]);
    });

    it('is not lost on a call that is settled', async () => {
      const store = await aRunningStore(open);
      const intent = await aPlacedCall(store);
      await store.recordPoll(intent.attemptId, settled('call_1'));
      await store.inboxPut(delivery);
      await store.decideDeliveries([decision({ attemptId: intent.attemptId, lead })]);

      expect(await rowOf(store, intent)).toMatchObject({
        result: 'answered',
        capturedLeads: [lead.fields],
      });
    });
  });

  describe('webhookToken', () => {
    it('stays what it was the first time, for each service its own', async () => {
      const { store, beside } = await open();
      const [first, second] = ['token-number-one-1', 'token-number-two-2'];

      expect(await store.webhookToken('main', first, START)).toBe(first);
      expect(await (await beside()).webhookToken('main', second, START)).toBe(first);
      expect(await store.webhookToken('other', second, START)).toBe(second);
    });
  });
}
