import { readdirSync } from 'node:fs';
import Sqlite, { type Database } from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openConnection } from '../../../../src/store/sqlite/file/connection.ts';
import {
  APPLICATION_ID,
  assertCurrent,
  latestVersion,
  migrate,
} from '../../../../src/store/sqlite/migrate.ts';
import { aDatabasePath } from '../database.ts';

const FOLDER = new URL('../../../../src/store/sqlite/migrations/', import.meta.url);

describe('migrate', () => {
  it('has one file for each version after that of 0.2.0, without a gap', () => {
    const numbers = readdirSync(FOLDER).map((name) =>
      Number(/^(\d{4})-[a-z0-9.-]+\.sql$/.exec(name)?.[1]),
    );

    expect(numbers.sort()).toEqual(numbers.map((_, i) => 36 + i));
    expect(latestVersion()).toBe(35 + numbers.length);
  });

  it('brings an empty database to the newest version and marks it as ours', () => {
    const { db, path } = anEmptyDatabase();

    migrate(db, path);

    expect(db.pragma('user_version', { simple: true })).toBe(latestVersion());
    expect(db.pragma('application_id', { simple: true })).toBe(APPLICATION_ID);
    assertCurrent(db, path);
  });

  it('does nothing to a database that is current', () => {
    const { db, path } = anEmptyDatabase();
    migrate(db, path);
    const before = schemaOf(db);

    migrate(db, path);

    expect(schemaOf(db)).toBe(before);
  });

  it('lets a second process in that was as early as the first', () => {
    const { path } = anEmptyDatabase();
    for (let i = 0; i < 2; i++) {
      const db = openConnection({ path, mode: 'write' });
      onTestFinished(() => {
        db.close();
      });
      expect(db.pragma('user_version', { simple: true })).toBe(latestVersion());
    }
  });
});

function anEmptyDatabase(): { db: Database; path: string } {
  const path = aDatabasePath();
  const db = new Sqlite(path);
  onTestFinished(() => {
    db.close();
  });
  return { db, path };
}

function schemaOf(db: Database): string {
  return JSON.stringify(db.prepare('SELECT * FROM sqlite_schema').all());
}
