import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { createNoticeWatch } from '../../../src/app/notices/watch.ts';
import { serveCampaigns } from '../../../src/app/serve/serve-campaigns.ts';
import type { OpenService } from '../../../src/app/services/service.ts';
import { MINUTE_MS } from '../../../src/domain/time-units.ts';
import { createLog } from '../../../src/runtime/log.ts';
import type { Store } from '../../../src/store/port.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open.ts';
import { fakeWorld } from '../fake-io.ts';
import { freshDatabase } from '../files/fresh-database.ts';
import { tempFolder } from '../files/temp.ts';
import { Night } from '../night.ts';
import { ServiceDouble } from './service-double.ts';

/** A server on a database of its own, whose nights pass as fast as the machine can work. */
export function aServer({
  change = () => ({}),
  isRefused = () => false,
  isDown = () => false,
  talkMs = MINUTE_MS,
}: {
  /** Methods of its store that do something else. */
  change?: (store: Store) => Partial<Store>;
  /** The service refuses this key. */
  isRefused?: (key: string) => boolean;
  /** Its service answers no read. */
  isDown?: () => boolean;
  /** How long each call lasts. */
  talkMs?: number;
} = {}) {
  const night = new Night();
  const cwd = tempFolder();
  const path = join(cwd, 'callsheet.db');
  freshDatabase(path);
  const opened = openSqliteStore({ path, mode: 'dial' });
  onTestFinished(() => opened.close());
  let claims = 0;
  const claim: Store['claim'] = (request) => {
    claims += 1;
    return opened.claim(request);
  };
  const store = night.watch({ ...opened, claim, ...change(opened) });
  const dialledAt: number[] = [];
  const begun: string[] = [];
  const dial = () => {
    dialledAt.push(night.clock.now());
    return { talkMs };
  };
  const key = { now: 'first' };
  const probe = () => {
    const keyRefused = isRefused(key.now);
    return keyRefused || isDown()
      ? { ok: false as const, why: '401', keyRefused }
      : { ok: true as const };
  };
  const service = new ServiceDouble({ clock: night.clock, dial, probe });
  const io = fakeWorld({ cwd, clock: night.clock });
  let stop = new AbortController();
  const never = new AbortController().signal;
  const log = createLog('error', { write: () => true });
  const serving = (lost?: AbortSignal) =>
    serveCampaigns(
      {
        ...(lost && { lost }),
        store,
        feed: new Map(),
        open: () =>
          Promise.resolve({
            service,
            config: { maxCalls: null, key: key.now, keyAt: 'key.txt' },
          } as unknown as OpenService),
        log,
        stop: { dialling: stop.signal, all: never, left: never },
        onEvent: ({ is }) => void begun.push(is),
        noticeWatch: createNoticeWatch({ store, own: [] }, io),
      },
      io,
    );
  return {
    night,
    store,
    service,
    /** The key that its service is opened with from now on. */
    key,
    /** By the wall clock. */
    dialledAt,
    err: () => io.err().replaceAll(/\s+/g, ' '),
    claims: () => claims,
    /** How often calls of a campaign were said to begin. */
    runs: () => begun.filter((is) => is === 'calling').length,
    serveUntilEnd: (lost: AbortSignal) => night.pass(serving(lost)),
    /** Serves while `during` is under way, and is then stopped; a second time is another process. */
    serveDuring: async (during: () => Promise<void>) => {
      const serves = { isOver: false };
      const ended = serving().finally(() => {
        serves.isOver = true;
      });
      await during();
      expect(serves.isOver).toBe(false);
      stop.abort();
      // It may be writing a file, which takes time of the machine: somebody has to sleep meanwhile.
      while (!serves.isOver) await night.sleep(1_000);
      await ended;
      stop = new AbortController();
    },
  };
}
