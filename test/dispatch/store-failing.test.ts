import { describe, expect, it } from 'vitest';
import type { Store } from '../../src/store/port.ts';
import { aScene } from '../helpers/campaign-run.ts';

describe('an answer that cannot be written', () => {
  it('is kept in memory and written again; nobody else is dialled meanwhile, and nothing is lost', async () => {
    const scene = await aScene({ leads: 30, settings: { concurrency: 3 } });
    const store = failing(scene.store, 'recordDial', (n) => n < 4);

    const end = await scene.run({ store });

    expect(end).toEqual({
      dispatch: 'store_failing',
      nextAt: null,
      drained: true,
      keyRefused: false,
    });
    expect(scene.service.dials).toHaveLength(1);
    const rows = await scene.rows();
    expect(rows.slice(0, 2).map(({ result }) => result)).toEqual(['answered', null]);
    expect(scene.notices.filter(({ event }) => event === 'store.failing')).toEqual([
      { event: 'store.failing', detail: 'database or disk is full' },
    ]);
  });

  it('for half a minute is told with its call, and the row stays as a doubt', async () => {
    const scene = await aScene({ leads: 30, settings: { concurrency: 1 } });
    const store = failing(scene.store, 'recordDial', () => true);
    const startedAt = scene.clock.now();

    await expect(scene.run({ store })).rejects.toMatchObject({
      code: 'ANSWER_NOT_KEPT',
      exitCode: 5,
      message: expect.stringContaining(
        `"${scene.service.calls[0]?.callId ?? 'call_main_1'}"`,
      ) as string,
    });

    expect(scene.clock.now() - startedAt).toBeGreaterThan(28_000);
    expect(scene.service.dials).toHaveLength(1);
    expect((await scene.rows())[0]?.attempt?.state).toBe('intent');
  });
});

describe('a claim that the store refuses', () => {
  it('ends the run; the answers of dials in flight are still kept', async () => {
    const scene = await aScene({
      leads: 30,
      settings: { concurrency: 10, requests: 2 },
      dial: (_, n) => ({ answerMs: [10, 1_000][n] ?? 8_000 }),
    });
    const store = failing(scene.store, 'claim', (n) => n >= 2);

    await expect(scene.run({ store })).rejects.toThrow('database or disk is full');

    expect(scene.service.dials).toHaveLength(2);
    expect((await scene.rows()).slice(0, 2).map(({ attempt }) => attempt?.state)).not.toContain(
      'intent',
    );
  });

  it('leaves every lane and slot for the next run', async () => {
    const scene = await aScene({ leads: 8 });
    const store = failing(scene.store, 'claim', () => true);
    await expect(scene.run({ store })).rejects.toThrow('database or disk is full');

    expect((await scene.run()).dispatch).toBe('none_waiting');
    expect(scene.service.mostCalls).toBe(5);
  });
});

describe('a store that cannot be read', () => {
  it('when the campaign is looked up ends the run, and the answers in flight are kept', async () => {
    const scene = await aScene({
      leads: 1,
      dial: () => ({ answerMs: 4_000, talkMs: 10 }),
    });
    const store = {
      ...failing(scene.store, 'findCampaign', () => true),
    };
    const run = scene.start({ store });
    await scene.night.until(() => scene.service.dials.length === 1);
    await scene.store.changeCampaign(
      scene.campaign.id,
      { state: 'cancelled' },
      { at: 0, who: 'operator', what: 'campaign.cancelled', detail: {} },
    );

    await expect(scene.night.pass(run)).rejects.toThrow('database or disk is full');

    expect((await scene.rows())[0]?.attempt?.state).toBe('placed');
  });

  it('when it is asked whether the service is proven only makes the run careful', async () => {
    const scene = await aScene({ leads: 6 });
    const store = failing(scene.store, 'isProven', () => true);

    expect((await scene.run({ store })).dispatch).toBe('none_waiting');
    expect(scene.service.calls).toHaveLength(6);
  });

  it('when a pause is written ends the run all the same', async () => {
    const scene = await aScene({
      leads: 6,
      settings: { concurrency: 1 },
      dial: () => ({
        answer: { kind: 'rejected', status: 401, detail: 'HTTP 401' },
      }),
    });
    const store = failing(scene.store, 'changeCampaign', () => true);

    await expect(scene.run({ store })).rejects.toThrow('database or disk is full');
    expect(scene.service.dials).toHaveLength(1);
  });
});

/** The store, but `method` rejects where `when` says so of its n-th use (from 0). */
function failing(store: Store, method: keyof Store, when: (n: number) => boolean): Store {
  let uses = 0;
  return {
    ...store,
    [method]: (...args: unknown[]) =>
      when(uses++)
        ? Promise.reject(new Error('database or disk is full'))
        : (Reflect.get(store, method) as (...args: unknown[]) => unknown)(...args),
  };
}
