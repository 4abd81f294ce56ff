import { BEST_FIRST } from '../../../domain/calling/standing.ts';
import type { LeadResult, ResultSource } from '../../../domain/lead.ts';
import type { ExportCursor } from '../../port.ts';
import type { Sql } from '../sql.ts';
import { bestRank, HAS_END } from './attempt-rows.ts';

/** How a lead or one of its attempts ended. */
export interface LeadEnd {
  result: LeadResult;
  source: ResultSource;
  reason: string | null;
}

/** Ends leads: one that was called several times gets the result of its best attempt. */
export function leadEnds(sql: Sql) {
  const selectBest = sql.row<[row: number], LeadEnd>(
    `SELECT coalesce(result, state) AS result, coalesce(result_source, 'callsheet') AS source,
       CASE WHEN state = 'settled' THEN NULL ELSE detail END AS reason
     FROM attempts WHERE lead_row = ? AND ${HAS_END} ORDER BY ${bestRank('attempts')}, ordinal DESC LIMIT 1`,
  );
  const selectWaiting = sql.value<[row: number], number>(
    "SELECT row FROM leads WHERE row = ? AND state = 'waiting'",
  );
  const markDone = sql.later<
    [result: LeadResult, source: ResultSource, reason: string | null, row: number]
  >(`UPDATE leads SET state = 'done', result = ?, result_source = ?, reason = ? WHERE row = ?`);

  /**
   * Ends a lead as its best attempt did (`BEST_FIRST`), or as `own` if no attempt is better. A suppressed lead is
   * `suppressed`, whatever its calls were.
   */
  function end(row: number, own: LeadEnd): void {
    const best = own.result === 'suppressed' ? undefined : selectBest(row);
    const isBetter = best !== undefined && rankOf(best) < rankOf(own);
    const { result, source, reason } = isBetter ? best : own;
    markDone(result, source, reason ?? own.reason, row);
  }

  return {
    markDone,
    end,
    /** What `end` reads. */
    best: selectBest,
    /** Ends a waiting lead as rejected, unless an earlier attempt was better. */
    giveUp: (reason: string, row: number): void => {
      if (selectWaiting(row) === undefined) return;
      end(row, { result: 'rejected', source: 'callsheet', reason });
    },
  };
}

function rankOf({ result }: LeadEnd): number {
  return BEST_FIRST.indexOf(result);
}

/** Position = list number * this + line: leads of list n sort after those of list n - 1. No list has more lines. */
export const POSITIONS_PER_LIST = 10_000_000_000;

/** Positions per count; the triggers of the schema use the same blocks. */
export const POSITIONS_PER_BLOCK = 1_000;

/** The tables `lead_counts`, `zone_counts` and `waiting_counts`: new leads are counted here, later changes by triggers. */
export function leadCounts(sql: Sql) {
  const addWaiting = sql.later<[campaignId: string, block: number, leads: number]>(
    `INSERT INTO lead_counts (campaign_id, block, standing, leads) VALUES (?, ?, 'waiting', ?)
     ON CONFLICT (campaign_id, block, standing) DO UPDATE SET leads = lead_counts.leads + excluded.leads`,
  );
  const addInZone = sql.later<[campaignId: string, block: number, zoneKey: string, leads: number]>(
    `INSERT INTO zone_counts (campaign_id, block, zone_key, leads) VALUES (?, ?, ?, ?)
     ON CONFLICT (campaign_id, zone_key, block) DO UPDATE SET leads = zone_counts.leads + excluded.leads`,
  );
  const addWaitingInZone = sql.later<[campaignId: string, zoneKey: string, leads: number]>(
    `INSERT INTO waiting_counts (campaign_id, zone_key, leads) VALUES (?, ?, ?)
     ON CONFLICT (campaign_id, zone_key) DO UPDATE SET leads = waiting_counts.leads + excluded.leads`,
  );

  /** Counts leads that were inserted as waiting, in the same transaction; a batch of them costs little. */
  return (campaignId: string, leads: readonly { position: number; zoneKey: string }[]): void => {
    const blocks = new Map<number, Map<string, number>>();
    const places = new Map<string, number>();
    for (const { position, zoneKey } of leads) {
      places.set(zoneKey, (places.get(zoneKey) ?? 0) + 1);
      const block = Math.floor(position / POSITIONS_PER_BLOCK);
      const zones = blocks.get(block) ?? new Map<string, number>();
      zones.set(zoneKey, (zones.get(zoneKey) ?? 0) + 1);
      blocks.set(block, zones);
    }
    for (const [block, zones] of blocks) {
      let waiting = 0;
      for (const [zoneKey, count] of zones) {
        addInZone(campaignId, block, zoneKey, count);
        waiting += count;
      }
      addWaiting(campaignId, block, waiting);
    }
    for (const [zoneKey, count] of places) addWaitingInZone(campaignId, zoneKey, count);
  };
}

/** The position of a row: leads are in the order of their lists and lines. */
export function positionOf({ list, line }: ExportCursor): number {
  return list * POSITIONS_PER_LIST + line;
}

/** SQL for a column of `leads` (`cells`, `zone_key`) as it was at an attempt, see `lead_before`; NULL: as it is. */
export function asOf(column: string, seq: string): string {
  return `coalesce((SELECT ${column} FROM lead_before
    WHERE lead_row = leads.row AND last_seq >= ${seq} ORDER BY last_seq LIMIT 1), leads.${column})`;
}
