import type { Dialled } from '../../../domain/same-call.ts';
import type { Sql } from '../sql.ts';

/** The table `contested_calls`: dials that were answered with a call id that another attempt has. */
export function contestedCallTable(sql: Sql) {
  return {
    add: sql.run<[service: string, callId: string, seq: number, at: number]>(
      'INSERT INTO contested_calls (service, call_id, attempt_seq, at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
    ),
    /** What the other dials were sent with that were answered with the call of attempt `seq`; the same key again is the same dial. */
    rivals: sql.rows<[service: string, callId: string, seq: number], Dialled>(
      `SELECT attempts.key, attempts.phone, attempts.agent FROM contested_calls
     JOIN attempts ON attempts.seq = attempt_seq
     WHERE contested_calls.service = ? AND contested_calls.call_id = ?
       AND attempts.key <> (SELECT key FROM attempts WHERE seq = ?)`,
    ),
  };
}

export type ContestedCallTable = ReturnType<typeof contestedCallTable>;
