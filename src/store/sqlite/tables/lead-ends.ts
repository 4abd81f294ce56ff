import { BEST_FIRST } from '../../../domain/calling/standing.ts';
import type { LeadResult, ResultSource } from '../../../domain/lead.ts';
import type { Sql } from '../sql.ts';
import { bestRank, HAS_END } from './attempt-conditions.ts';

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
       iif(state = 'settled', NULL, detail) AS reason
     FROM attempts WHERE lead_row = ? AND ${HAS_END} ORDER BY ${bestRank('attempts')}, ordinal DESC LIMIT 1`,
  );
  const selectWaiting = sql.value<[row: number], number>(
    "SELECT row FROM leads WHERE row = ? AND state = 'waiting'",
  );
  const markDone = sql.run<
    [result: LeadResult, source: ResultSource, reason: string | null, row: number]
  >(`UPDATE leads SET state = 'done', result = ?, result_source = ?, reason = ? WHERE row = ?`);

  /**
   * Ends a lead as its best attempt did, see `BEST_FIRST`; as `own` says where none of its attempts is better. Whom nobody
   * may call is `suppressed`, whatever their calls were.
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
