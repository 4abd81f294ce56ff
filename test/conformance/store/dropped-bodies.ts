import { describe, expect, it } from 'vitest';
import type { DeliveryState } from '../../../src/store/port.ts';
import { START } from '../../helpers/clock.ts';
import type { OpenStore } from './setup.ts';

const DAY = 86_400_000;
const bytes = (text: string) => new TextEncoder().encode(text);
const delivery = {
  service: 'main',
  receivedAt: START,
  headers: { 'content-type': 'application/json' },
  signed: false,
};
const nothing = { reason: null, type: 'x', callId: null, attemptKey: null, attemptId: null };

export function droppedBodyRules(open: OpenStore): void {
  describe('the bodies of old deliveries', () => {
    it('are dropped once they did their part, of those that came to nothing later, and of no other', async () => {
      const { store } = await open();
      const states = [
        'applied',
        'hint',
        'ignored',
        'unmatched',
        'contradicted',
        'unknown',
      ] as const;
      for (const state of [...states, 'unreadable', 'received'] as const) await keep(store, state);
      await keep(store, 'applied', { id: 'new', receivedAt: START + 2 * DAY });
      await keep(store, 'applied', { id: 'of_another', service: 'other' });
      await keep(store, 'hint', { id: 'to_do' }, START + DAY);

      const query = { service: 'main', from: 0, before: START + DAY, uselessBefore: START };
      expect(await store.dropBodies(query)).toBeNull();

      const all = await store.listDeliveries({ state: null, service: null, limit: 100 });
      const dropped = all.filter(({ bodyDropped }) => bodyDropped).map(({ id }) => id);
      expect(dropped.toSorted()).toEqual(['applied', 'hint', 'ignored']);
      expect((await store.findDelivery('applied'))?.body).toHaveLength(0);
      expect((await store.findDelivery('unreadable'))?.body).not.toHaveLength(0);

      await store.dropBodies({ ...query, uselessBefore: START + 1 });
      const later = await store.listDeliveries({ state: null, service: null, limit: 100 });
      const kept = later.filter(({ bodyDropped }) => !bodyDropped).map(({ id }) => id);
      expect(kept.toSorted()).toEqual(['new', 'of_another', 'received', 'to_do']);
    });

    it('are not missed: what comes again is still the same, and what is another still another', async () => {
      const { store } = await open();
      await keep(store, 'hint');
      await store.dropBodies({ service: 'main', from: 0, before: START + 1, uselessBefore: 0 });

      const again = { ...delivery, id: 'again', key: 'hint', body: bytes('body of hint') };
      expect(await store.inboxPut(again)).toBe(false);
      expect(await store.inboxPut({ ...again, signed: true })).toBe(false);
      expect(await store.inboxPut({ ...again, id: 'other', body: bytes('other') })).toBe(true);
      expect(await store.findDelivery('hint')).toMatchObject({ times: 3, state: 'hint' });
    });

    it('cannot be read again, and what became of them stays', async () => {
      const { store } = await open();
      await keep(store, 'applied');
      await store.dropBodies({ service: 'main', from: 0, before: START + 1, uselessBefore: 0 });

      expect(await store.replayDeliveries({ ids: ['applied'] }, START)).toBe(0);
      expect(await store.replayDeliveries({ state: 'applied' }, START)).toBe(0);
      expect(await store.findDelivery('applied')).toMatchObject({ state: 'applied', type: 'x' });
    });
  });
}

type OpenedStore = Awaited<ReturnType<OpenStore>>['store'];

/** One in this state, named after it. */
async function keep(
  store: OpenedStore,
  state: DeliveryState,
  given: Partial<typeof delivery> & { id?: string } = {},
  tryAt: number | null = null,
): Promise<void> {
  const { id = state } = given;
  await store.inboxPut({ ...delivery, ...given, id, key: id, body: bytes(`body of ${id}`) });
  if (state === 'received') return;
  await store.decideDeliveries([{ ...nothing, id, at: START, state, tryAt, lead: null }]);
}
