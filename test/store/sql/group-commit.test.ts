import Sqlite, { type Database } from 'better-sqlite3';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { systemClock } from '../../../src/runtime/clock.ts';
import { groupCommit } from '../../../src/store/sql/group-commit.ts';
import { fileFailures } from '../../../src/store/sqlite/file/files.ts';
import { aDatabasePath } from '../sqlite/database.ts';

const failures = fileFailures('things.db');

describe('group commit', () => {
  it('writes all that comes at once in one transaction', async () => {
    const { group, insert, values, executed } = setup();

    const sums = await Promise.all([1, 2, 3, 4, 5].map((n) => group.submit(() => insert(n))));

    expect(sums).toEqual([1, 2, 3, 4, 5]);
    expect(values()).toEqual([1, 2, 3, 4, 5]);
    expect(executed('BEGIN IMMEDIATE')).toBe(1);
    expect(executed('COMMIT')).toBe(1);
  });

  it('writes what comes later in a later one', async () => {
    const { group, insert, executed } = setup();

    await group.submit(() => insert(1));
    await group.submit(() => insert(2));

    expect(executed('COMMIT')).toBe(2);
  });

  it('tells nobody before the commit', async () => {
    const { group, insert, executed } = setup();

    const committedWhenTold = await Promise.all(
      [1, 2].map((n) => group.submit(() => insert(n)).then(() => executed('COMMIT'))),
    );

    expect(committedWhenTold).toEqual([1, 1]);
  });

  it('takes back one item that fails, and only that', async () => {
    const { group, insert, values } = setup();

    const told = await Promise.allSettled([
      group.submit(() => insert(1)),
      group.submit(() => {
        insert(2);
        throw new Error('in the middle of the work');
      }),
      group.submit(() => insert(1)),
      group.submit(() => insert(3)),
    ]);

    expect(told.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
      'fulfilled',
    ]);
    expect(values()).toEqual([1, 3]);
  });

  it('tells everybody when the whole transaction fails, and works again after that', async () => {
    const { group, insert, values, other, failed } = setup();
    other.exec('BEGIN IMMEDIATE');

    const told = await Promise.allSettled([1, 2].map((n) => group.submit(() => insert(n))));
    other.exec('COMMIT');

    expect(told).toMatchObject([
      { status: 'rejected', reason: { code: 'SQLITE_BUSY' } },
      { status: 'rejected', reason: { code: 'SQLITE_BUSY' } },
    ]);
    expect(values()).toEqual([]);
    await group.submit(() => insert(3));
    expect(values()).toEqual([3]);
    expect(failed).toEqual([true, false]);
  });

  it('tells what is committed as written, whatever a listener of commits does', async () => {
    const { db, insert, values } = setup();
    const flushes: (() => void)[] = [];
    const group = groupCommit(
      { db, failures },
      (flush) => flushes.push(flush),
      () => {
        throw new Error('the listener failed');
      },
    );
    const written = group.submit(() => insert(1));

    expect(flushes[0]).toThrow('the listener failed');
    expect(await written).toBe(1);
    expect(values()).toEqual([1]);
  });

  it('tells everybody, and works again, when not even the way back works at first', async () => {
    const { db, insert, values } = setup();
    const broken = new Set(['COMMIT', 'ROLLBACK']);
    const prepare = db.prepare.bind(db);
    vi.spyOn(db, 'prepare').mockImplementation((sql: string) => {
      const statement = prepare(sql);
      const run = statement.run.bind(statement);
      statement.run = (...parameters) => {
        if (broken.delete(sql)) throw new Error(`${sql}: disk I/O error`);
        return run(...parameters);
      };
      return statement;
    });
    const group = groupCommit({ db, failures });

    await expect(group.submit(() => insert(1))).rejects.toThrow('COMMIT: disk I/O error');
    expect(values()).toEqual([]);

    await group.submit(() => insert(2));
    expect(values()).toEqual([2]);
  });

  it('takes everything back when the database ends the transaction by itself', async () => {
    const { db, group, insert, values } = setup();
    const endsTransaction = () => {
      db.exec('INSERT OR ROLLBACK INTO things VALUES (1)');
    };

    const told = await Promise.allSettled([
      group.submit(() => insert(1)),
      group.submit(endsTransaction),
      group.submit(() => insert(2)),
    ]);

    expect(told.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(values()).toEqual([]);
    await group.submit(() => insert(4));
    expect(values()).toEqual([4]);
  });

  it('takes the lock before it looks, so that what it saw still holds when it writes', async () => {
    const { group, db, other } = setup();
    other.exec('BEGIN IMMEDIATE');
    onTestFinished(() => {
      other.exec('COMMIT');
    });

    const looks = group.submit(() => db.prepare('SELECT count(*) FROM things').get());

    await expect(looks).rejects.toMatchObject({ code: 'SQLITE_BUSY' });
  });

  it('writes what is queued when it is flushed', async () => {
    const { group, insert, values } = setup();
    const written = group.submit(() => insert(1));

    group.flush();

    expect(values()).toEqual([1]);
    await written;
  });

  describe('whose answer is lost', () => {
    /** @param isKept whether the database has the commit whose answer was lost */
    function lossy(isKept: boolean) {
      const { db, insert, values } = setup();
      const flushes: (() => void)[] = [];
      const prepare = db.prepare.bind(db);
      let answers = false;
      let isFull = false;
      vi.spyOn(db, 'prepare').mockImplementation((sql: string) => {
        const statement = prepare(sql);
        if (sql !== 'COMMIT') return statement;
        const run = statement.run.bind(statement);
        statement.run = () => {
          if (answers && !isFull) return run();
          if (isKept && !isFull) run();
          else db.exec('ROLLBACK');
          throw new Error(isFull ? 'the disk is full' : 'the answer was lost');
        };
        return statement;
      });
      const look = () => {
        if (!answers) throw new Error('the database is away');
        return isKept;
      };
      const lookUp = (error: unknown) =>
        (error as Error).message === 'the answer was lost' ? look : undefined;
      const group = groupCommit({ db, failures, lookUp }, (flush) => flushes.push(flush));
      return {
        group,
        insert,
        values,
        flush: () => {
          for (const one of flushes.splice(0)) one();
        },
        answer: () => (answers = true),
        fill: (isNow: boolean) => (isFull = isNow),
      };
    }

    it.each([true, false])(
      'is told once it is known, and made once, whether it was kept: %s',
      async (isKept) => {
        const { group, insert, values, flush, answer } = lossy(isKept);
        const told: number[] = [];
        const first = group.submit(() => insert(1)).then((n) => told.push(n));
        flush();
        await Promise.resolve();
        expect(told).toEqual([]);

        answer();
        const second = group.submit(() => insert(2));
        flush();
        await Promise.all([first, second]);
        expect(told).toEqual([1]);
        expect(values()).toEqual([1, 2]);
      },
    );

    it('is told with the transaction that has found it: a standby may lack what was not confirmed', async () => {
      const { group, insert, values, flush, answer, fill } = lossy(true);
      const told: number[] = [];
      const first = group.submit(() => insert(1)).then((n) => told.push(n));
      flush();
      answer();
      fill(true);
      const second = group.submit(() => insert(2));
      flush();
      await expect(second).rejects.toThrow('the disk is full');
      expect(told).toEqual([]);

      fill(false);
      const third = group.submit(() => insert(3));
      flush();
      await Promise.all([first, third]);
      expect(told).toEqual([1]);
      expect(values()).toEqual([1, 3]);
    });

    it('is looked up for ten minutes, however long a look takes', async () => {
      const { group, insert, flush } = lossy(true);
      let now = 0;
      const clock = vi.spyOn(systemClock, 'monotonic').mockImplementation(() => now);
      onTestFinished(() => {
        clock.mockRestore();
      });
      const first = group.submit(() => insert(1)).catch((error: unknown) => error);
      flush();
      now = 600_000;
      expect(await first).toMatchObject({
        message: 'the database did not answer whether the last changes were committed',
      });
    });

    it('is told as unknown where nothing more is written', async () => {
      const { group, insert, flush } = lossy(true);
      const first = group.submit(() => insert(1));
      flush();
      group.end();
      await expect(first).rejects.toThrow('did not answer whether the last changes were committed');
    });
  });
});

function setup() {
  const path = aDatabasePath();
  const log: string[] = [];
  const failed: boolean[] = [];
  const db = open(path, (sql) => log.push(String(sql)));
  db.exec('CREATE TABLE things (n INTEGER PRIMARY KEY) STRICT');
  const other = open(path);
  const insertThing = db.prepare('INSERT INTO things VALUES (?)');
  return {
    db,
    other,
    group: groupCommit({ db, failures }, undefined, (one) => failed.push(one)),
    failed,
    insert: (n: number): number => {
      insertThing.run(n);
      return n;
    },
    values: () => other.prepare('SELECT n FROM things ORDER BY n').pluck().all(),
    executed: (sql: string) => log.filter((line) => line === sql).length,
  };
}

function open(path: string, verbose?: (sql?: unknown) => void): Database {
  const db = new Sqlite(path, { timeout: 0, ...(verbose === undefined ? {} : { verbose }) });
  db.pragma('journal_mode = WAL');
  onTestFinished(() => {
    db.close();
  });
  return db;
}
