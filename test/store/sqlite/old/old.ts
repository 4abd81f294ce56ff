import { copyFileSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import Sqlite, { type Database } from 'better-sqlite3';
import { aDatabasePath } from '../database.ts';

/** Databases that callsheet wrote: 0.2.0, and the version of the numbered file. */
export const OLD = ['0.2.0', '0036'] as const;

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** A database as an older callsheet left it, with its dial journal; all its calls have ended. Returns its path. */
export function anOldDatabase(of: (typeof OLD)[number]): string {
  const path = aDatabasePath();
  const db = new Sqlite(path);
  db.exec(readFileSync(file(`${of}.sql`), 'utf8'));
  db.close();
  copyFileSync(file(`${of}.dials`), `${path}.dials`);
  return path;
}

/** What is defined in a database, by name; comments, spaces and quotes of names are left out. */
export function schemaOf(db: Database): Record<string, string> {
  const rows = db
    .prepare(
      "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY name",
    )
    .raw()
    .all() as [string, string][];
  const plain = (sql: string) =>
    sql
      .replace(/--.*|"/g, '')
      .replace(/\s+/g, ' ')
      .replace(/ ?([(),]) ?/g, '$1');
  return Object.fromEntries(rows.map(([name, sql]) => [name, plain(sql)]));
}
