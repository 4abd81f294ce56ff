import { systemClock } from '../../runtime/clock.ts';
import { AppError, usageError } from '../../runtime/errors.ts';
import type { Engine } from '../sql/engine.ts';
import { sqlOf } from '../sql/sql.ts';
import { connect, type Connection } from './connection.ts';
import { latestVersion } from '../sqlite/migrate.ts';
import { CommitUnknown, OTHER_VERSION, serverFailures } from './failures.ts';
import type { ServerFacts, ServerPlace } from './messages.ts';

/** Held by each connection that works on the schema: `migrate` changes it only while there is none. */
export const AT_WORK = "hashtext('callsheet ' || current_schema())";

/**
 * Holds it, and then refuses a schema that was changed before, also behind a process that has worked on the old one. A
 * process that is refused keeps no `migrate` waiting.
 */
export const COME = `SELECT pg_advisory_lock_shared(${AT_WORK});
  DO $$ BEGIN IF (SELECT version FROM store) <> ${latestVersion()} THEN
    PERFORM pg_advisory_unlock_shared(${AT_WORK});
    RAISE EXCEPTION '%', (SELECT version FROM store) USING ERRCODE = '${OTHER_VERSION}'; END IF; END $$`;

export type ServerEngine = Engine & Omit<Connection, 'db'>;

/** The engine of an open connection. @param name what the operator calls the database */
export function serverEngine({ address, schema, name, folder }: ServerPlace): ServerEngine {
  const { db, server, connections, greetWith } = connect(address, schema);
  const isThere = sqlOf(db).value<[id: string], number>('SELECT 1 FROM commits WHERE id = ?');
  return {
    db,
    name,
    folder,
    server,
    connections,
    greetWith,
    openToRead: () => {
      const reader = connect(address, schema);
      try {
        reader.greetWith(COME);
      } catch (error) {
        reader.db.close();
        throw error;
      }
      return reader.db;
    },
    failures: serverFailures(name),
    // Room on its disk is the server's own care.
    room: { giveUp: () => false, timesGivenUp: () => 0 },
    close: () => db.close(),
    lookUp: (error) =>
      error instanceof CommitUnknown ? () => isThere(error.commit) !== undefined : undefined,
  };
}

const OLDEST = 15;
/** More than this, and hours of calls would be wrong on one of the machines. */
const MOST_CLOCK_DIFFERENCE_MS = 2_000;

/** What a server says of itself. */
interface Facts {
  /** As `version()` gives it, and as a number: 150018. */
  version: string;
  number: number;
  fsync: string;
  fullPageWrites: string;
  synchronousCommit: string;
}

/**
 * Refuses a server on which people could be called twice, with the sentence that mends it.
 * @returns its version, and how far the clocks differ
 * @throws AppError `STORE_UNUSABLE`
 */
export function checkServer({
  db,
  name,
  server,
}: ServerEngine): Pick<ServerFacts, 'version' | 'clockOffMs'> {
  const sentAt = systemClock.now();
  const facts = sqlOf(db).row<[], Facts & { now: number }>(
    `SELECT version() AS version, CAST(current_setting('server_version_num') AS integer) AS number,
       current_setting('fsync') AS fsync, current_setting('full_page_writes') AS fullPageWrites,
       current_setting('synchronous_commit') AS synchronousCommit,
       floor(extract(epoch FROM clock_timestamp()) * 1000) AS now`,
  )();
  if (facts === undefined) throw new Error('the server says nothing of itself');
  const clockOffMs = Math.abs(facts.now - (sentAt + systemClock.now()) / 2);
  const trouble = troubleOf({ ...facts, ...server, clockOffMs }, name);
  if (trouble !== undefined) throw trouble;
  return { version: facts.number, clockOffMs };
}

/** Why a server cannot be used; undefined: it can. @param name what the operator calls the database */
export function troubleOf(
  facts: Facts & Connection['server'] & { clockOffMs: number },
  name: string,
): AppError | undefined {
  const other = /CockroachDB|YugabyteDB|-YB-/.exec(facts.version)?.[0];
  if (other !== undefined)
    return unusable(
      `${name} is ${other === '-YB-' ? 'YugabyteDB' : other}, whose locks are not those of PostgreSQL.`,
      `use a server of PostgreSQL ${OLDEST} or newer`,
    );
  if (facts.number < OLDEST * 10_000)
    return unusable(
      `${name} is PostgreSQL ${Math.floor(facts.number / 10_000)}, and callsheet needs ${OLDEST} or newer.`,
      'update the server',
    );
  if (facts.isPooled)
    return unusable(
      `What answers at ${facts.host} is a pooler, which gives each transaction another connection.`,
      'give the direct address of the server with --db',
    );
  if (facts.isStandby)
    return unusable(
      `${name} is a standby, or a server in recovery, and takes no writes.`,
      'give the address of the primary with --db; several may be named: HOST1,HOST2',
    );
  const off = [
    facts.fsync === 'off' && 'fsync is off',
    facts.fullPageWrites === 'off' && 'full_page_writes is off',
    ['off', 'local'].includes(facts.synchronousCommit) &&
      `synchronous_commit is ${facts.synchronousCommit}`,
  ].filter((setting) => setting !== false);
  if (off.length > 0)
    return unusable(
      `The server of ${name} may lose what it has confirmed: ${off.join(' and ')}.`,
      'set it to on (for the server, the database and the user), then reload the server: a lost call would be made again',
    );
  if (facts.clockOffMs > MOST_CLOCK_DIFFERENCE_MS)
    return new AppError(
      'STORE_UNUSABLE',
      `The clock of the server of ${name} differs from this machine's by ${(facts.clockOffMs / 1000).toFixed(1)} s; at most 2 s are allowed.`,
      { hint: 'let both follow the same time servers (chrony, ntpd), then run again' },
    );
  return undefined;
}

const unusable = (message: string, hint: string) => usageError('STORE_UNUSABLE', message, hint);
