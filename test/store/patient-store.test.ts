import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { AppError } from '../../src/runtime/errors.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { lockOf, LONGEST_LOCK_MS, patientStore } from '../../src/store/patient-store.ts';
import type { Store } from '../../src/store/port.ts';
import { aScene, type Scene } from '../helpers/campaign-run.ts';
import { VirtualClock } from '../helpers/clock.ts';

/** Every write is refused while another program holds the database, and every method while its server is away. */
function lockedStore(scene: Scene, isLocked: () => boolean, code = 'STORE_LOCKED'): Store {
  const writes = ['claim', 'recordDial', 'recordPoll', 'sweep', 'runnerSeen', 'runnerLeft'];
  return new Proxy(scene.store, {
    get: (target, name) => {
      const known: unknown = Reflect.get(target, name);
      const isRefused = code === 'STORE_AWAY' ? name !== 'close' : writes.includes(String(name));
      if (typeof known !== 'function' || !isRefused) return known;
      return (...args: unknown[]): unknown =>
        isLocked()
          ? Promise.reject(new AppError(code, 'The database is locked.'))
          : Reflect.apply(known, target, args);
    },
  });
}

const BOTH = [
  ['a lock', 'STORE_LOCKED', 'store.locked', 'was locked by another program for ten minutes'],
  ['a server that is away', 'STORE_AWAY', 'store.away', 'did not answer for ten minutes'],
] as const;

it.each(BOTH)(
  '%s for nine minutes costs time only: nobody is dialled meanwhile, and every answer is kept',
  async (_, code, event) => {
    const scene = await aScene({ leads: 6, settings: { concurrency: 2 } });
    let from = Infinity;
    const isLocked = () => {
      if (scene.service.dials.length >= 2) from = Math.min(from, scene.clock.monotonic());
      const heldMs = scene.clock.monotonic() - from;
      if (heldMs < 9 * 60_000) expect(scene.service.dials.length).toBeLessThanOrEqual(2);
      return heldMs >= 0 && heldMs < 9 * 60_000;
    };

    const end = await scene.run({ store: lockedStore(scene, isLocked, code) });

    expect(end.dispatch).toBe('none_waiting');
    expect(scene.service.dials).toHaveLength(6);
    expect((await scene.rows()).map(({ result }) => result)).toEqual(Array(6).fill('answered'));
    expect(scene.notices.filter((notice) => notice.event.startsWith('store.'))).toEqual([
      { event },
    ]);
  },
);

it.each(BOTH)(
  '%s for ten minutes ends the run, which tells every answer that could not be written',
  async (_, code, event, said) => {
    const scene = await aScene({ leads: 6, settings: { concurrency: 3 } });
    const store = lockedStore(scene, () => scene.service.dials.length >= 3, code);
    const startedAt = scene.clock.monotonic();

    const run = scene.run({ store });

    await expect(run).rejects.toMatchObject({ code: 'ANSWER_NOT_KEPT', exitCode: 5 });
    await expect(run).rejects.toThrow(
      /attempt a3 .* it is call ".*"\.\n.*attempt a4 .* it is call "/s,
    );
    await expect(run).rejects.toThrow(said);
    expect(scene.notices.map((notice) => notice.event)).toContain(event);
    expect(scene.clock.monotonic() - startedAt).toBeGreaterThanOrEqual(LONGEST_LOCK_MS);
    expect(scene.service.dials).toHaveLength(3);
    expect((await scene.rows()).slice(1, 3).map(({ attempt }) => attempt?.state)).toEqual([
      'intent',
      'intent',
    ]);
  },
);

it('whoever is told to leave at once does not wait for a lock', async () => {
  const scene = await aScene({ leads: 2 });
  const stop = new AbortController();
  const store = lockedStore(scene, () => scene.service.dials.length > 0);
  const run = scene.start({ store, stop: stop.signal });
  await scene.night.until(() => scene.notices.some(({ event }) => event === 'store.locked'));
  const before = scene.clock.monotonic();
  stop.abort();

  await expect(scene.night.pass(run)).rejects.toMatchObject({ code: expect.any(String) as string });
  expect(scene.clock.monotonic() - before).toBeLessThan(60_000);
});

it('many writes that wait for one lock wait together: one timer, and one listener of the signal', async () => {
  let isLocked = true;
  const stop = new AbortController();
  const lock = lockOf('callsheet.db', {
    clock: systemClock,
    notify: () => undefined,
    stop: stop.signal,
  });
  const write = (n: number) =>
    isLocked ? Promise.reject(new AppError('STORE_LOCKED', 'locked')) : Promise.resolve(n);

  const writes = Array.from({ length: 30 }, (_, n) => lock.outwait(() => write(n)));
  await new Promise((resolve) => setImmediate(resolve));

  expect(getEventListeners(stop.signal, 'abort')).toHaveLength(1);
  isLocked = false;
  stop.abort();
  expect(await Promise.all(writes)).toHaveLength(30);
});

it('many short locks, one within each half minute, are not one long lock', async () => {
  const clock = new VirtualClock();
  const told: string[] = [];
  const notify = ({ event }: { event: string }) => void told.push(event);
  const lock = lockOf('callsheet.db', { clock, notify, stop: new AbortController().signal });

  for (let n = 0; n < 100; n++) {
    let isLocked = true;
    const written = lock.outwait(() => {
      if (isLocked) throw new AppError('STORE_LOCKED', 'locked');
      return n;
    });
    isLocked = false;
    await clock.advance(20_000);
    expect(await written).toBe(n);
  }

  expect(told).toEqual(['store.locked']);
});

it('a snapshot waits only until it is open: what was read of it is not read again', async () => {
  const scene = await aScene({ leads: 2 });
  const clock = new VirtualClock();
  let refusals = 1;
  const away = () => new AppError('STORE_AWAY', 'The server is away.');
  const snapshot: Store['snapshot'] = async (id, use) => {
    if (refusals-- > 0) throw away();
    await scene.store.snapshot(id, use);
    throw away();
  };
  const store = patientStore(
    { ...scene.store, snapshot },
    {
      clock,
      notify: () => undefined,
      stop: new AbortController().signal,
    },
  );
  let reads = 0;

  const read = store.snapshot(scene.campaign.id, async () => {
    reads += 1;
  });
  read.catch(() => undefined);
  for (let n = 0; n < 5; n++) await clock.advance(2_000);

  expect(reads).toBe(1);
  await expect(read).rejects.toMatchObject({ code: 'STORE_AWAY' });
});
