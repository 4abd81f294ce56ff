import { readdirSync, readFileSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { usageError } from '../../runtime/errors.ts';

/** Marks a file as a callsheet database in its header (PRAGMA application_id): "CALL" in ASCII. */
export const APPLICATION_ID = 0x43414c4c;

/** The version of databases that callsheet 0.2.0 wrote; the first migration begins with it. */
const RELEASED = 17;

/** The version a database has after all migrations. */
export function latestVersion(): number {
  return migrations().at(-1)?.version ?? RELEASED;
}

/**
 * Brings the database to the newest version, each migration in one transaction with its number. A new database gets
 * schema.sql, which a test holds to the same schema: 3 ms instead of 20.
 * @throws AppError `STORE_NEWER` when a newer callsheet wrote it, `STORE_OLDER` when no migration begins with its
 *   version
 */
export function migrate(db: Database, path: string): void {
  refuseNewer(db, path);
  // A database that is up to date is not written to, so no lock is needed.
  if (versionOf(db) === latestVersion()) return;
  // Every check is made inside the transaction: another process may have been first.
  db.transaction(() => {
    if (isEmpty(db)) apply(db, latestVersion(), readSql('schema.sql'));
  }).immediate();
  refuseBetween(db, path);
  for (const { version, file } of migrations()) {
    db.transaction(() => {
      if (versionOf(db) < version) apply(db, version, readSql(file));
    }).immediate();
  }
}

export function isOlder(db: Database): boolean {
  return versionOf(db) < latestVersion() && !isEmpty(db);
}

/** Refuses versions before 0.2.0, and unreleased ones at which no migration ends. */
function refuseBetween(db: Database, path: string): void {
  const version = versionOf(db);
  const known = [RELEASED, ...migrations().map((each) => each.version)];
  if (known.includes(version)) return;
  const [since = RELEASED] = known.filter((each) => each > version);
  throw usageError(
    'STORE_OLDER',
    `The database ${path} has version ${version}; this callsheet brings databases of version ${known.join(' or ')} up to date.`,
    since === RELEASED
      ? 'Open it once with callsheet 0.2.0, e.g. `callsheet collect`, then with this one.'
      : `No release wrote it: open it once with the callsheet of version ${since} that followed yours, then with this one.`,
  );
}

function apply(db: Database, version: number, sql: string): void {
  db.exec(sql);
  db.pragma(`application_id = ${APPLICATION_ID}`);
  db.pragma(`user_version = ${version}`);
}

function isEmpty(db: Database): boolean {
  return db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() === 0;
}

/** @throws AppError `STORE_NEWER`, `STORE_OLDER` */
export function assertCurrent(db: Database, path: string): void {
  refuseNewer(db, path);
  const version = versionOf(db);
  if (version < latestVersion()) {
    throw usageError(
      'STORE_OLDER',
      `The database ${path} has version ${version}; this callsheet reads version ${latestVersion()}, and reading commands change nothing.`,
      'a command that writes, such as `callsheet collect`, brings it up to date',
    );
  }
}

/** @throws AppError `STORE_NEWER` */
export function refuseNewer(db: Database, path: string): void {
  const version = versionOf(db);
  if (version > latestVersion()) {
    throw usageError(
      'STORE_NEWER',
      `The database ${path} has version ${version}, written by a newer callsheet; this one knows versions up to ${latestVersion()}.`,
      'Update callsheet, or give another database with --db.',
    );
  }
}

export function versionOf(db: Database): number {
  return db.pragma('user_version', { simple: true }) as number;
}

const HERE = new URL('./', import.meta.url);

const readSql = (file: string) => readFileSync(new URL(file, HERE), 'utf8');

let known: { version: number; file: string }[] | undefined;

/** All migrations in ascending order; the folder is read once. */
function migrations() {
  return (known ??= readdirSync(new URL('migrations/', HERE))
    .filter((name) => /^\d{4}-.*\.sql$/.test(name))
    .sort()
    .map((name) => ({ version: Number(name.slice(0, 4)), file: `migrations/${name}` })));
}
