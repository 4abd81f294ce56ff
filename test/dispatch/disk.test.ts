import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/runtime/errors.ts';
import type { Store } from '../../src/store/port.ts';
import { aScene } from '../helpers/campaign-run.ts';

describe('a disk that fails', () => {
  it('ends the run at once: nobody else is dialled, and the message tells the call whose answer it took', async () => {
    const scene = await aScene({ leads: 30, settings: { concurrency: 1 } });
    const failed = new AppError('STORE_IO_FAILED', 'The disk of the database failed.', {
      hint: 'Check the disk.',
    });
    const store: Store = { ...scene.store, recordDial: () => Promise.reject(failed) };
    const startedAt = scene.clock.now();

    await expect(scene.run({ store })).rejects.toMatchObject({
      code: 'ANSWER_NOT_KEPT',
      exitCode: 1,
      message: expect.stringContaining(scene.service.calls[0]?.callId ?? 'call_main_1') as string,
      hint: 'Note it. Check the disk.',
    });

    expect(scene.service.dials).toHaveLength(1);
    expect(scene.clock.now() - startedAt).toBeLessThan(1_000);
  });
});

describe('a disk with little room left', () => {
  it('ends dialling; calls in progress are collected, and the next run goes on', async () => {
    const scene = await aScene({ leads: 8, settings: { concurrency: 2 } });
    let claims = 0;
    const store: Store = {
      ...scene.store,
      claim: (request) => {
        claims += 1;
        if (claims === 1) return scene.store.claim(request);
        const shortfall = 'disk_full';
        return Promise.resolve({ intents: [], shortfall, askAgainAt: null, settings: null });
      },
    };

    const end = await scene.run({ store });

    expect(end).toEqual({ dispatch: 'disk_full', nextAt: null, drained: true, keyRefused: false });
    expect(scene.notices.filter(({ event }) => event === 'disk.full')).toHaveLength(1);
    const dialled = scene.service.dials.length;
    const rows = await scene.rows();
    expect(rows.filter(({ result }) => result === 'answered')).toHaveLength(dialled);
    expect((await scene.run()).dispatch).toBe('none_waiting');
    expect(scene.service.dials).toHaveLength(8);
  });
});

describe('another copy of a database on a server', () => {
  it('is waited for; a person is told after a minute, once, and nobody is called before all have shown their journals', async () => {
    const scene = await aScene({ leads: 2 });
    const startedAt = scene.clock.now();
    const store: Store = {
      ...scene.store,
      claim: (request) => {
        if (request.now - startedAt >= 5 * 60_000) return scene.store.claim(request);
        const shortfall = 'machines_awaited';
        return Promise.resolve({ intents: [], shortfall, askAgainAt: null, settings: null });
      },
    };

    expect((await scene.run({ store })).dispatch).toBe('none_waiting');
    expect(scene.notices.filter(({ event }) => event === 'machines.awaited')).toHaveLength(1);
    expect(scene.service.dials).toHaveLength(2);
    expect(scene.service.dials[0]?.at ?? Infinity).toBeGreaterThanOrEqual(startedAt + 5 * 60_000);
  });
});
