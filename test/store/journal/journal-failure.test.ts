import type * as Fs from 'node:fs';
import { appendFileSync, existsSync, statSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type * as Connection from '../../../src/store/sqlite/file/connection.ts';
import { journalPath, readJournal } from '../../../src/store/journal/journal.ts';
import {
  aClaim,
  aSweep,
  CAMPAIGN,
  claimed,
  dialled,
  exported,
  unknown,
} from '../../conformance/store/setup.ts';
import { START } from '../../helpers/clock.ts';
import { aPhone } from '../../helpers/factory.ts';
import { aDatabasePath, aRunningDatabase, aStore } from '../sqlite/database.ts';

const NOBODY = { made: 0, refused: 0, inDoubt: 0 };

/** What goes wrong with the next lines of the dial journal. */
const fault = vi.hoisted(() => ({
  kind: null as 'full' | 'short' | 'sync' | 'one sync' | 'first sync' | 'first write' | null,
  /** How many bytes a short write takes. */
  bytes: 100,
  connections: [] as Database[],
  /** Called when a write has just gone wrong. */
  then: undefined as (() => void) | undefined,
}));

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof Fs>();
  const { promisify } = await import('node:util');
  const write = promisify(fs.write);
  const fdatasync = promisify(fs.fdatasync);
  return {
    ...fs,
    writeSync: (fd: number, bytes: Buffer) =>
      fs.writeSync(fd, fault.kind === 'first write' ? bytes.subarray(0, 5) : bytes),
    fsyncSync: (fd: number) => {
      if (fault.kind === 'first sync') throw failed('EIO: i/o error, fsync');
      fs.fsyncSync(fd);
    },
    write: Object.assign(() => undefined, {
      [promisify.custom]: async (fd: number, bytes: Buffer) => {
        if (fault.kind === 'full') throw failed('ENOSPC: no space left on device, write');
        if (fault.kind === 'short') {
          const written = await write(fd, bytes.subarray(0, fault.bytes));
          fault.then?.();
          return written;
        }
        return write(fd, bytes);
      },
    }),
    fdatasync: Object.assign(() => undefined, {
      [promisify.custom]: async (fd: number) => {
        const isOne = fault.kind === 'one sync';
        if (isOne) fault.kind = null;
        if (isOne || fault.kind === 'sync') throw failed('EIO: i/o error, fdatasync');
        await fdatasync(fd);
      },
    }),
  };
  function failed(message: string): Error {
    fault.then?.();
    return new Error(message);
  }
});

vi.mock('../../../src/store/sqlite/file/connection.ts', async (original) => {
  const { openConnection, ...rest } = await original<typeof Connection>();
  return {
    ...rest,
    openConnection: (options: Connection.ConnectionOptions) => {
      const db = openConnection(options);
      fault.connections.push(db);
      return db;
    },
  };
});

beforeEach(() => {
  fault.kind = null;
  fault.bytes = 100;
  fault.then = undefined;
  fault.connections.length = 0;
});

describe('a dial journal that cannot be written', () => {
  it.each([
    ['full', 'ENOSPC'],
    ['short', '100 of '],
    ['sync', 'EIO'],
  ] as const)('gives its leads back, as none of them was dialled (%s)', async (kind, why) => {
    const { path, store } = await aRunningDatabase();
    fault.kind = kind;

    const refused = store.claim(aClaim({ want: 3 }));

    await expect(refused).rejects.toMatchObject({ code: 'JOURNAL_NOT_WRITTEN', exitCode: 5 });
    await expect(refused).rejects.toThrow(journalPath(path));
    await expect(refused).rejects.toThrow(why);
    expect(await store.progress(CAMPAIGN, START)).toMatchObject({
      waiting: 5,
      dials: NOBODY,
      held: 0,
    });
    expect((await exported(store))[0]).toMatchObject({
      state: 'waiting',
      attempts: 0,
      notBefore: 0,
      reason: 'the dial journal could not be written, so nothing was sent',
    });
  });

  it('costs nobody anything: the same people are claimed next, under the same keys', async () => {
    const { path, store } = await aRunningDatabase();
    const [first] = await claimed(store, 1);
    fault.kind = 'short';
    await expect(store.claim(aClaim({ want: 3 }))).rejects.toThrow();
    fault.kind = null;

    const intents = await claimed(store, 3);
    expect(intents.map(({ phone }) => phone)).toEqual([1, 2, 3].map(aPhone));
    expect(intents.map(({ ordinal }) => ordinal)).toEqual([1, 1, 1]);

    await store.close();
    const recovered: number[] = [];
    const again = aStore(path, { onRecovered: (attempts) => recovered.push(attempts) });
    expect(recovered).toEqual([]);
    const held = await again.heldSlots(CAMPAIGN, START);
    expect(held.map(({ key }) => key)).toEqual([first, ...intents].map((intent) => intent?.key));
  });

  it('leaves intents, which nobody dials again, where the database cannot be written either', async () => {
    const { store } = await aRunningDatabase();
    fault.kind = 'full';
    fault.then = () => fault.connections[0]?.pragma('query_only = ON');

    await expect(store.claim(aClaim({ want: 3 }))).rejects.toThrow('ENOSPC');

    fault.connections[0]?.pragma('query_only = OFF');
    expect(await store.heldSlots(CAMPAIGN, START)).toMatchObject(
      [0, 1, 2].map((n) => ({ phone: aPhone(n), state: 'intent' })),
    );
    await store.sweep(aSweep({ gone: await store.intentOwners(CAMPAIGN) }));
    expect(await store.progress(CAMPAIGN, START)).toMatchObject({ waiting: 2, unknown: 3 });
  });

  it('leaves a dial in doubt that was to be sent again: the first time it was sent', async () => {
    const { store } = await aRunningDatabase({ leads: 1 });
    const replay = { forMs: 86_400_000, account: 'account-1', monotonic: 0 };
    const { attemptId } = await dialled(store, unknown(), { replay });
    fault.kind = 'full';

    await expect(store.claim(aClaim({ replay, now: START + 1_100 }))).rejects.toThrow('ENOSPC');

    fault.kind = null;
    expect((await exported(store))[0]).toMatchObject({ state: 'calling' });
    expect(await store.progress(CAMPAIGN, START)).toMatchObject({ waiting: 0, unknown: 1 });
    const { intents } = await store.claim(aClaim({ replay, now: START + 2_200 }));
    expect(intents).toMatchObject([{ attemptId, replayed: true }]);
  });

  it('is not believed again after a failed sync: nobody is claimed until it is opened anew', async () => {
    const { path, store } = await aRunningDatabase();
    fault.kind = 'sync';
    await expect(store.claim(aClaim())).rejects.toThrow('EIO');
    fault.kind = null;

    await expect(store.claim(aClaim())).rejects.toMatchObject({ code: 'JOURNAL_NOT_WRITTEN' });
    expect(await store.progress(CAMPAIGN, START)).toMatchObject({ waiting: 5, dials: NOBODY });

    await store.close();
    expect(await claimed(aStore(path), 3)).toHaveLength(3);
  });

  it('is not believed by a claim at the same time either: the system tells a failed sync once', async () => {
    const { store } = await aRunningDatabase();
    fault.kind = 'one sync';

    const claims = await Promise.allSettled([store.claim(aClaim()), store.claim(aClaim())]);

    const refused = { status: 'rejected', reason: { code: 'JOURNAL_NOT_WRITTEN' } };
    expect(claims).toMatchObject([refused, refused]);
    expect(await store.progress(CAMPAIGN, START)).toMatchObject({ waiting: 5, dials: NOBODY });
  });

  it.each([1, 2, 3])(
    'is whole where a crash has torn a line and the write after it took %i bytes: nobody was dialled for these',
    async (bytes) => {
      const { path, store } = await aRunningDatabase();
      const [first] = await claimed(store, 1);
      appendFileSync(journalPath(path), ' \n1234abcd {"seq":3,"campai');
      Object.assign(fault, { kind: 'short', bytes });
      await expect(store.claim(aClaim())).rejects.toThrow(`${bytes} of `);
      fault.kind = null;
      const [second] = await claimed(store, 1);
      await store.close();

      const held = await aStore(path).heldSlots(CAMPAIGN, START);

      expect(held.map(({ key }) => key)).toEqual([first?.key, second?.key]);
    },
  );

  it.each([
    ['first sync', 'EIO'],
    ['first write', '5 of 55 bytes'],
  ] as const)(
    'at its very %s says so, leaves no journal behind, and the next try makes one',
    (kind, why) => {
      const path = aDatabasePath();
      fault.kind = kind;

      expect(() => aStore(path)).toThrow(
        expect.objectContaining({
          code: 'JOURNAL_NOT_WRITTEN',
          exitCode: 5,
          message: expect.stringContaining(why) as string,
        }),
      );

      expect(existsSync(journalPath(path))).toBe(false);
      fault.kind = null;
      aStore(path);
      expect(existsSync(journalPath(path))).toBe(true);
    },
  );

  it('keeps the next lines whole after those that were torn', async () => {
    const { path, store } = await aRunningDatabase();
    fault.kind = 'short';
    await expect(store.claim(aClaim({ want: 3 }))).rejects.toThrow();
    fault.kind = null;
    const { size } = statSync(journalPath(path));

    const intents = await claimed(store, 3);

    const journal = readJournal(journalPath(path), size - 50);
    const dials = [...(journal?.lines ?? [])].filter(({ kind }) => kind === 'dial');
    expect(dials).toMatchObject(intents.map(({ key }) => ({ entry: { key } })));
    journal?.close();
  });
});
