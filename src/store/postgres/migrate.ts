import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

import { systemClock } from '../../runtime/clock.ts';
import { AppError, usageError } from '../../runtime/errors.ts';
import { sqlOf } from '../sql/sql.ts';
import { latestVersion } from '../sqlite/migrate.ts';
import type { Engine } from '../sql/engine.ts';
import { codeOf, otherVersion } from './failures.ts';
import { AT_WORK, checkServer, serverEngine } from './server.ts';
import type { ServerFacts, ServerPlace } from './messages.ts';

/** The schema's version, or null where there is no schema, or an empty one. @throws AppError `STORE_NOT_OURS` */
function versionOf(
  db: Engine['db'],
  { schema, name }: { schema: string; name: string },
): number | null {
  const sql = sqlOf(db);
  const found = sql.row<[string, string], { ours: string | null; others: number }>(
    `SELECT to_regclass(?) AS ours, (SELECT count(*) FROM pg_class
       WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = ?)) AS others`,
  )(`"${schema}".lead_counts`, schema);
  if (found?.ours !== null)
    return sql.value<[], number>(`SELECT version FROM "${schema}".store`)() ?? null;
  if (found.others === 0) return null;
  throw usageError(
    'STORE_NOT_OURS',
    `The schema "${schema}" of ${name} holds tables of another program.`,
    'give callsheet a schema of its own in the URL: ?schema=NAME',
  );
}

/** @throws AppError `STORE_MISSING`, `STORE_NOT_OURS`, `STORE_OLDER`, `STORE_NEWER` */
export function assertCurrent(
  db: Engine['db'],
  options: Pick<ServerPlace, 'schema' | 'name'>,
): void {
  const version = versionOf(db, options);
  const { name } = options;
  if (version === null)
    throw usageError(
      'STORE_MISSING',
      `There is no schema of callsheet in ${name}. A new one would not know who was called before.`,
      'name the right database with --db, or begin a new one with `callsheet migrate`',
    );
  if (version !== latestVersion()) throw otherVersion(name, version);
}

/** Beside this module: what the build writes. */
const HERE = new URL('./', import.meta.url);

/** Brings an older schema up to date, in one transaction. @throws AppError `STORE_IN_USE` */
function upgrade(db: Engine['db'], name: string): void {
  const sql = sqlOf(db);
  const steps = readdirSync(HERE)
    .map((file) => ({ file, version: Number(/^postgres-(\d+)\.sql$/.exec(file)?.[1]) }))
    .filter(({ version }) => !Number.isNaN(version))
    .sort((a, b) => a.version - b.version);
  sql.alone(() => {
    if (sql.value<[], number>(`SELECT pg_try_advisory_xact_lock(${AT_WORK})`)() !== 1)
      throw new AppError(
        'STORE_IN_USE',
        `Another callsheet works on ${name}, whose schema is older: it is brought up to date only while nobody does.`,
        { hint: 'stop callsheet on all machines, then migrate again' },
      );
    const before = sql.value<[], number>('SELECT version FROM store')() ?? 0;
    for (const { file, version } of steps.filter((step) => step.version > before)) {
      db.exec(readFileSync(new URL(file, HERE), 'utf8'));
      sql.run('UPDATE store SET version = ?')(version);
    }
  });
}

/**
 * Makes the schema, unless it is there, or brings it up to date. A schema that an administrator has made is filled if it
 * is empty.
 * @returns its version before; null: it was made @throws AppError `STORE_IN_USE`, see `checkServer`, `assertCurrent`
 */
export function migrateServer(options: ServerPlace): number | null {
  const { schema, name, address } = options;
  const engine = serverEngine(options);
  const { db } = engine;
  const before = () => {
    const version = versionOf(db, options);
    if (version !== null && version < latestVersion()) upgrade(db, name);
    if (version !== null) assertCurrent(db, options);
    return version;
  };
  try {
    checkServer(engine);
    const found = before();
    if (found !== null) return found;
    const isThere = sqlOf(db).value<[string], number>(
      'SELECT 1 FROM pg_namespace WHERE nspname = ?',
    )(schema);
    const begin = isThere === undefined ? `CREATE SCHEMA "${schema}";` : '';
    const text = readFileSync(new URL('postgres.sql', HERE), 'utf8');
    // One text is one transaction. Of two at one moment, the second waits for the first, and finds the schema.
    db.exec(
      `SELECT pg_advisory_xact_lock(hashtext('${schema}')); ${begin} ${text}; INSERT INTO store VALUES (1, ${latestVersion()}, '', 0, 0);
       INSERT INTO meta VALUES ('database_id', '${randomUUID()}')`,
    );
    return null;
  } catch (error) {
    if (/^42P0[67]$/.test(codeOf(error))) return before();
    if (codeOf(error) === '42501')
      throw usageError(
        'STORE_UNUSABLE',
        `The user "${address.user}" may make no schema in ${name}.`,
        `let an administrator of the server run \`CREATE SCHEMA "${schema}" AUTHORIZATION "${address.user}"\` in that database, then migrate again`,
        error,
      );
    throw error;
  } finally {
    db.close();
  }
}

const TRIPS = 9;

/** Checks a server as opening it does, and measures the way there. @throws AppError see `checkServer`, `assertCurrent` */
export function lookAtServer(options: ServerPlace): ServerFacts {
  const engine = serverEngine(options);
  const { db } = engine;
  try {
    const checked = checkServer(engine);
    assertCurrent(db, options);
    const sql = sqlOf(db);
    const standbys = sql.rows<[], ServerFacts['standbys'][number]>(
      'SELECT application_name AS name, sync_state AS state FROM pg_stat_replication',
    )();
    const trip = sql.value<[], number>('SELECT 1');
    const trips = Array.from({ length: TRIPS }, () => {
      const from = systemClock.monotonic();
      trip();
      return systemClock.monotonic() - from;
    });
    const [roundTripMs = 0] = trips.toSorted((a, b) => a - b).slice(TRIPS >> 1);
    return { ...checked, schemaVersion: latestVersion(), roundTripMs, standbys };
  } finally {
    db.close();
  }
}
