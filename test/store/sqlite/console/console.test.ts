import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { openConsoleConnection } from '../../../../src/store/sqlite/console.ts';
import { openSqliteConsole } from '../../../../src/store/sqlite/console.ts';
import { openSqliteStore } from '../../../../src/store/sqlite/open.ts';
import { tempFolder } from '../../../helpers/files/temp.ts';
import { ANN, consoleConformance } from '../../../conformance/console.ts';
import { aConsole } from './a-console.ts';

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

  it('of an unreleased version is refused with what to do', () => {
    const { path } = aConsole();
    const db = new Sqlite(path);
    db.pragma('user_version = 3');
    db.close();
    const older = { code: 'STORE_OLDER', exitCode: 2 };
    expect(() => openSqliteConsole(path)).toThrow(expect.objectContaining(older));
  });

  it('of the version before machines keeps its consoles and uploads', async () => {
    const { path, store } = aConsole();
    await store.close();
    const db = new Sqlite(path);
    db.exec(`DROP TABLE listening;
      CREATE TABLE listening (url TEXT NOT NULL PRIMARY KEY, owner TEXT NOT NULL CHECK (json_valid(owner)),
        at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
      INSERT INTO listening VALUES ('http://127.0.0.1:1', '{"host":"srv","boot":"b","pid":7}', 5);
      ALTER TABLE uploads DROP COLUMN machine;
      INSERT INTO uploads VALUES ('up_1', 'a.csv', '/a.csv', 3, 5);`);
    db.pragma('user_version = 4');
    db.close();
    const { store: opened } = aConsole(path);
    const owner = { host: 'srv', boot: 'b', pid: 7 };
    expect(await opened.listening()).toEqual([{ url: 'http://127.0.0.1:1', owner, at: 5 }]);
    expect(await opened.uploads()).toMatchObject([{ id: 'up_1', machine: null }]);
    await opened.addListening({ url: 'http://127.0.0.1:1', owner: { ...owner, host: 'b' }, at: 6 });
    expect(await opened.listening()).toHaveLength(2);
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

consoleConformance('SQLite', async () => aConsole());
