import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import { openConnection } from '../../../src/store/sqlite/connection.ts';
import { openSqliteStore, type OpenOptions } from '../../../src/store/sqlite/open.ts';
import type { Store } from '../../../src/store/port.ts';
import { tempFolder } from '../../helpers/temp.ts';

/** The path of a database that does not exist yet, in a folder of its own. */
export function aDatabasePath(): string {
  return join(tempFolder(), 'callsheet.db');
}

/** A store that is closed with the test. */
export function aStore(path: string, options: Partial<OpenOptions> = {}): Store {
  const store = openSqliteStore({ path, mode: 'dial', ...options });
  onTestFinished(() => store.close());
  return store;
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
