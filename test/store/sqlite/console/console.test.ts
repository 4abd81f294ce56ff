import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { openConsoleConnection } from '../../../../src/store/sqlite/console.ts';
import { openSqliteConsole } from '../../../../src/store/sqlite/console.ts';
import { openSqliteStore } from '../../../../src/store/sqlite/open.ts';
import { START } from '../../../helpers/clock.ts';
import { tempFolder } from '../../../helpers/files/temp.ts';
import { aConsole, ANN } from './a-console.ts';

describe('the file of the console', () => {
  it('can be read by its owner alone, like the files that SQLite keeps beside it', async () => {
    const { store, path } = aConsole(join(tempFolder(), 'data', 'console.db'));
    await store.addUser(ANN);
    for (const end of ['', '-wal', '-shm'])
      expect([end, statSync(`${path}${end}`).mode & 0o777]).toEqual([end, 0o600]);
  });

  it('is durable: a write that was answered survives a power cut', () => {
    const db = openConsoleConnection(join(tempFolder(), 'console.db'));
    db.exec("INSERT INTO links (hash, expires_at) VALUES ('h', 1)");
    const settings = ['journal_mode', 'synchronous', 'foreign_keys'].map((name) =>
      db.pragma(name, { simple: true }),
    );
    db.close();
    expect(settings).toEqual(['wal', 2, 1]);
  });

  it('keeps what is in it when it is opened again', async () => {
    const { store, path } = aConsole();
    await store.addUser(ANN);
    expect(await aConsole(path).store.users()).toEqual([ANN]);
  });

  it('is never taken for the database of campaigns, nor that one for it', async () => {
    const { path } = aConsole();
    const refused = { code: 'STORE_NOT_OURS' };
    expect(() => openSqliteStore({ path, mode: 'write' })).toThrow(
      expect.objectContaining(refused),
    );
    const calls = join(tempFolder(), 'callsheet.db');
    await openSqliteStore({ path: calls, mode: 'write' }).close();
    expect(() => openSqliteConsole(calls)).toThrow(/is a database of something else/);
  });

  it('takes nothing more once it is closed, which is told to whoever writes', async () => {
    const { store } = aConsole();
    await store.close();
    await expect(store.addUser(ANN)).rejects.toThrow('console.db is closed');
  });

  it('that is something else or of a newer version is refused with what to do', () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'list.db'), 'name,phone\n'.repeat(100));
    mkdirSync(join(folder, 'folder.db'));
    const refused = { code: 'CONSOLE_UNUSABLE', exitCode: 2 };
    for (const name of ['list.db', 'folder.db'])
      expect(() => openSqliteConsole(join(folder, name))).toThrow(expect.objectContaining(refused));
    const { path } = aConsole();
    const db = new Sqlite(path);
    db.pragma('user_version = 99');
    db.close();
    const newer = { code: 'STORE_NEWER', exitCode: 2 };
    expect(() => openSqliteConsole(path)).toThrow(expect.objectContaining(newer));
  });

  it('that is damaged is not used', async () => {
    const { store, path } = aConsole();
    await store.addUser(ANN);
    await store.close();
    const bytes = Buffer.alloc(statSync(path).size, 0x5a);
    bytes.write('SQLite format 3\0');
    writeFileSync(path, bytes);
    expect(() => openSqliteConsole(path)).toThrow(/is damaged|is a database of something else/);
  });
});

describe('users and tokens', () => {
  it('have names that are the same in capital and small letters', async () => {
    const { store } = aConsole();
    expect(await store.addUser(ANN)).toBe(true);
    expect(await store.addUser({ ...ANN, name: 'ANN', role: 'admin' })).toBe(false);
    expect(await store.findUser('Ann')).toEqual(ANN);
    const token = { ...ANN, id: 'tok_1', name: 'crm', hash: 'h1' };
    expect(await store.addToken(token)).toBe(true);
    expect(await store.addToken({ ...token, id: 'tok_2', name: 'CRM', hash: 'h2' })).toBe(false);
    expect(await store.removeToken('Crm')).toBe(true);
    expect(await store.findToken('h1')).toBeUndefined();
  });

  it('that are not there are changed by nothing', async () => {
    const { store } = aConsole();
    expect(await store.setRole({ ...ANN, keepsAdmin: true })).toBe(false);
    expect(await store.setPassword(ANN)).toBe(false);
    expect(await store.removeUser({ name: 'ann', keepsAdmin: false })).toBe(false);
    expect(await store.removeToken('crm')).toBe(false);
  });
});

describe('a session', () => {
  const session = { hash: 'c1', user: 'ann', createdAt: START, expiresAt: START + 1_000 };

  it('begins only while the password is the one that was checked', async () => {
    const { store } = aConsole();
    await store.addUser(ANN);
    expect(await store.addSession({ ...session, passwordAt: START - 1 })).toBe(false);
    expect(await store.addSession({ ...session, user: 'ben', passwordAt: START })).toBe(false);
    expect(await store.addSession({ ...session, passwordAt: START })).toBe(true);
    const found = { user: ANN, expiresAt: START + 1_000 };
    expect(await store.findSession({ hash: 'c1', now: START })).toEqual(found);
    expect(await store.findSession({ hash: 'c1', now: START + 1_000 })).toBeUndefined();
  });

  it('ends when its user gets another password or is removed', async () => {
    const { store } = aConsole();
    await store.addUser(ANN);
    await store.addSession({ ...session, passwordAt: START });
    await store.setPassword({ name: 'ANN', password: 'other', changedAt: START + 1 });
    expect(await store.findSession({ hash: 'c1', now: START })).toBeUndefined();
    await store.addSession({ ...session, passwordAt: START + 1 });
    await store.removeUser({ name: 'ann', keepsAdmin: false });
    expect(await store.findSession({ hash: 'c1', now: START })).toBeUndefined();
    expect(await store.endSession('c1')).toBe(false);
  });

  it('that has expired is forgotten when the next begins', async () => {
    const { store } = aConsole();
    await store.addUser(ANN);
    await store.addSession({ ...session, passwordAt: START });
    const later = START + 1_000;
    const next = { hash: 'c2', user: 'ann', createdAt: later, expiresAt: later + 1 };
    await store.addSession({ ...next, passwordAt: START });
    expect(await store.endSession('c1')).toBe(false);
  });
});

describe('a one-time link', () => {
  it('begins one session however many try at the same time', async () => {
    const { store } = aConsole();
    await store.addLink({ hash: 'l1', expiresAt: START + 10, now: START });
    const use = (cookie: string) => {
      const session = { hash: cookie, user: null, createdAt: START, expiresAt: START + 1_000 };
      return store.useLink({ hash: 'l1', session });
    };
    const answers = await Promise.all(['a', 'b', 'c'].map(use));
    expect(answers.filter(Boolean)).toHaveLength(1);
    const sessions = await Promise.all(
      ['a', 'b', 'c'].map((hash) => store.findSession({ hash, now: START })),
    );
    expect(sessions.filter((found) => found !== undefined)).toEqual([
      { user: null, expiresAt: START + 1_000 },
    ]);
  });
});
