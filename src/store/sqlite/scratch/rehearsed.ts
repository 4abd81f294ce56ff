import type { Database } from 'better-sqlite3';
import type { LeadResult, LeadState } from '../../../domain/lead.ts';
import { sqlOf } from '../sql.ts';

/** Reads of a rehearsal: one campaign, since `begin`. */
export interface Rehearsed {
  /** Remembers who waits now, and which calls were made before. @returns how many wait */
  begin(campaignId: string): number;
  /** The calls that were made, the earliest first. */
  calls(): RehearsedCall[];
  /** People who waited at the beginning and were not called, with the reason; most people first. */
  neverCalled(): NeverCalled[];
  /** What held people back on the way, most people first. */
  holds(): RehearsedHold[];
}

export interface RehearsedCall {
  /** Epoch ms. */
  at: number;
  person: number;
  /** When its result was in, epoch ms; null: none has come. */
  settledAt: number | null;
  /** Null: none had come when the rehearsal ended. */
  result: LeadResult | null;
}

export interface NeverCalled {
  state: LeadState;
  /** Null: they wait still. */
  result: LeadResult | null;
  /** The reason of the first of them; null: none is known. */
  why: string | null;
  people: number;
}

export interface RehearsedHold {
  /** The rule or key of the campaign file that decided. */
  by: string;
  /** The sentence of the first of these people. */
  why: string;
  people: number;
}

/** Uses the tables of the store and its own `rehearsed`, which is part of the database's image. */
export function rehearsedStatements(db: Database): Rehearsed {
  db.exec(`CREATE TABLE IF NOT EXISTS rehearsed (
    lead_row INTEGER PRIMARY KEY REFERENCES leads (row), last_seq INTEGER NOT NULL) STRICT`);
  const sql = sqlOf(db);
  const insert = sql.run<[campaignId: string]>(
    `INSERT INTO rehearsed SELECT row, (SELECT coalesce(max(seq), 0) FROM attempts)
     FROM leads WHERE campaign_id = ? AND state = 'waiting'`,
  );
  const called = `FROM rehearsed CROSS JOIN attempts ON attempts.lead_row = rehearsed.lead_row
    WHERE attempts.seq > last_seq AND attempts.state <> 'released'`;
  const selectCalls = sql.rows<[], RehearsedCall>(
    `SELECT intent_at AS at, attempts.lead_row AS person, settled_at AS settledAt, result ${called} ORDER BY attempts.seq`,
  );
  const lastHold = `(SELECT 'held by ' || decided_by || ': ' || why FROM holds
    WHERE holds.lead_row = leads.row ORDER BY seq DESC LIMIT 1)`;
  const selectNever = sql.rows<[], NeverCalled>(
    `SELECT state, result, min(why) AS why, count(*) AS people FROM (
       SELECT leads.state, leads.result, coalesce(reason, ${lastHold}) AS why
       FROM rehearsed CROSS JOIN leads ON leads.row = rehearsed.lead_row
       WHERE NOT EXISTS (SELECT 1 FROM attempts WHERE attempts.lead_row = leads.row
         AND attempts.seq > last_seq AND attempts.state <> 'released'))
     GROUP BY state, result ORDER BY people DESC`,
  );
  const selectHolds = sql.rows<[], RehearsedHold>(
    `SELECT decided_by AS by, min(why) AS why, count(DISTINCT holds.lead_row) AS people
     FROM rehearsed CROSS JOIN holds ON holds.lead_row = rehearsed.lead_row
     GROUP BY decided_by ORDER BY people DESC, by`,
  );
  return {
    begin: insert,
    calls: selectCalls,
    neverCalled: selectNever,
    holds: selectHolds,
  };
}
