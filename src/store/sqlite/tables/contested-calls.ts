import type { Database } from 'better-sqlite3';
import type { Dialled } from '../../../domain/same-call.ts';

/** The table `contested_calls`: dials that were answered with a call id that another attempt has. */
export function contestedCallTable(db: Database) {
  const insert = db.prepare(
    'INSERT INTO contested_calls (service, call_id, attempt_seq, at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  // The same key again is the same dial.
  const selectRivals = db.prepare<[string, string, number], Dialled>(
    `SELECT attempts.key, attempts.phone, attempts.agent FROM contested_calls
     JOIN attempts ON attempts.seq = attempt_seq
     WHERE contested_calls.service = ? AND contested_calls.call_id = ?
       AND attempts.key <> (SELECT key FROM attempts WHERE seq = ?)`,
  );

  return {
    add: (service: string, callId: string, seq: number, at: number): void => {
      insert.run(service, callId, seq, at);
    },
    /** What the other dials were sent with that were answered with the call of attempt `seq`. */
    rivals: (service: string, callId: string, seq: number): Dialled[] =>
      selectRivals.all(service, callId, seq),
  };
}

export type ContestedCallTable = ReturnType<typeof contestedCallTable>;
