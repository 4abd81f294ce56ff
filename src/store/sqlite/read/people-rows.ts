import type { PersonRow } from '../../port.ts';
import type { Sql } from '../sql.ts';
import { POSITIONS_PER_LIST } from '../tables/lead-counts.ts';
import { BEST_ATTEMPT } from './export-rows.ts';

/** Reads leads by their rows, in list order. */
export function personRows(sql: Sql) {
  const select = sql.rows<[rows: string], Row>(
    `SELECT leads.position, leads.phone, leads.cells, leads.line, leads.state, leads.result, leads.reason,
       leads.spent AS attempts, leads.zone_key AS zoneKey, leads.not_before AS notBefore,
       (SELECT max(intent_at) FROM attempts WHERE lead_row = leads.row AND state <> 'released') AS lastAttemptAt,
       analytics.sentiment_label AS sentiment, analytics.duration_ms / 1000.0 AS durationSeconds
     FROM leads LEFT JOIN ${BEST_ATTEMPT}
     WHERE leads.row IN (SELECT value FROM json_each(?)) ORDER BY leads.position`,
    { json: ['cells'] },
  );
  return (rows: readonly number[]): PersonRow[] =>
    select(JSON.stringify(rows)).map(({ position, ...row }) => {
      const list = Math.floor(position / POSITIONS_PER_LIST);
      return { cursor: { list, line: row.line }, list, ...row };
    });
}

type Row = Omit<PersonRow, 'cursor' | 'list'> & { position: number };
