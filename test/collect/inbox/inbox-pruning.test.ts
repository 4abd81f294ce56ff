import { describe, expect, it } from 'vitest';
import { createPruning } from '../../../src/collect/inbox/inbox.ts';
import { START, VirtualClock } from '../../helpers/clock.ts';
import { aDesk } from './inbox-desk.ts';

const DAY = 86_400_000;

describe('the inbox of a service', () => {
  it('drops what did its part thirty days ago, to the end, and begins again a day later', async () => {
    const asked: { from: number; before: number }[] = [];
    const answers = [START - 50 * DAY, START - 40 * DAY, null];
    const clock = new VirtualClock();
    const store = {
      dropBodies: (query: { from: number; before: number }) => {
        asked.push(query);
        return Promise.resolve(answers.shift() ?? null);
      },
    };
    const prune = createPruning(store, 'main', clock);

    for (let n = 0; n < 6; n++) await prune();
    expect(asked.map(({ from }) => from)).toEqual([0, START - 50 * DAY, START - 40 * DAY]);
    expect(asked[0]?.before).toBe(START - 30 * DAY);

    const day = clock.sleep(DAY);
    clock.wakeNext();
    await day;
    await prune();
    const uselessBefore = START - 89 * DAY;
    expect(asked.at(-1)).toEqual({
      ...{ service: 'main', from: 0, before: START - 29 * DAY },
      uselessBefore,
    });
  });

  it("drops the body of one that is nobody's after ninety days, and keeps its line", async () => {
    const { scene, inbox, put } = await aDesk();
    const id = await put({ type: 'call.finished', data: { call_id: 'not-ours' } });
    const live = async (days: number) => {
      await scene.night.sleep(days * DAY);
      const stop = new AbortController();
      const running = inbox.run(stop.signal);
      await scene.night.sleep(5_000);
      stop.abort();
      await running;
      return scene.store.findDelivery(id);
    };

    expect(await live(2)).toMatchObject({ state: 'unmatched', bodyDropped: false });
    expect(await live(80)).toMatchObject({ bodyDropped: false });
    expect(await live(10)).toMatchObject({ state: 'unmatched', bodyDropped: true, times: 1 });
  });

  it('does so beside its work', async () => {
    const { scene, inbox, put } = await aDesk();
    const id = await put({ type: 'call.started' });
    await inbox.runOnce();
    await scene.night.sleep(31 * DAY);

    const stop = new AbortController();
    const running = inbox.run(stop.signal);
    await scene.night.sleep(5_000);
    stop.abort();
    await running;

    expect(await scene.store.findDelivery(id)).toMatchObject({
      state: 'ignored',
      bodyDropped: true,
    });
  });
});
