import { readFileSync } from 'node:fs';

import { usageError } from '../../runtime/errors.ts';
import { sqlOf } from '../sql/sql.ts';
import { latestVersion } from '../sqlite/migrate.ts';
import type { Engine } from '../sql/engine.ts';
import { checkServer, serverEngine } from './server.ts';
import type { ServerPlace } from './messages.ts';

/** The schema's version, or null where there is no schema of callsheet. */
function versionOf(db: Engine['db'], schema: string): number | null {
  const sql = sqlOf(db);
  const isThere = sql.value<[string], string | null>('SELECT to_regclass(?)')(`"${schema}".store`);
  if (isThere === null || isThere === undefined) return null;
  return sql.value<[], number>('SELECT version FROM store')() ?? null;
}

/** @throws AppError `STORE_MISSING`, `STORE_OLDER`, `STORE_NEWER` */
export function assertCurrent(
  db: Engine['db'],
  { schema, name }: { schema: string; name: string },
): void {
  const version = versionOf(db, schema);
  const latest = latestVersion();
  if (version === null)
    throw usageError(
      'STORE_MISSING',
      `There is no schema of callsheet in ${name}.`,
      'name the right database',
    );
  if (version < latest)
    throw usageError(
      'STORE_OLDER',
      `The database ${name} has version ${version}; this callsheet needs version ${latest}.`,
      'bring its schema up to date first',
    );
  if (version > latest)
    throw usageError(
      'STORE_NEWER',
      `The database ${name} has version ${version}, written by a newer callsheet; this one knows versions up to ${latest}.`,
      'update callsheet on this machine',
    );
}

/** Makes the schema, unless it is there. @returns whether it was made @throws AppError see `checkServer` */
export function migrateServer(options: ServerPlace): boolean {
  const { schema } = options;
  const engine = serverEngine(options);
  const { db } = engine;
  try {
    checkServer(engine);
    if (versionOf(db, schema) !== null) return false;
    const text = readFileSync(new URL('./postgres.sql', import.meta.url), 'utf8');
    // Of two at one moment, the second waits for the first, and finds the schema.
    db.exec(
      `BEGIN; CREATE SCHEMA "${schema}"; ${text}; INSERT INTO store VALUES (1, ${latestVersion()}, '', 0); COMMIT`,
    );
    return true;
  } finally {
    db.close();
  }
}
