import { AppError, EXIT, usageError } from '../../runtime/errors.ts';
import type { Failures } from '../sql/engine.ts';
import { latestVersion } from '../sqlite/migrate.ts';
import { ServerError } from './wire.ts';

/** SQLSTATE of a connection that is over, a server that starts, stops or takes no writes, or none of these: no way there. */
const AWAY = /^(?:AWAY|08...|57P0.|25006|25P03|53300)$/;
/** A lock that was not given in time. */
export const NOT_GIVEN = '55P03';
/** That, and a statement that took too long. */
const LOCKED = [NOT_GIVEN, '57014'];
/** Raised by `COME`, with the version of the schema as its text. */
export const OTHER_VERSION = 'CS001';
const [FULL, IO_FAILED, CORRUPT] = ['53100', '58030', /^XX00[12]$/] as const;

/** Nobody knows whether the transaction was committed; the row of `commits` says it, once the lock is taken again. */
export class CommitUnknown extends Error {
  readonly commit: string;

  constructor(commit: string, cause: unknown) {
    super('the answer of a commit was lost', { cause });
    this.commit = commit;
  }
}

/** SQLSTATE, or what `ServerError` has in its place; empty for all else. */
export const codeOf = (error: unknown): string => (error instanceof ServerError ? error.code : '');

/** True when the server cannot be reached, or is not the one that takes writes: what was not committed is undone. */
export function isAway(error: unknown): boolean {
  return AWAY.test(codeOf(error));
}

/** What only a person mends. */
const REFUSED: Readonly<Record<string, { what: string; hint: string; as?: 'STORE_MISSING' }>> = {
  '3D000': {
    as: 'STORE_MISSING',
    what: 'NAME cannot be opened',
    hint: 'correct the name with --db, or let an administrator create that database, then run `callsheet migrate`',
  },
  '28P01': {
    what: 'The server of NAME refuses the password',
    hint: 'give the right one in PGPASSWORD, in ~/.pgpass or with --db-password-file FILE',
  },
  PASSWORD: {
    what: 'The server of NAME asks for a password',
    hint: 'give it in PGPASSWORD, in ~/.pgpass (mode 600) or with --db-password-file FILE',
  },
  '28000': {
    what: 'The server of NAME refuses this user',
    hint: 'correct the user with --db, or let an administrator admit it from this machine (pg_hba.conf, LOGIN)',
  },
  '42501': {
    what: 'The user of NAME lacks a right',
    hint: 'name the user that made the schema with `callsheet migrate`, or let its owner grant that right',
  },
  TLS: {
    what: 'The server of NAME cannot be trusted',
    hint: "name the file with its authority's certificate in the URL (&sslrootcert=FILE); a server without TLS has to turn it on",
  },
};

/** How failures of a server are understood. @param name what the operator calls the database */
export const serverFailures = (name: string): Failures => ({
  isFull: (error) => codeOf(error) === FULL,
  isLocked: (error) => LOCKED.includes(codeOf(error)),
  isBroken: (error): error is Error => CORRUPT.test(codeOf(error)) || codeOf(error) === IO_FAILED,
  explain: (error) => explain(error, name),
});

/** Turns a failure of the server into an AppError; any other error is returned unchanged. */
export function explain(failure: unknown, name: string): unknown {
  // Where nobody looks it up, the caller does the same again.
  const error = failure instanceof CommitUnknown ? failure.cause : failure;
  const code = codeOf(error);
  if (!(error instanceof ServerError)) return error;
  if (code === FULL) return full(name, error);
  if (code === OTHER_VERSION) return otherVersion(name, Number(error.message));
  const refused = REFUSED[code];
  if (refused !== undefined) {
    const { what, hint, as = 'STORE_UNUSABLE' } = refused;
    return usageError(as, `${what.replace('NAME', name)}: ${error.message}.`, hint, error);
  }
  if (isAway(error))
    return new AppError('STORE_AWAY', `The database ${name} does not answer: ${error.message}.`, {
      hint: 'look whether the server runs and can be reached from here, then try again',
      cause: error,
    });
  if (LOCKED.includes(code))
    return new AppError(
      'STORE_LOCKED',
      `Another transaction has kept the database ${name} locked for more than 5 s.`,
      {
        hint: 'look for it in pg_stat_activity (callsheet itself never holds the lock for so long), then try again',
        cause: error,
      },
    );
  if (code === IO_FAILED)
    return new AppError(
      'STORE_IO_FAILED',
      `The disk of the database ${name} failed: ${error.message}.`,
      {
        hint: 'look into the log of the server, then run again',
        cause: error,
      },
    );
  if (CORRUPT.test(code))
    return new AppError('STORE_CORRUPT', `The database ${name} is damaged: ${error.message}.`, {
      hint: 'look into the log of the server; its backup is the way back',
      exitCode: EXIT.person,
      cause: error,
    });
  return error;
}

function full(name: string, cause?: unknown): AppError {
  return new AppError(
    'STORE_FULL',
    `The disk of the database server is full: nothing more can be written to ${name}.`,
    { hint: 'make room on the disk of the server, then run again', exitCode: EXIT.person, cause },
  );
}

/** A schema that this callsheet does not work on. @returns AppError `STORE_OLDER`, `STORE_NEWER` */
export function otherVersion(name: string, version: number): AppError {
  const latest = latestVersion();
  return version < latest
    ? usageError(
        'STORE_OLDER',
        `The database ${name} has version ${version}; this callsheet needs version ${latest}.`,
        'bring it up to date with `callsheet migrate`',
      )
    : usageError(
        'STORE_NEWER',
        `The database ${name} has version ${version}, written by a newer callsheet; this one knows versions up to ${latest}.`,
        'update callsheet on this machine',
      );
}
