import { statSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { usageError } from '../../../runtime/errors.ts';
import { openAsItIs } from './connection.ts';
import { corrupt, explainFailure } from './failures.ts';
import { refuseNewer } from '../migrate.ts';

/**
 * A database that is opened to dial is checked up to this size, bytes (64 MB), because the check delays the
 * start. Measured on a slow core: 1.6 to 2.5 s for 100 MB of leads (every CHECK is evaluated), 0.1 s for 100 MB of
 * transcripts. `doctor` checks any size; `backup` and `restore` run integrity_check instead.
 */
export const QUICK_CHECK_UP_TO_BYTES = 64 * 1024 * 1024;

/**
 * Runs `quick_check`, which checks pages, rows and CHECKs, but not whether indexes agree with their tables.
 *
 * @param options.upToBytes a larger database is not checked
 * @throws AppError `STORE_CORRUPT` (exit 5), with the first thing found
 */
export function quickCheck(db: Database, path: string, { upToBytes }: { upToBytes: number }): void {
  if (statSync(path).size > upToBytes) return;
  refuseDamage(db, path, 'quick_check(1)');
}

/** What a copy of a database holds. */
export interface Holdings {
  /** The database's id; its dial journal has the same. */
  databaseId: string;
  campaigns: number;
  leads: number;
  attempts: number;
}

/**
 * Checks a copy completely (integrity_check and foreign keys).
 *
 * @param name what the operator calls it, for messages
 * @throws AppError `STORE_CORRUPT`, `STORE_NOT_SQLITE`, `STORE_NOT_OURS`, `STORE_NEWER`
 */
export function inspectCopy(path: string, name: string): Holdings {
  const db = openAsItIs(path, name);
  try {
    refuseNewer(db, name);
    refuseDamage(db, name, 'integrity_check(1)');
    if ((db.pragma('foreign_key_check') as unknown[]).length > 0) {
      throw corrupt(name, 'a row belongs to one that is not there');
    }
    return holdingsOf(db, name);
  } catch (error) {
    throw explainFailure(error, name);
  } finally {
    db.close();
  }
}

function refuseDamage(db: Database, path: string, check: string): void {
  const finding = String(db.pragma(check, { simple: true }));
  if (finding !== 'ok') throw corrupt(path, finding.replaceAll(/\s+/g, ' '));
}

function holdingsOf(db: Database, name: string): Holdings {
  const hasMeta = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'meta'").get() !== undefined;
  const selectId = "SELECT value FROM meta WHERE key = 'database_id'";
  const databaseId = hasMeta ? db.prepare(selectId).pluck().get() : undefined;
  if (typeof databaseId !== 'string') {
    throw usageError(
      'STORE_NOT_OURS',
      `${name} holds no database of callsheet.`,
      'Name the right file; `callsheet backup FILE` makes one.',
    );
  }
  const count = (table: string) =>
    db.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number;
  return {
    databaseId,
    campaigns: count('campaigns'),
    leads: count('leads'),
    attempts: count('attempts'),
  };
}
