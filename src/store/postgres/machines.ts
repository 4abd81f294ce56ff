import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';

import { DialJournal, journalId } from '../journal/journal.ts';
import { recoverFromJournal, type JournalOf } from '../journal/recover.ts';
import { databaseIdOf, type JournalNotes } from '../sql/claim/restore-dials.ts';
import type { Sql } from '../sql/sql.ts';
import type { ServerEngine } from './server.ts';

// Which machines call on a schema, and whether each has shown its dial journal to the copy of it that answers now. The
// table `machines` has a row for each journal. `store.generation` counts the copies; nobody is called before every
// machine that has not left has compared its journal with this one: a failover, a backup that was put back or a copy of
// the disk may have lost calls that only a journal still has.

/** Numbers of attempts go on so much later in another copy, so that no late answer meets another person's attempt. */
const JUMP = 1_000_000;

/** Begins a generation. */
const NEXT_GENERATION = `WITH next AS (UPDATE store SET generation = generation + 1 RETURNING generation)
  SELECT setval('attempts_seq_seq', last_value + ${JUMP}) FROM attempts_seq_seq, next`;

/**
 * Sent on each new connection: a server with another system id or timeline, and a table with another number, is another
 * copy; the first one only gets its name. A statement of its own after the lock sees what was committed while the lock was waited for.
 */
export const GREETING = `BEGIN; SELECT 1 FROM store FOR UPDATE;
  WITH here AS (SELECT concat_ws('/', system_identifier, left(pg_walfile_name(pg_current_wal_lsn()), 8),
    (SELECT oid FROM pg_database WHERE datname = current_database()), 'store'::regclass::oid) AS copy FROM pg_control_system()),
  next AS (UPDATE store SET copy = here.copy, generation = generation + 1 FROM here WHERE store.copy <> here.copy RETURNING generation)
  SELECT setval('attempts_seq_seq', last_value + ${JUMP}) FROM attempts_seq_seq, next WHERE generation > 1; COMMIT`;

/** A machine that calls, or has called; times are epoch ms. */
export interface Machine {
  /** Its host and a few digits: what its journal's first line says. */
  id: string;
  seenAt: number;
  /** When its last process closed the database; null: it has not, or it was killed. */
  leftAt: number | null;
  /** Whether nobody is called before it has shown its journal. */
  isAwaited: boolean;
}

const IS_AWAITED = 'left_at IS NULL AND checked <> (SELECT generation FROM store)';

/** What a person may do with the machines of a schema. */
export function machineMethods(sql: Sql) {
  const select = sql.rows<[], Machine>(
    `SELECT id, seen_at AS seenAt, left_at AS leftAt, ${IS_AWAITED} AS isAwaited FROM machines ORDER BY id`,
    { flags: ['isAwaited'] },
  );
  const remove = sql.run<[id: string]>('DELETE FROM machines WHERE id = ?');
  const next = sql.row<[], unknown>(NEXT_GENERATION);
  return {
    machines: async (): Promise<Machine[]> => select(),
    /** Nobody waits for its journal any more. @returns false when there is no such machine */
    forgetMachine: async (id: string): Promise<boolean> => sql.alone(() => remove(id)) > 0,
    /** An older copy was put in the place of this database: all machines show their journals again. */
    wasRestored: async (): Promise<void> => {
      sql.alone(() => next());
    },
  };
}

/** That this machine works is written down as often, ms. */
const SEEN_EVERY_MS = 60_000;

/**
 * This machine on the schema of `engine`, by its journal; a machine without one gets an id and a journal.
 * @param path of the journal
 */
export function thisMachine(engine: ServerEngine, sql: Sql, path: string, now: () => number) {
  const database = databaseIdOf(sql);
  const register = sql.run<[id: string, at: number]>(
    `INSERT INTO machines (id, seen_at, checked, verified) VALUES (?, ?, (SELECT generation FROM store), 0)`,
  );
  const arrive = sql.run<[{ id: string; at: number }]>(
    `INSERT INTO machines (id, seen_at, checked, verified) VALUES (@id, @at, -1, 0)
     ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at, left_at = NULL`,
  );
  const leave = sql.run<[at: number, id: string]>(
    'UPDATE machines SET left_at = ? WHERE id = ? AND checked = (SELECT generation FROM store)',
  );
  const selectNotes = sql.row<
    [id: string],
    { verified: number; tail: string | null; seq: number | null; isChecked: 0 | 1 }
  >(
    `SELECT verified, tail, seq, checked = (SELECT generation FROM store) AS isChecked
     FROM machines WHERE id = ?`,
  );
  const updateNotes = sql.run<
    [{ id: string; verified: number; tail: string; seq: number; isWhole: 0 | 1 }]
  >(
    `UPDATE machines SET verified = @verified, tail = @tail, seq = @seq,
       checked = CASE WHEN @isWhole = 1 THEN (SELECT generation FROM store) ELSE checked END WHERE id = @id`,
  );
  const selectAnswered = sql.values<[since: number, machine: string], number>(
    'SELECT seq FROM attempts WHERE seq > ? AND answered_at IS NOT NULL AND owner_host = ?',
  );
  const nextGeneration = sql.row<[], unknown>(NEXT_GENERATION);
  const selectGate = sql.row<[id: string], Gate>(
    `SELECT (SELECT count(*) FROM machines WHERE ${IS_AWAITED}) AS awaited, checked = (SELECT generation FROM store) AS isChecked,
       seen_at AS seenAt, left_at AS leftAt FROM machines WHERE id = ?`,
  );

  const id = sql.alone(() => {
    const known = journalId(path);
    // One of another database is refused when it is compared.
    if (known !== undefined) return known.replace(/^[^/]*\//, '');
    const made = `${hostname()}-${randomBytes(3).toString('hex')}`;
    DialJournal.open(path, `${database}/${made}`).close();
    register(made, now());
    return made;
  });

  const notes: JournalNotes = {
    read: () => {
      const { verified = 0, tail } = selectNotes(id) ?? {};
      return { dialled: true, verified, tail: tail ?? undefined };
    },
    lastSeq: () => selectNotes(id)?.seq ?? undefined,
    answeredSince: (seq) => selectAnswered(seq, id),
    write: ({ restored, isWhole, ...compared }) => {
      // Not known, or compared with this copy before: then nobody knew that calls are missing, and others may miss some.
      const { isChecked = 1 } = selectNotes(id) ?? {};
      if (restored > 0 && isChecked === 1) nextGeneration();
      arrive({ id, at: now() });
      updateNotes({ id, ...compared, isWhole: isWhole ? 1 : 0 });
    },
  };
  const journal: JournalOf = { path, database: engine.name, id: `${database}/${id}`, notes };
  /** The connection on which the journal was compared last; null: it must be compared. */
  let comparedOn: number | null = null;

  /** @throws as `recoverFromJournal`, whose options it takes */
  function compare(options: Parameters<typeof recoverFromJournal>[2]): void {
    const connection = engine.connections();
    recoverFromJournal(sql, journal, options);
    comparedOn = connection;
  }

  return {
    id,
    journalId: journal.id,
    compare,
    mustCompare: () => comparedOn !== engine.connections(),
    /** Called in the transaction of a claim that found somebody. */
    mayDial: (): boolean => {
      const gate = selectGate(id);
      if (gate?.isChecked !== 1) comparedOn = null;
      if (comparedOn !== engine.connections() || gate?.awaited !== 0) return false;
      if (gate.leftAt !== null || gate.seenAt < now() - SEEN_EVERY_MS) arrive({ id, at: now() });
      return true;
    },
    isAwaiting: () => selectGate(id)?.awaited !== 0,
    /** What it has committed before is there where this is: nobody has to wait for its journal. */
    leave: () => leave(now(), id),
  };
}

interface Gate {
  /** Machines that have not shown their journals. */
  awaited: number;
  isChecked: 0 | 1;
  seenAt: number;
  leftAt: number | null;
}
