import { randomUUID } from 'node:crypto';

import type { Sql } from '../sql.ts';

/** The database's id, created on first use; the journal's first line repeats it. */
export function databaseIdOf(sql: Sql): string {
  sql.run<[id: string]>("INSERT INTO meta VALUES ('database_id', ?) ON CONFLICT DO NOTHING")(
    randomUUID(),
  );
  return sql.value<[], string>("SELECT value FROM meta WHERE key = 'database_id'")() as string;
}

/** What is kept of the last comparison with a journal. */
export interface JournalNotes {
  /** `dialled`: there must be a journal. `verified`: its length then; `tail` undefined: it was never compared. */
  read(): { dialled: boolean; verified: number; tail: string | undefined };
  /** The last attempt then; undefined as above. */
  lastSeq(): number | undefined;
  /** Numbers of later attempts that the journal must have, as the service has answered them: their lines were synced before. */
  answeredSince(seq: number): number[];
  /** Called in the transaction that restores dials. */
  write(compared: Compared): void;
}

export interface Compared {
  verified: number;
  tail: string;
  seq: number;
  /** How many dials came back. */
  restored: number;
  /** False: a damaged line is left. */
  isWhole: boolean;
}

/** The notes of a database in a file, which has one journal. */
export function notesInFile(sql: Sql): JournalNotes {
  const selectAny = sql.value<[], number>('SELECT 1 FROM attempts LIMIT 1');
  const noted = sql.value<[key: string], string>('SELECT value FROM meta WHERE key = ?');
  const note = sql.run<[key: string, value: string]>(
    'INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  );
  const selectAnswered = sql.values<[since: number], number>(
    "SELECT seq FROM attempts WHERE seq > ? AND answered_at IS NOT NULL AND owner_host <> ''",
  );
  return {
    read: sql.atOneMoment(() => ({
      dialled: selectAny() !== undefined,
      verified: Number(noted('journal_verified') ?? 0),
      tail: noted('journal_tail'),
    })),
    lastSeq: () => {
      const seq = noted('journal_seq');
      return seq === undefined ? undefined : Number(seq);
    },
    answeredSince: selectAnswered,
    write: ({ verified, tail, seq }) => {
      note('journal_verified', String(verified));
      note('journal_tail', tail);
      note('journal_seq', String(seq));
    },
  };
}
