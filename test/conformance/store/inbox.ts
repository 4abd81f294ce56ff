import { describe, expect, it } from 'vitest';
import { START } from '../../helpers/clock.ts';
import type { OpenStore } from './setup.ts';

export function inboxRules(open: OpenStore): void {
  describe('inboxPut', () => {
    it('keeps a delivery once, however often and by whomever it is put', async () => {
      const { store, beside, reopen } = await open();
      const delivery = {
        id: 'dlv_1',
        service: 'main',
        key: 'evt_1',
        receivedAt: START,
        headers: { 'content-type': 'application/json' },
        body: new TextEncoder().encode('{"call":"call_1"}'),
      };

      expect(await store.inboxPut(delivery)).toBe(true);
      expect(await (await beside()).inboxPut({ ...delivery, id: 'dlv_2' })).toBe(false);
      expect(await (await reopen()).inboxPut({ ...delivery, id: 'dlv_3' })).toBe(false);
    });

    it('takes the same key from another service as another delivery', async () => {
      const { store } = await open();
      const delivery = { key: 'evt_1', receivedAt: START, headers: {}, body: new Uint8Array() };

      expect(await store.inboxPut({ ...delivery, id: 'dlv_1', service: 'main' })).toBe(true);
      expect(await store.inboxPut({ ...delivery, id: 'dlv_2', service: 'other' })).toBe(true);
    });
  });
}
