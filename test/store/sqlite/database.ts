import { closeSync, existsSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite, { type Database } from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import { openConnection } from '../../../src/store/sqlite/file/connection.ts';
import { openSqliteStore, type OpenOptions } from '../../../src/store/sqlite/open.ts';
import type { Store } from '../../../src/store/port.ts';
import { aRunningCampaign } from '../../conformance/store/setup.ts';
import { freshDatabase } from '../../helpers/files/fresh-database.ts';
import { tempFolder } from '../../helpers/files/temp.ts';

/** The path of a database that does not exist yet, in a folder of its own. */
export function aDatabasePath(): string {
  return join(tempFolder(), 'callsheet.db');
}

/** A store that is closed with the test. A database that does not exist yet is copied from a fresh one, as that is faster. */
export function aStore(path: string, options: Partial<OpenOptions> = {}): Store {
  if (!existsSync(path) && options.mode !== 'read') freshDatabase(path);
  const store = openSqliteStore({ path, mode: 'dial', ...options });
  onTestFinished(() => store.close());
  return store;
}

/** A database with a campaign that runs. @param plan see `aRunningCampaign` */
export async function aRunningDatabase(
  plan: Parameters<typeof aRunningCampaign>[1] = {},
): Promise<{ path: string; store: Store }> {
  const path = aDatabasePath();
  const store = aStore(path);
  await aRunningCampaign(store, plan);
  return { path, store };
}

/** Changes what the port has no way to change. */
export function change(path: string, sql: string): void {
  const db = openConnection({ path, mode: 'write' });
  db.exec(sql);
  db.close();
}

/** A connection of the test's own, for what the port does not show. */
export function aConnection(path: string): Database {
  const db = openConnection({ path, mode: 'write' });
  onTestFinished(() => {
    db.close();
  });
  return db;
}

/** A database with a campaign. */
export async function aSoundDatabase(): Promise<string> {
  const path = aDatabasePath();
  const store = aStore(path, { mode: 'write' });
  await aRunningCampaign(store, { proven: false });
  await store.close();
  return path;
}

/** The same, damaged. */
export async function aDamagedDatabase(): Promise<string> {
  const path = await aSoundDatabase();
  damage(path);
  return path;
}

/** Overwrites the beginning of a table or index, where opening alone does not look. */
export function damage(path: string, name = 'leads'): void {
  const db = new Sqlite(path);
  const page = db
    .prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?')
    .pluck()
    .get(name) as number;
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
  const fd = openSync(path, 'r+');
  writeSync(fd, Buffer.alloc(4096, 0x5a), 0, 4096, (page - 1) * 4096);
  closeSync(fd);
}
