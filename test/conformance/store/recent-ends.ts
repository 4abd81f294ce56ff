import { describe, expect, it } from 'vitest';
import type { Store } from '../../../src/store/port.ts';
import { START } from '../../helpers/clock.ts';
import { someAnalytics } from '../../helpers/factory.ts';
import { aPlacedCall, aRunningStore, settled, type OpenStore } from './setup.ts';

/** When `aPlacedCall` says that the service answered the dial. */
const PLACED = START + 100;

const OURS = { service: 'main', agent: 'ag_1', limit: 100 };

export function recentEndRules(open: OpenStore): void {
  describe('recentEnds', () => {
    it('tells between which ages the calls of an agent ended, the oldest first', async () => {
      const store = await aStore(open);
      await settledCall(store, 'call_1', { foundMs: 50_000, talkedMs: 30_000 });
      await settledCall(store, 'call_2', { foundMs: 20_000, talkedMs: null });

      expect((await theirs(store)).map(({ call }) => call)).toEqual([
        { afterMs: 30_000, byMs: 50_000 },
        { afterMs: 0, byMs: 20_000 },
      ]);
    });

    it('tells how long analytics took after the line was down', async () => {
      const store = await aStore(open);
      const { attemptId } = await aPlacedCall(store);
      const at = PLACED + 40_000;
      await store.recordPoll(attemptId, { kind: 'ended', at, nextPollAt: at + 1_000 });
      await store.recordPoll(attemptId, settled('call_1', { at: PLACED + 47_000 }));

      expect((await theirs(store))[0]).toMatchObject({
        call: { byMs: 40_000 },
        analytics: { afterMs: 0, byMs: 7_000 },
      });
    });

    it('does not believe a length that is above the age, as in a rehearsal where time runs faster', async () => {
      const store = await aStore(open);
      await settledCall(store, 'call_1', { foundMs: 900, talkedMs: 30_000 });

      expect((await theirs(store))[0]?.call).toEqual({ afterMs: 0, byMs: 900 });
    });

    it('gives no more than asked, the last ones', async () => {
      const store = await aStore(open);
      for (const [n, foundMs] of [10_000, 20_000, 30_000].entries()) {
        await settledCall(store, `call_${n}`, { foundMs, talkedMs: null });
      }

      const ends = await store.recentEnds({ ...OURS, limit: 2 });
      expect(ends.map(({ call }) => call.byMs)).toEqual([20_000, 30_000]);
    });

    it('leaves out open calls, other agents and other services', async () => {
      const store = await aStore(open);
      await aPlacedCall(store, 'call_open');
      await settledCall(store, 'call_1', { foundMs: 20_000, talkedMs: null });

      expect(await theirs(store)).toHaveLength(1);
      expect(await store.recentEnds({ ...OURS, agent: 'ag_2' })).toEqual([]);
      expect(await store.recentEnds({ ...OURS, service: 'other' })).toEqual([]);
    });
  });
}

async function aStore(open: OpenStore): Promise<Store> {
  const store = await aRunningStore(open);
  return store;
}

/** Without the first one, which proved the service. */
async function theirs(store: Store) {
  return (await store.recentEnds(OURS)).slice(1);
}

async function settledCall(
  store: Store,
  callId: string,
  { foundMs, talkedMs }: { foundMs: number; talkedMs: number | null },
): Promise<void> {
  const { attemptId } = await aPlacedCall(store, callId);
  const analytics = someAnalytics({ durationMs: talkedMs });
  await store.recordPoll(attemptId, settled(callId, { at: PLACED + foundMs, analytics }));
}
