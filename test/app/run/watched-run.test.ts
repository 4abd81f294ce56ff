import { expect, it } from 'vitest';
import type { WatchedEnd } from '../../../src/app/run/run-events.ts';
import { runWatched } from '../../../src/app/run/watched-run.ts';
import { createLog } from '../../../src/runtime/log.ts';
import type { Store } from '../../../src/store/port.ts';
import { aPolicy } from '../../conformance/store/calling/policies.ts';
import { aScene, type Scene } from '../../helpers/campaign-run.ts';
import { fakeWorld } from '../../helpers/fake-io.ts';
import { tempFolder } from '../../helpers/files/temp.ts';

const NEVER = new AbortController().signal;

/** Runs the scene's campaign under a watch that counts every second. */
function watched(
  scene: Scene,
  plant: Partial<Store>,
  { left = NEVER, stop = NEVER }: { left?: AbortSignal; stop?: AbortSignal } = {},
) {
  const store: Store = { ...scene.store, ...plant };
  const { service, campaign, clock } = scene;
  const events: string[] = [];
  let finished: WatchedEnd | undefined;
  const run = runWatched(
    {
      store,
      campaign,
      run: {
        dialAt: { service, maxCalls: null },
        collectFrom: [service],
        ...{ limit: null, until: null, waitUntil: null },
      },
      log: createLog('error', { write: () => true }),
      watch: {
        stop: { dialling: stop, all: stop, left },
        everyMs: 1_000,
        onEvent: ({ is }) => void events.push(is),
      },
    },
    fakeWorld({ cwd: tempFolder(), clock }),
    async (end) => (finished = end),
  );
  return { run, events, finished: () => finished };
}

it('a run that the operator had left before it began ends without a result, and says so', async () => {
  const scene = await aScene({ leads: 2 });
  const { run, events, finished } = watched(
    scene,
    {},
    { left: AbortSignal.abort(), stop: AbortSignal.abort() },
  );

  expect(await scene.night.pass(run)).toBeNull();

  expect(finished()).toBeUndefined();
  expect(events).toContain('left');
  expect(scene.service.dials).toEqual([]);
});

it('a run that cannot begin counts its leads no longer', async () => {
  const scene = await aScene({ leads: 2, settings: { policy: aPolicy({}) } });
  let counts = 0;
  const { run } = watched(scene, {
    progress: (...of) => {
      counts += 1;
      return scene.store.progress(...of);
    },
    leadsWithoutPlace: () => Promise.reject(new Error('the database is locked')),
  });
  await expect(scene.night.pass(run)).rejects.toThrow('the database is locked');
  const before = counts;

  await scene.night.sleep(60_000);

  expect(counts).toBe(before);
});

it('a count that fails stops no run, and the next one is shown', async () => {
  const scene = await aScene({
    leads: 4,
    settings: { concurrency: 1 },
    dial: () => ({ talkMs: 5_000 }),
  });
  let counts = 0;
  const { run, events, finished } = watched(scene, {
    progress: (...of) => {
      counts += 1;
      return counts === 3
        ? Promise.reject(new Error('disk I/O error'))
        : scene.store.progress(...of);
    },
  });

  await scene.night.pass(run);

  expect(finished()).toMatchObject({ dispatch: 'none_waiting', drained: true });
  expect(events.filter((is) => is === 'progress').length).toBeGreaterThan(3);
});

it('a last count that fails takes no end from a run that was finished', async () => {
  const scene = await aScene({ leads: 2 });
  const { run, finished } = watched(scene, {
    progress: () => Promise.reject(new Error('disk I/O error')),
  });

  await scene.night.pass(run);

  expect(finished()).toMatchObject({ dispatch: 'none_waiting', drained: true });
});

it('a run that the operator leaves records its calls before it says that it could not count them', async () => {
  const scene = await aScene({ leads: 1, dial: () => ({ talkMs: 60_000 }) });
  const left = new AbortController();
  const { run } = watched(
    scene,
    { progress: () => Promise.reject(new Error('disk I/O error')) },
    { left: left.signal },
  );
  const ended = expect(scene.night.pass(run)).rejects.toThrow('disk I/O error');
  const unhandled: unknown[] = [];
  const onUnhandled = (error: unknown) => void unhandled.push(error);
  process.prependListener('unhandledRejection', onUnhandled);

  left.abort();
  await ended;

  process.removeListener('unhandledRejection', onUnhandled);
  expect(unhandled).toEqual([]);
  expect(await scene.rows()).toMatchObject([{ state: 'done' }]);
});
