import type { Database } from 'better-sqlite3';
import type { AttemptState } from '../../../../domain/attempt.ts';
import type { LeadResult } from '../../../../domain/lead.ts';
import { withSettled, type Spent } from '../../../../domain/nights/spent.ts';
import type { NightFile, NightRow } from '../../../nights.ts';
import type { Methods } from '../../methods.ts';
import type { Sql } from '../../sql.ts';
import { ATTEMPTS_WITH_SLOT, UNRESOLVED } from '../attempt-conditions.ts';
import type { AttemptRow, Facts } from '../attempt-rows.ts';

/**
 * The table `nights`: what the calls of each night have used, kept by every move of an attempt in its transaction. An
 * attempt counts for the night in which it was claimed, however late it moves.
 */
export function nightTable(sql: Sql) {
  const columns = `night, began_at AS beganAt, last_at AS lastAt, calls, open, stuck, answered, talk_ms AS talkMs,
    unpriced, costs, ended_by AS endedBy, end_reason AS endReason, results_file AS resultsFile,
    results_at AS resultsAt, results_taker AS resultsTaker`;
  const rows = sql.rows<[campaignId: string], NightRow>(
    `SELECT ${columns} FROM nights WHERE campaign_id = ? ORDER BY night`,
    { json: ['costs', 'resultsTaker'] },
  );
  const selectNight = sql.row<[campaignId: string, night: string], NightRow>(
    `SELECT ${columns} FROM nights WHERE campaign_id = ? AND night = ?`,
    { json: ['costs', 'resultsTaker'] },
  );
  const addCalls = sql.run<[MovedCall]>(
    `INSERT INTO nights (campaign_id, night, began_at, last_at, calls, open, stuck)
     VALUES (@campaignId, @night, @at, @at, @calls, @open, @stuck)
     ON CONFLICT DO UPDATE SET began_at = min(began_at, @at), last_at = max(last_at, @at),
       calls = calls + @calls, open = open + @open, stuck = stuck + @stuck,
       ended_by = iif(@calls > 0, NULL, ended_by), end_reason = iif(@calls > 0, NULL, end_reason),
       results_at = iif(@calls > 0, NULL, results_at), results_taker = iif(@calls > 0, NULL, results_taker)`,
  );
  const updateSpent = sql.run(
    `UPDATE nights SET answered = @answered, talk_ms = @talkMs, unpriced = @unpriced, costs = @costs
     WHERE campaign_id = @campaignId AND night = @night`,
  );
  // Evidence may come long after the longest call, and the clock may have been set back in between.
  const selectLongest = sql.value<[seq: number], number>(
    `SELECT iif(ended_at > began, min(ended_at, holds_until), holds_until) - began FROM
       (SELECT ended_at, holds_until, max(intent_at, coalesce(begins_at, 0)) AS began FROM attempts WHERE seq = ?)`,
  );
  const updateEnd = sql.run<[{ campaignId: string; night: string; by: string }]>(
    `UPDATE nights SET ended_by = @by
     WHERE campaign_id = @campaignId AND night = @night AND ended_by IS NOT @by`,
  );

  function addSettled(attempt: AttemptRow, night: string, { outcome, call }: Facts): void {
    const before = selectNight(attempt.campaign_id, night);
    if (before === undefined || outcome === undefined) return;
    const { durationMs = null, cost = null, costCurrency: currency = null } = call ?? {};
    const atMostMs = durationMs === null ? (selectLongest(attempt.seq) ?? 0) : 0;
    const { result } = outcome;
    const after = withSettled(before, { result, durationMs, atMostMs, cost, currency });
    const { answered, unpriced } = after;
    updateSpent({
      campaignId: attempt.campaign_id,
      night,
      answered,
      talkMs: Math.round(after.talkMs),
      unpriced,
      costs: JSON.stringify(after.costs),
    });
  }

  return {
    /** Counts an attempt that has just moved from `attempt.state` to another state. */
    count: (attempt: AttemptRow, to: AttemptState, facts: Facts): void => {
      const night = attempt.night ?? '';
      const [before, after] = [COUNTED[attempt.state], COUNTED[to]];
      const calls = after.calls - before.calls;
      const open = after.open - before.open;
      const stuck = after.stuck - before.stuck;
      if (calls !== 0 || open !== 0 || stuck !== 0) {
        const { campaign_id: campaignId, intent_at: at } = attempt;
        addCalls({ campaignId, night, at, calls, open, stuck });
      }
      if (to === 'settled') addSettled(attempt, night, facts);
    },
    /** Records what ended the dialling of a night; no row is written where that is known. */
    ended: updateEnd,
    of: rows,
    ...resultStatements(sql),
    reads: {
      nights: rows,
      nightDoubts: sql.rows<[campaignId: string], { night: string; doubts: number }>(
        `SELECT coalesce(night, '') AS night, count(*) AS doubts FROM ${ATTEMPTS_WITH_SLOT}
         WHERE campaign_id = ? AND ${UNRESOLVED} GROUP BY 1`,
      ),
      // Used seldom, and prepared only then. The last attempt that counts made its lead final.
      finalLeads: (campaignId, night) =>
        sql.rows<[string, string], { result: LeadResult; leads: number }>(
          `SELECT leads.result, count(*) AS leads FROM attempts AS last
             CROSS JOIN leads ON leads.row = last.lead_row AND leads.spent = last.ordinal
           WHERE last.campaign_id = ? AND last.night = ? AND last.state <> 'released' AND leads.state = 'done'
             AND leads.result <> 'suppressed' AND leads.result <> 'expired' AND leads.result <> 'cancelled'
           GROUP BY leads.result ORDER BY count(*) DESC, leads.result`,
        )(campaignId, night),
    } satisfies Partial<Methods>,
  };
}

/** What is kept of a night's end and of its results. */
function resultStatements(sql: Sql) {
  const keepEnd = sql.run<[{ campaignId: string; night: string; reason: string }]>(
    `UPDATE nights SET end_reason = @reason
     WHERE campaign_id = @campaignId AND night = @night AND end_reason IS NULL`,
  );
  const take = sql.run(
    `UPDATE nights SET results_taker = @by
     WHERE campaign_id = @campaignId AND night = @night AND results_at IS NULL AND results_taker IS @taken`,
  );
  // A call that has begun since the rows were read is not in the file.
  const keepFile = sql.run<[NightFile]>(
    `UPDATE nights SET results_file = @file, results_taker = NULL,
       results_at = iif(@calls IS NULL OR (calls = @calls AND open = 0), @at, NULL)
     WHERE campaign_id = @campaignId AND night = @night`,
  );
  return {
    writes: {
      keepNightEnd: (campaignId, night, reason) => {
        keepEnd({ campaignId, night, reason });
      },
      takeNightResults: (campaignId, night, by, taken) =>
        take({ campaignId, night, by: JSON.stringify(by), taken: taken && JSON.stringify(taken) }) >
        0,
      keepNightFile: (written) => {
        keepFile(written);
      },
    } satisfies Partial<Methods>,
  };
}

export type NightTable = ReturnType<typeof nightTable>;

type Counted = Pick<Spent, 'calls' | 'open' | 'stuck'>;

const NOT_COUNTED: Counted = { calls: 0, open: 0, stuck: 0 };
const OPEN: Counted = { calls: 1, open: 1, stuck: 0 };
const STUCK: Counted = { calls: 1, open: 0, stuck: 1 };
const OVER: Counted = { calls: 1, open: 0, stuck: 0 };

/** How an attempt counts in each state; intents are counted where they are asked for. */
const COUNTED: Record<AttemptState, Counted> = {
  intent: NOT_COUNTED,
  released: NOT_COUNTED,
  placed: OPEN,
  ended: OPEN,
  unknown: OPEN,
  unconfirmed: STUCK,
  no_result: STUCK,
  rejected: OVER,
  settled: OVER,
};

/** Counts the calls of a campaign anew, after attempts were written without a move: a lost part of the database. */
export function recountNights(db: Database, campaignId: string): void {
  const states = Object.entries(COUNTED);
  const count = (column: keyof Counted) => {
    const counted = states.filter(([, counts]) => counts[column] === 1);
    return `count(*) FILTER (WHERE ${counted.map(([state]) => `state = '${state}'`).join(' OR ')})`;
  };
  db.prepare(
    `INSERT INTO nights (campaign_id, night, began_at, last_at, calls, open, stuck)
     SELECT campaign_id, coalesce(night, ''), min(intent_at), max(intent_at),
       ${count('calls')}, ${count('open')}, ${count('stuck')}
     FROM attempts WHERE campaign_id = ? GROUP BY coalesce(night, '')
     ON CONFLICT DO UPDATE SET calls = excluded.calls, open = excluded.open, stuck = excluded.stuck`,
  ).run(campaignId);
}

interface MovedCall extends Counted {
  campaignId: string;
  night: string;
  at: number;
}
