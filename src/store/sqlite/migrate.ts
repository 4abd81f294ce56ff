import { readdirSync, readFileSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { usageError } from '../../runtime/errors.ts';

/** Marks a file as a callsheet database in its header (PRAGMA application_id): "CALL" in ASCII. */
export const APPLICATION_ID = 0x43414c4c;

/** The version a database has after all migrations. */
export function latestVersion(): number {
  return migrations().at(-1)?.version ?? 0;
}

/**
 * Brings the database to the newest version, each migration in one transaction with its version number.
 * @throws AppError `STORE_NEWER` when a newer callsheet wrote it
 */
export function migrate(db: Database, path: string): void {
  refuseNewer(db, path);
  // A database that is up to date is not written to, so no lock is needed.
  const current = versionOf(db);
  const missing = migrations().filter(({ version }) => version > current);
  if (missing.length === 0) return;
  const apply = db.transaction((migration: (typeof missing)[number]) => {
    // Checked again inside the transaction: another process may have been first.
    if (versionOf(db) >= migration.version) return;
    db.exec(migration.sql);
    db.pragma(`application_id = ${APPLICATION_ID}`);
    db.pragma(`user_version = ${migration.version}`);
  });
  for (const migration of missing) apply.immediate(migration);
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

function versionOf(db: Database): number {
  return db.pragma('user_version', { simple: true }) as number;
}

let known: { version: number; sql: string }[] | undefined;

/** All migrations in ascending order; the files are read once. */
function migrations() {
  const folder = new URL('migrations/', import.meta.url);
  return (known ??= readdirSync(folder)
    .filter((name) => /^\d{4}-.*\.sql$/.test(name))
    .sort()
    .map((name) => ({
      version: Number(name.slice(0, 4)),
      sql: readFileSync(new URL(name, folder), 'utf8'),
    })));
}
