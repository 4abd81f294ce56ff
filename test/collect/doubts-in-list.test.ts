import { describe, expect, it } from 'vitest';
import { SearchLog } from '../../src/collect/search-log.ts';
import type { CallListing, ListedCall } from '../../src/service/port.ts';
import type { Campaign, HistoryEntry } from '../../src/store/port.ts';
import { addCampaign, aScene, type Plan, type Scene } from '../helpers/campaign-run.ts';
import { aPhone } from '../helpers/factory.ts';
import { withCallList, type ListingOptions } from '../helpers/listing-service.ts';
import { unknown } from '../helpers/service-double.ts';

const BY_KEY: ListingOptions = { names: 'keys' };
const BY_NUMBER: ListingOptions = { names: 'numbers' };
/** The answer is lost, and the phone rings all the same. */
const LOST = { answer: unknown(), rings: true };
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

  it('is looked for from a minute before its dial on: clocks differ', async () => {
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

  it('is looked for five times in the ten minutes after which it is unconfirmed, however often its campaign is run', async () => {
    const { scene, run, lists } = await listing({ leads: 2, lost: isFirst }, BY_KEY, () =>
      listed([]),
    );
    const { clock, night } = scene;
    const searches = new SearchLog(clock);
    const began = clock.now();

    // As `serve` does.
    while (clock.now() - began < 1_800_000) {
      await run({ searches });
      await night.sleep(5_000);
    }

    expect(ages(lists, began)).toEqual([5, 20, 60, 180, 540]);
    expect(await states(scene)).toEqual(['done unconfirmed', 'done answered']);
  });

  it('that is unconfirmed is looked for once when the campaign is run or collected again', async () => {
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

  it('of long ago is not looked for', async () => {
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
    // Twenty calls that are over at once are looked at in a list before five seconds have passed.
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

describe('by its number alone a lost call is found', () => {
  it('when it is the one doubt about that number', async () => {
    const { scene, run } = await listing({ leads: 3, lost: isFirst }, BY_NUMBER);

    await run();

    expect(await states(scene)).toEqual(Array(3).fill('done answered'));
    const [row] = await scene.rows();
    expect(row?.attempt).toMatchObject({ callId: 'lost_1' });
  });

  it('although the service tells its time in whole seconds', async () => {
    const { scene, run } = await listing({ leads: 3, lost: isFirst }, BY_NUMBER, (calls) =>
      listed(calls.map((call) => ({ ...call, startedAt: wholeSecond(call.startedAt) }))),
    );

    await run();

    expect(await states(scene)).toEqual(Array(3).fill('done answered'));
  });

  const spoiled: [string, (call: ListedCall) => ListedCall[]][] = [
    ['two calls to it are listed', (call) => [call, { ...call, callId: 'another' }]],
    ['the call has another agent', (call) => [{ ...call, agent: 'ag_9' }]],
    [
      'the call began before the dial',
      (call) => [{ ...call, startedAt: Number(call.startedAt) - 1_500 }],
    ],
    ['the list does not say when', (call) => [{ ...call, startedAt: null }]],
    ['the call has another key', (call) => [{ ...call, attemptKey: 'key_of_others' }]],
    [
      'others come back with their keys',
      (call) => [call, { ...call, callId: 'x', phone: aPhone(9), attemptKey: 'k' }],
    ],
  ];
  it.each(spoiled)('and not when %s', async (_why, spoil) => {
    const { scene, run } = await listing({ leads: 1, lost: isFirst }, BY_NUMBER, (calls) =>
      listed(calls.flatMap(spoil)),
    );

    await run();

    expect(await states(scene)).toEqual(['calling null']);
    expect(await contradictions(scene)).toEqual([]);
  });

  it.each([2, 1])(
    'and not when two doubts are about that number, and %d calls: both stay',
    async (count) => {
      const { scene, run, service } = await listing(
        { leads: 1, lost: () => true },
        BY_NUMBER,
        (calls) => listed(calls.slice(-count)),
      );
      const other = await addCampaign(scene.store, { name: 'other', from: 0, leads: 1 });
      await run({ campaign: other, dialAt: { service, maxCalls: null }, collectFrom: [] });

      await run();

      for (const { id } of [scene.campaign, other]) {
        expect(await scene.store.doubts(id)).toMatchObject([{ state: 'unknown' }]);
      }
      expect(scene.service.calls).toHaveLength(2);
    },
  );
});

describe('a list of calls that says what cannot be true', () => {
  it('with two calls of one key is kept in the history, once, and settles nothing', async () => {
    const { scene, run, lists } = await listing({ leads: 2, lost: isFirst }, BY_KEY, (calls) =>
      listed(calls.flatMap((call) => [call, { ...call, callId: `${call.callId}_again` }])),
    );

    await run();
    await run();

    expect(await states(scene)).toEqual(['calling null', 'done answered']);
    expect(await contradictions(scene)).toEqual([
      'the service lists calls lost_1 and lost_1_again with the key of this one dial',
      expect.stringMatching(/^the service lists calls call_main_2 and call_main_2_again /),
    ]);
    // The second run does not know that no list can help.
    expect(lists).toHaveLength(2);
    expect(scene.notices.filter(({ event }) => event === 'doubt.contradicted')).toHaveLength(2);
  });

  it('with our key and another number settles nothing', async () => {
    const { scene, run } = await listing({ leads: 1, lost: isFirst }, BY_KEY, (calls) =>
      listed(calls.map((call) => ({ ...call, phone: aPhone(77) }))),
    );

    await run();

    expect(await states(scene)).toEqual(['calling null']);
    expect(await contradictions(scene)).toEqual([expect.stringContaining('another number')]);
  });

  it('with one word for all calls where the key is looked for says nothing of them', async () => {
    const { scene, run } = await listing({ leads: 3, lost: isFirst }, BY_KEY, (calls) =>
      listed(calls.map((call) => ({ ...call, attemptKey: 'outbound' }))),
    );

    await run();

    expect(await states(scene)).toEqual(['calling null', 'done answered', 'done answered']);
    expect(await contradictions(scene)).toEqual([]);
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

interface Listing extends Pick<Plan, 'leads' | 'dial'> {
  /** Whether the answer of the n-th dial is lost. Default: none is. */
  lost?: (n: number) => boolean;
  talkMs?: number;
  /** Above five calls at once, lists are read for looks, too. Default 5. */
  concurrency?: number;
}

const isFirst = (n: number) => n === 0;

/** A campaign at a service that has a list of calls. */
async function listing(
  { leads = 1, lost = () => false, talkMs = 2_000, concurrency = 5, dial }: Listing,
  options: ListingOptions,
  answer?: (calls: ListedCall[], n: number) => CallListing,
) {
  const scene = await aScene({
    leads,
    settings: { concurrency, requests: concurrency },
    dial: dial ?? ((_, n) => (lost(n) ? { ...LOST, talkMs } : { talkMs })),
  });
  const { service, lists } = withCallList(scene, answer, options);
  const at = { dialAt: { service, maxCalls: null }, collectFrom: [service] };
  const run = (overrides: Parameters<Scene['run']>[0] = {}) => scene.run({ ...at, ...overrides });
  const start = (overrides: Parameters<Scene['run']>[0] = {}) =>
    scene.start({ ...at, ...overrides });
  return { scene, service, lists, run, start };
}

function listed(calls: ListedCall[]): CallListing {
  return { kind: 'listed', calls, complete: true };
}

function wholeSecond(at: number | null): number {
  return Math.floor(Number(at) / 1_000) * 1_000;
}

/** How old the first doubt was when lists were read, in whole seconds. */
function ages(lists: { at: number }[], began: number): number[] {
  return lists.map(({ at }) => Math.floor((at - began) / 1_000));
}

async function states(scene: Scene, campaign?: Campaign): Promise<string[]> {
  return (await scene.rows(campaign)).map(({ state, result }) => `${state} ${String(result)}`);
}

async function contradictions({ store, campaign }: Scene): Promise<unknown[]> {
  const history: HistoryEntry[] = await store.history(campaign.id);
  return history
    .filter(({ what }) => what === 'attempt.contradicted')
    .map(({ detail }) => detail['why']);
}
