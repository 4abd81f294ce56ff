import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Sqlite, { type Database } from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AppError } from '../../../../src/runtime/errors.ts';
import {
  assertDurable,
  openConnection,
  type ConnectionOptions,
} from '../../../../src/store/sqlite/file/connection.ts';
import { latestVersion } from '../../../../src/store/sqlite/migrate.ts';
import { aClaim } from '../../../conformance/store/setup.ts';
import { aCampaign, CREATED } from '../../../helpers/factory.ts';
import { tempFolder } from '../../../helpers/files/temp.ts';
import { aDatabasePath, aStore } from '../database.ts';

const DURABLE = { journal_mode: 'wal', synchronous: 2, foreign_keys: 1, busy_timeout: 5_000 };

describe('a connection', () => {
  it('is durable after its first write, when it made the database and when it opens it again', () => {
    const path = aDatabasePath();

    for (let opened = 1; opened <= 3; opened++) {
      const db = open({ path, mode: 'write' });
      db.prepare('INSERT INTO proven_services VALUES (?, 1)').run(`service ${opened}`);
      expect(pragmasOf(db)).toEqual(DURABLE);
      if (opened < 3) db.close();
    }
  });

  it('is durable beside another one', () => {
    const path = aDatabasePath();
    open({ path, mode: 'write' });
    const second = open({ path, mode: 'write' });
    second.prepare("INSERT INTO proven_services VALUES ('x', 1)").run();

    expect(pragmasOf(second)).toEqual(DURABLE);
  });

  it.each(['synchronous = NORMAL', 'foreign_keys = OFF', 'journal_mode = DELETE'])(
    'is refused where it does not keep its settings: %s',
    (pragma) => {
      const path = aDatabasePath();
      const db = open({ path, mode: 'write' });
      db.pragma(pragma);

      expect(() => {
        assertDurable(db, path);
      }).toThrow(/does not keep the settings/);
    },
  );

  it('leaves files that only their owner can read, from the first moment on', () => {
    const path = aDatabasePath();
    open({ path, mode: 'write' });
    const files = readdirSync(join(path, '..'));

    expect(files).toHaveLength(3);
    for (const file of files) {
      expect([file, statSync(join(path, '..', file)).mode & 0o777]).toEqual([file, 0o600]);
    }
  });

  it('makes the folders on the way to a new database', () => {
    const path = join(tempFolder(), 'a', 'b', 'callsheet.db');

    open({ path, mode: 'write' });

    expect(existsSync(path)).toBe(true);
  });

  it('takes an empty file for a new database', () => {
    const path = aDatabasePath();
    writeFileSync(path, '');

    expect(open({ path, mode: 'write' }).pragma('user_version', { simple: true })).toBe(
      latestVersion(),
    );
  });
});

describe('a database that cannot be opened', () => {
  it('is missing: reading makes none, and the message says what to do', () => {
    const path = aDatabasePath();

    expect(refusal({ path, mode: 'read' })).toMatchObject({
      code: 'STORE_MISSING',
      exitCode: 2,
      message: `There is no database at ${path}.`,
      hint: 'Name the right one with --db, or import a list first.',
    });
    expect(existsSync(path)).toBe(false);
  });

  it.each(['read', 'write'] as const)('was written by a newer callsheet (%s)', (mode) => {
    const path = aDatabasePath();
    const db = open({ path, mode: 'write' });
    db.pragma('user_version = 99');
    db.close();

    expect(refusal({ path, mode })).toMatchObject({
      code: 'STORE_NEWER',
      exitCode: 2,
      message: `The database ${path} has version 99, written by a newer callsheet; this one knows versions up to ${latestVersion()}.`,
      hint: 'Update callsheet, or give another database with --db.',
    });
  });

  it('is older, and a reading command does not migrate it', () => {
    const path = aDatabasePath();
    const db = open({ path, mode: 'write' });
    db.pragma('user_version = 0');
    db.close();

    expect(refusal({ path, mode: 'read' })).toMatchObject({ code: 'STORE_OLDER', exitCode: 2 });
    expect(new Sqlite(path).pragma('user_version', { simple: true })).toBe(0);
  });

  it.each(['read', 'write'] as const)('belongs to another program (%s)', (mode) => {
    const path = aDatabasePath();
    const other = new Sqlite(path);
    other.exec('CREATE TABLE contacts (name TEXT)');
    other.close();

    expect(refusal({ path, mode })).toMatchObject({
      code: 'STORE_NOT_OURS',
      exitCode: 2,
      message: `${path} is an SQLite database of another program.`,
    });
    expect(tablesOf(path)).toEqual(['contacts']);
  });

  it.each([
    ['a short text', 'name,phone\n'],
    ['a long text', 'name,phone\n'.repeat(1_000)],
  ])('is %s, not SQLite', (_, text) => {
    const path = aDatabasePath();
    writeFileSync(path, text);

    expect(refusal({ path, mode: 'write' })).toMatchObject({
      code: 'STORE_NOT_SQLITE',
      exitCode: 2,
    });
  });

  it('is locked by another program', () => {
    const path = aDatabasePath();
    open({ path, mode: 'write' });
    const other = new Sqlite(path);
    onTestFinished(() => {
      other.close();
    });
    other.exec('BEGIN EXCLUSIVE');

    expect(refusal({ path, mode: 'write', busyTimeoutMs: 20 })).toMatchObject({
      code: 'STORE_LOCKED',
      exitCode: 1,
      message: `Another program has kept the database ${path} locked for more than 0.02 s.`,
      hint: expect.stringContaining('try again') as string,
    });
  });

  it('is in a place where there can be no file', () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'file'), '');
    mkdirSync(join(folder, 'folder.db'));

    const paths = [join(folder, 'file', 'callsheet.db'), join(folder, 'folder.db')];
    for (const path of paths) {
      const error = refusal({ path, mode: 'write' });
      expect(error).toMatchObject({ code: 'STORE_UNUSABLE', exitCode: 2 });
      expect(error.message).toContain(path);
    }
  });
});

describe('a store', () => {
  it('opened to read sees what a writer writes beside it', async () => {
    const path = aDatabasePath();
    const writer = aStore(path, { mode: 'write' });
    const reader = aStore(path, { mode: 'read' });

    const campaign = await writer.createCampaign(aCampaign(), CREATED);

    expect(await reader.listCampaigns()).toEqual([campaign]);
    expect(reader.name).toBe(path);
    expect(reader.folder).toBe(dirname(path));
  });

  it('that was not opened to dial does not claim', async () => {
    const store = aStore(aDatabasePath(), { mode: 'write' });

    await expect(store.claim(aClaim())).rejects.toThrow('only a store opened to dial can claim');
  });
});

function open(options: ConnectionOptions): Database {
  const db = openConnection(options);
  onTestFinished(() => {
    db.close();
  });
  return db;
}

function refusal(options: ConnectionOptions): AppError {
  try {
    openConnection(options).close();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('it was opened');
}

function pragmasOf(db: Database): Record<string, unknown> {
  const names = Object.keys(DURABLE);
  return Object.fromEntries(names.map((name) => [name, db.pragma(name, { simple: true })]));
}

function tablesOf(path: string): unknown[] {
  const db = new Sqlite(path);
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
  db.close();
  return tables;
}
