import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withNotices } from '../../../src/app/notices/with-notices.ts';
import { createNoticeWatch } from '../../../src/app/notices/watch.ts';
import { knownServices } from '../../../src/app/services/service.ts';
import { AppError } from '../../../src/runtime/errors.ts';
import { createLog } from '../../../src/runtime/log.ts';
import { addCampaign } from '../../helpers/campaign-run.ts';
import { VirtualClock } from '../../helpers/clock.ts';
import { fakeWorld } from '../../helpers/fake-io.ts';
import { tempFolder } from '../../helpers/files/temp.ts';
import { until } from '../../helpers/until.ts';
import { aDatabasePath, aStore } from '../../store/sqlite/database.ts';
import { noticeReceiver } from './receiver.ts';

/** A database whose campaign needs a person, and processes that tell so. */
async function aScene(target: string) {
  const path = aDatabasePath();
  const store = aStore(path);
  const campaign = await addCampaign(store, { name: 'spring', from: 0, leads: 1 });
  const cwd = tempFolder();
  mkdirSync(join(cwd, 'campaigns'));
  const notify = `notify:\n  - { on: [attention], ${target} }\n`;
  writeFileSync(join(cwd, 'campaigns', 'services.yaml'), notify);
  const clock = new VirtualClock();
  const env = { PATH: process.env['PATH'] ?? '' };
  const world = fakeWorld({ cwd, clock, env });
  const log = createLog('error', { write: () => true });
  const { notify: own = [] } = knownServices({}, world);
  await createNoticeWatch({ store, own }, world).attention(campaign, 'key', 'the key is refused.');
  /** A process that works until it is told to stop, and tells of something then. */
  const begin = (serves: boolean, said?: string) => {
    const stop = new AbortController();
    const never = new AbortController().signal;
    const signals = { dialling: stop.signal, all: never, left: never };
    const desk = { store: aStore(path), flags: {}, log, stop: signals, serves };
    const ended = withNotices(desk, world, async (watch) => {
      await clock.sleep(Infinity, stop.signal);
      if (said !== undefined) await watch.attention(campaign, said, 'a last word.');
    });
    return { stop, ended };
  };
  /** Stops a process and waits for its end. */
  const halt = async ({ stop, ended }: ReturnType<typeof begin>) => {
    const state = { isOver: false };
    stop.abort();
    const over = ended.finally(() => {
      state.isOver = true;
    });
    while (!state.isOver) await clock.advance(100);
    await over;
  };
  return { store, cwd, clock, world, begin, halt };
}

describe.each([
  ['a run', false],
  ['serve', true],
])('%s that is stopped', (_, serves) => {
  it('ends although a receiver does not answer; the next one sends at once, with the same id', async () => {
    const receiver = await noticeReceiver();
    const { store, clock, world, begin, halt } = await aScene(`url: "${receiver.url}"`);
    receiver.whenAsked(() => new Promise(() => undefined));
    const one = begin(serves);
    await until(() => receiver.received.length === 1);
    await halt(one);
    expect(await store.outboxDue(clock.now())).toMatchObject([{ tries: 0 }]);
    expect(await store.undelivered(0)).toEqual([]);
    expect(world.err()).not.toContain('did not come');

    receiver.whenAsked(() => Promise.resolve());
    const next = begin(serves);
    await until(() => receiver.received.length === 2);
    next.stop.abort();
    await next.ended;
    const [first, second] = receiver.received;
    expect(second?.notice).toEqual(first?.notice);
    expect(await store.outboxDue(clock.now())).toEqual([]);
  });

  it('sends what was written just before, where its receiver answers', async () => {
    const receiver = await noticeReceiver();
    const { begin } = await aScene(`url: "${receiver.url}"`);
    const { stop, ended } = begin(serves, 'disk_full');
    stop.abort();
    await ended;
    const told = receiver.received.map(({ notice }) => notice.reason);
    expect(told).toEqual(['key', 'disk_full']);
  });

  it('ends although a command goes on, which is killed', async () => {
    const { store, cwd, clock, begin, halt } = await aScene(
      'command: [sh, -c, "touch begun; sleep 100 & wait"]',
    );
    const one = begin(serves);
    await until(() => existsSync(join(cwd, 'campaigns', 'begun')));
    await halt(one);
    expect(await store.outboxDue(clock.now())).toMatchObject([{ tries: 0 }]);
  });
});

it('begins as soon as the server of the database answers', async () => {
  const clock = new VirtualClock();
  const world = fakeWorld({ clock, cwd: tempFolder() });
  const store = aStore(aDatabasePath());
  let asked = 0;
  const away: typeof store = {
    ...store,
    listCampaigns: async () => {
      asked += 1;
      if (asked === 1) throw new AppError('STORE_AWAY', 'The database does not answer.');
      return store.listCampaigns();
    },
  };
  const never = new AbortController().signal;
  const stop = { dialling: AbortSignal.abort(), all: never, left: never };
  const log = createLog('error', { write: () => true });
  const state = { isOver: false };
  const began = withNotices({ store: away, flags: {}, log, stop, serves: true }, world, () =>
    Promise.resolve('began'),
  ).finally(() => {
    state.isOver = true;
  });
  began.catch(() => undefined);
  while (!state.isOver) await clock.advance(100);
  expect(await began).toBe('began');
});
