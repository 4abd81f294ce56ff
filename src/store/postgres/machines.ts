import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';

import { AppError } from '../../runtime/errors.ts';
import { DialJournal, journalId } from '../journal/journal.ts';
import { recoverFromJournal, type JournalOf } from '../journal/recover.ts';
import type { Owner, Recorded } from '../records.ts';
import { databaseIdOf, type JournalNotes } from '../sql/claim/restore-dials.ts';
import type { Sql } from '../sql/sql.ts';
import { NoAttempt } from '../sql/tables/attempt-rows.ts';
import type { DatabaseStore } from '../sql/store.ts';
import { COME, type ServerEngine } from './server.ts';

// Which machines call on a schema, and whether each has shown its dial journal to the copy of it that answers now. The
// table `machines` has a row for each journal. `store.generation` counts the copies; nobody is called before every
// machine that has not left has compared its journal with this one: a failover, a backup that was put back or a copy of
// the disk may have lost calls that only a journal still has.

/** Numbers of attempts go on so much later in another copy, so that no late answer meets another person's attempt. */
const JUMP = 1_000_000;

/** The server's clock, epoch ms. */
const NOW = 'CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)';

const NEXT_GENERATION = `WITH next AS (UPDATE store SET generation = generation + 1, begun_at = ${NOW} RETURNING generation)
  SELECT setval('attempts_seq_seq', last_value + ${JUMP}) FROM attempts_seq_seq, next`;

/**
 * Sent on each new connection: a server with another system id or timeline, and a table with another number, is another
 * copy; the first one only gets its name. A statement of its own after the lock sees what was committed while the lock was waited for.
 */
export const GREETING = `${COME}; BEGIN; SELECT 1 FROM store FOR UPDATE;
  WITH here AS (SELECT concat_ws('/', system_identifier, left(pg_walfile_name(pg_current_wal_lsn()), 8),
    (SELECT oid FROM pg_database WHERE datname = current_database()), 'store'::regclass::oid) AS copy FROM pg_control_system()),
  next AS (UPDATE store SET copy = here.copy, generation = generation + 1, begun_at = ${NOW} FROM here WHERE store.copy <> here.copy RETURNING generation)
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

/**
 * Nobody is called for so long after another copy came, ms: a machine that works and came after the moment of the copy,
 * which therefore does not know it, connects again meanwhile and shows its journal.
 */
const PAUSE_MS = 30_000;

/** A machine that comes waits so long, ms, for the standbys to have that on disk before it calls: one may take over. */
const STANDBYS_MS = 60_000;

/** Also a machine that calls nobody notices another copy, at most so late, ms: the others wait for its journal. */
const LOOK_EVERY_MS = 2_000;

/** The answer of a commit is looked up within this time, ms. */
const COMMITS_KEPT_MS = 24 * 60 * 60_000;

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
  const database = sql.alone(() => databaseIdOf(sql));
  const register = sql.run<[id: string, at: number]>(
    `INSERT INTO machines (id, seen_at, left_at, checked, verified) VALUES (?, ?, 0, (SELECT generation FROM store), 0)`,
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
  const dropCommits = sql.run<[before: number]>('DELETE FROM commits WHERE at < ?');
  const nextGeneration = sql.row<[], unknown>(NEXT_GENERATION);
  const selectGate = sql.row<[id: string], Gate>(
    `SELECT (SELECT count(*) FROM machines WHERE ${IS_AWAITED}) AS awaited, checked = generation AS isChecked,
       generation > 1 AND begun_at > ${NOW} - ${PAUSE_MS} AS isPaused, seen_at AS seenAt, left_at AS leftAt
     FROM machines, store WHERE id = ?`,
    { flags: ['isChecked', 'isPaused'] },
  );
  const selectEnd = sql.value<[], string>('SELECT CAST(pg_current_wal_lsn() AS text)');
  const selectBehind = sql.value<[end: string], number>(
    // A user without pg_monitor sees that there are standbys, and nothing of them.
    `SELECT count(*) FROM pg_stat_replication
     WHERE coalesce(state, 'streaming') = 'streaming' AND (flush_lsn >= CAST(? AS pg_lsn)) IS NOT TRUE`,
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
  /** Whether this machine has just become one that others wait for, also where a comparison that failed has noted it. */
  let comes = true;
  /** Where the server's log ended when this machine had come, and when; undefined: the standbys have it. */
  let came: { end: string; at: number } | undefined;
  let looked: { on: number; at: number } | undefined;

  /** @throws as `recoverFromJournal`, whose options it takes */
  function compare(options: Parameters<typeof recoverFromJournal>[2]): void {
    const connection = engine.connections();
    comes ||= selectGate(id)?.leftAt !== null;
    recoverFromJournal(sql, journal, options);
    if (comes) came = { end: selectEnd() ?? '', at: now() };
    comes = false;
    comparedOn = connection;
  }

  /** Whether calls of others that are lost in this copy may be missing, or the others would not wait for this machine. */
  function isAwaiting(gate = selectGate(id)): boolean {
    if (came !== undefined && (now() > came.at + STANDBYS_MS || selectBehind(came.end) === 0))
      came = undefined;
    return gate?.awaited !== 0 || gate.isPaused || came !== undefined;
  }

  return {
    id,
    journalId: journal.id,
    compare,
    mustCompare: () => comparedOn !== engine.connections(),
    /** Compares the journal with a copy that has come since. Called often. */
    look: (options: Parameters<typeof recoverFromJournal>[2]): void => {
      const connection = engine.connections();
      if (connection === looked?.on && now() < looked.at + LOOK_EVERY_MS) return;
      looked = { on: connection, at: now() };
      if (comparedOn !== connection || selectGate(id)?.isChecked === false) compare(options);
    },
    /** Called in the transaction of a claim that found somebody. */
    mayDial: (): boolean => {
      const gate = selectGate(id);
      if (gate?.isChecked !== true || gate.leftAt !== null) comparedOn = null;
      if (gate === undefined || comparedOn !== engine.connections() || isAwaiting(gate))
        return false;
      if (gate.seenAt < now() - SEEN_EVERY_MS) {
        arrive({ id, at: now() });
        dropCommits(now() - COMMITS_KEPT_MS);
      }
      return true;
    },
    isAwaiting: () => isAwaiting(),
    /**
     * What it has committed before is there where this is: nobody has to wait for its journal. With the lock, as another
     * process of this machine may be in a claim; it comes again with its next one.
     */
    leave: () => sql.alone(() => leave(now(), id)),
  };
}

/** What only a machine with a journal may do, and as which its calls are kept. @param host what its processes call it */
export function asMachine(
  store: DatabaseStore,
  machine: ReturnType<typeof thisMachine>,
  { host, onRecovered }: { host: string; onRecovered: (attempts: number) => void },
) {
  const { id } = machine;
  const named = (owner: Owner): Owner => (owner.host === host ? { ...owner, host: id } : owner);
  const compare = async () => machine.compare({ onRecovered });
  /** For what is found of an attempt. A copy that lacks it gets it from the journal of this machine or of another one. */
  const whereItIs =
    <Args extends unknown[]>(record: (...args: Args) => Promise<Recorded>) =>
    async (...args: Args): Promise<Recorded> => {
      for (;;) {
        try {
          return await record(...args);
        } catch (error) {
          if (!(error instanceof NoAttempt)) throw error;
          if (machine.mustCompare()) await compare();
          else if (machine.isAwaiting()) throw awaited(store.name);
          // Only the journal of a machine that a person has forgotten knew it.
          else return 'stayed';
        }
      }
    };
  return {
    compare,
    claim: async (request) => {
      const claim = () => store.claim({ ...request, owner: named(request.owner) });
      if (machine.mustCompare()) await compare();
      const found = await claim();
      // Only the claim itself finds out that the connection leads to another copy. What it has given is kept.
      if (found.shortfall !== 'machines_awaited' || !machine.mustCompare()) return found;
      await compare();
      return claim();
    },
    recordDial: whereItIs(store.recordDial),
    recordPoll: whereItIs(store.recordPoll),
    recordEvidence: whereItIs(store.recordEvidence),
    intentOwners: async (campaignId) =>
      (await store.intentOwners(campaignId)).map((owner) =>
        owner.host === id ? { ...owner, host } : owner,
      ),
    sweep: (request) => store.sweep({ ...request, gone: request.gone.map(named) }),
    claimGates: async (query) => [
      ...(machine.isAwaiting() ? [{ why: 'machines_awaited' as const, until: null }] : []),
      ...(await store.claimGates(query)),
    ],
    close: async () => {
      try {
        machine.leave();
      } catch {
        // It counts as killed: the others wait for its journal in another copy.
      }
      await store.close();
    },
  } satisfies Partial<DatabaseStore> & Record<'compare', unknown>;
}

const awaited = (name: string) =>
  new AppError(
    'STORE_AWAY',
    `The database ${name} is another copy, which lacks calls that a machine still has to bring back.`,
    { hint: 'start the machines that `callsheet machines list` names' },
  );

interface Gate {
  /** Machines that have not shown their journals. */
  awaited: number;
  isChecked: boolean;
  /** Another copy came a moment ago. */
  isPaused: boolean;
  seenAt: number;
  leftAt: number | null;
}
