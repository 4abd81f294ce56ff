import { describe, expect, it } from 'vitest';
import { createSearchLog } from '../../../src/collect/polling/list-evidence.ts';
import { addCampaign } from '../../helpers/campaign-run.ts';
import { aPhone } from '../../helpers/factory.ts';
import { BY_KEY, isFirst, listed, listing, LOST, contradictions, states } from './listing.ts';

const FAILED = {
  kind: 'failed',
  detail: 'HTTP 503',
  retryAfterMs: null,
  keyRefused: false,
} as const;

describe('a call whose answer was lost', () => {
  it('is found by its key in the list of calls and read as any other, and one list is enough for all', async () => {
    const lost = (n: number) => n % 20 === 7;
    const { scene, run, lists } = await listing({ leads: 60, lost }, BY_KEY);

    const end = await run();

    expect(end).toMatchObject({ dispatch: 'none_waiting', drained: true });
    expect(await states(scene)).toEqual(Array(60).fill('done answered'));
    expect([...scene.service.rings().values()]).toEqual(Array(60).fill(1));
    expect(await scene.store.doubts(scene.campaign.id)).toEqual([]);
    expect(lists.length).toBeLessThanOrEqual(4);
    expect(scene.notices.filter(({ event }) => event === 'doubt.found')).toHaveLength(3);
  });

  it('is searched for from a minute before its dial on: clocks differ', async () => {
    const { scene, run, lists } = await listing({ leads: 1, lost: () => true }, BY_KEY);

    await run();

    const [call] = scene.service.calls;
    expect(lists).toHaveLength(1);
    expect(Number(call?.startedAt) - Number(lists[0]?.since)).toBeGreaterThanOrEqual(60_000);
    expect(Number(call?.startedAt) - Number(lists[0]?.since)).toBeLessThan(61_000);
  });

  it('stays in doubt when the list does not hold it: that proves nothing, and the run waits a minute for it', async () => {
    const { scene, run, lists } = await listing({ leads: 3, lost: isFirst }, BY_KEY, () =>
      listed([]),
    );
    const began = scene.clock.now();

    await run();

    expect(await states(scene)).toEqual(['calling null', 'done answered', 'done answered']);
    expect(ages(lists, began)).toEqual([5, 20, 60]);
    expect(scene.clock.now() - began).toBeLessThan(65_000);
    expect(scene.service.rings().get(aPhone(0))).toBe(1);
  });

  it('is searched for five times in the ten minutes after which it is unconfirmed, however often its campaign is run', async () => {
    const { scene, run, lists } = await listing({ leads: 2, lost: isFirst }, BY_KEY, () =>
      listed([]),
    );
    const { clock, night } = scene;
    const searches = createSearchLog(clock);
    const began = clock.now();

    // As `serve` does.
    while (clock.now() - began < 1_800_000) {
      await run({ searches });
      await night.sleep(5_000);
    }

    expect(ages(lists, began)).toEqual([5, 20, 60, 180, 540]);
    expect(await states(scene)).toEqual(['done unconfirmed', 'done answered']);
  });

  it('that is unconfirmed is searched for once when the campaign is run or collected again', async () => {
    let isThere = false;
    const { scene, run, lists } = await listing({ leads: 2, lost: isFirst }, BY_KEY, (calls) =>
      listed(isThere ? calls : []),
    );
    await run();
    await scene.night.sleep(3_600_000);
    const before = lists.length;
    await run({ dialAt: null });
    expect(await states(scene)).toEqual(['done unconfirmed', 'done answered']);
    expect(lists).toHaveLength(before + 1);
    isThere = true;

    await run({ dialAt: null });

    expect(await states(scene)).toEqual(['done answered', 'done answered']);
    expect(lists).toHaveLength(before + 2);
  });

  it('of long ago is not searched for', async () => {
    const { scene, run, lists } = await listing({ leads: 1, lost: isFirst }, BY_KEY, () =>
      listed([]),
    );
    await run();
    await scene.night.sleep(4 * 86_400_000);
    const before = lists.length;

    await run({ dialAt: null });

    expect(lists).toHaveLength(before);
  });

  it('is found in a list that is read for other calls anyway, and costs none of its own', async () => {
    // Twenty calls that are over at once are polled with a list before five seconds have passed.
    const { scene, run, lists } = await listing(
      { leads: 20, lost: isFirst, talkMs: 300, concurrency: 20 },
      BY_KEY,
    );

    await run();

    expect(await states(scene)).toEqual(Array(20).fill('done answered'));
    expect(lists.length).toBeLessThanOrEqual(3);
    expect(scene.clock.now() - Number(scene.service.calls[0]?.startedAt)).toBeLessThan(5_000);
  });

  it('of another campaign is found in the same list', async () => {
    const { scene, run, service } = await listing({ leads: 1, lost: () => true }, BY_KEY);
    const other = await addCampaign(scene.store, { name: 'other', from: 50, leads: 1 });
    const stopped = AbortSignal.abort();
    await run({ campaign: other, dialAt: { service, maxCalls: null }, collectFrom: [] });
    expect(await states(scene, other)).toEqual(['calling null']);

    await run();
    await run({ campaign: other, dialAt: null, stopDialling: stopped });

    expect(await states(scene)).toEqual(['done answered']);
    expect(await states(scene, other)).toEqual(['done answered']);
  });
});

describe('while a dial is in flight', () => {
  it('its call is left to its own answer, in whatever list it is', async () => {
    const dial = (_: unknown, n: number) => (n === 0 ? LOST : { answerMs: 20_000, talkMs: 60_000 });
    const { scene, run } = await listing({ leads: 2, dial }, BY_KEY);

    await run();

    expect(await states(scene)).toEqual(['done answered', 'done answered']);
    expect(scene.notices.filter(({ event }) => event === 'doubt.found')).toHaveLength(1);
    expect(await contradictions(scene)).toEqual([]);
  });

  it('of a runner that was taken for dead, the list and the late answer name the same call', async () => {
    const dial = () => ({ answerMs: 30_000, talkMs: 60_000 });
    const { scene, run, start } = await listing({ leads: 1, dial }, BY_KEY);
    const dialling = start({ collectFrom: [] });
    await scene.night.until(() => scene.service.calls.length === 1);
    const store = scene.openStore();
    const another = { host: 'host-1', boot: 'boot-1', pid: 4_712 };

    await run({ store, owner: another, isGone: () => true, dialAt: null });
    await scene.night.pass(dialling);

    expect(await states(scene)).toEqual(['done answered']);
    expect(scene.service.calls).toHaveLength(1);
    expect(await contradictions(scene)).toEqual([]);
  });
});

describe('a list of calls that cannot be read for doubts', () => {
  it('is not read again at once, and the doubt stays', async () => {
    const { scene, run, lists } = await listing({ leads: 1, lost: isFirst }, BY_KEY, () => FAILED);

    await run();

    expect(await states(scene)).toEqual(['calling null']);
    expect(lists).toHaveLength(3);
    expect(scene.notices.filter(({ event }) => event === 'search.failed')).toHaveLength(3);
  });

  it('holds what is asked of the service for as long as the answer says', async () => {
    const { scene, run, lists } = await listing({ leads: 1, lost: isFirst }, BY_KEY, (calls, n) =>
      n === 0 ? { ...FAILED, retryAfterMs: 30_000 } : listed(calls),
    );

    await run();

    expect(await states(scene)).toEqual(['done answered']);
    expect(Number(lists[1]?.at) - Number(lists[0]?.doneAt)).toBeGreaterThanOrEqual(30_000);
  });

  it('ends the run when it is refused for the key', async () => {
    const { run } = await listing({ leads: 1, lost: isFirst }, BY_KEY, () => ({
      ...FAILED,
      keyRefused: true,
    }));

    expect(await run()).toMatchObject({ drained: false, keyRefused: true });
  });
});

/** How old the first doubt was when lists were read, in whole seconds. */
function ages(lists: { at: number }[], began: number): number[] {
  return lists.map(({ at }) => Math.floor((at - began) / 1_000));
}
