import { ATTEMPT_STATES, type AttemptState } from '../../../../domain/attempt.ts';
import type { LeadResult } from '../../../../domain/lead.ts';
import { dialKind } from '../../../../domain/nights/night-end.ts';
import {
  NOTHING_SPENT,
  withSettled,
  type SettledCall,
  type Spent,
} from '../../../../domain/nights/spent.ts';
import type { Resolution } from '../../../../domain/resolution.ts';
import type { Firing, NightDoubts, NightFile, NightRow } from '../../../nights.ts';
import type { Methods, Sql } from '../../sql.ts';
import { ATTEMPTS_WITH_SLOT, IN_DOUBT, type AttemptRow, type Facts } from '../attempt-rows.ts';

/**
 * The table `nights`: calls, talk time and cost of each night, updated by every move of an attempt in its transaction.
 * An attempt counts for the night in which it was claimed.
 */
export function nightTable(sql: Sql) {
  const columns = `night, began_at AS beganAt, last_at AS lastAt, calls, open, stuck, refused, not_made AS notMade, answered, talk_ms AS talkMs,
    unpriced, costs, ended_by AS endedBy, end_reason AS endReason, results_file AS resultsFile, results_machine AS resultsMachine,
    results_at AS resultsAt, results_taker AS resultsTaker`;
  const rows = sql.rows<[campaignId: string], NightRow>(
    `SELECT ${columns} FROM nights WHERE campaign_id = ? ORDER BY night`,
    { json: ['costs', 'resultsTaker'] },
  );
  const selectNight = sql.row<[campaignId: string, night: string], NightRow>(
    `SELECT ${columns} FROM nights WHERE campaign_id = ? AND night = ?`,
    { json: ['costs', 'resultsTaker'] },
  );
  const addCalls = sql.later<[MovedCall]>(
    `INSERT INTO nights (campaign_id, night, began_at, last_at, calls, open, stuck, refused, not_made, answered, talk_ms,
       unpriced)
     VALUES (@campaignId, @night, @at, @at, @calls, @open, @stuck, @refused, @notMade, @answered, @talkMs, @unpriced)
     ON CONFLICT (campaign_id, night) DO UPDATE SET began_at = min(nights.began_at, @at),
       last_at = max(nights.last_at, @at),
       calls = nights.calls + @calls, open = nights.open + @open, stuck = nights.stuck + @stuck,
       refused = nights.refused + @refused, not_made = nights.not_made + @notMade,
       answered = nights.answered + @answered, talk_ms = nights.talk_ms + @talkMs, unpriced = nights.unpriced + @unpriced,
       ${['ended_by', 'end_reason', 'results_at', 'results_taker']
         .map((end) => `${end} = CASE WHEN @calls + @refused <= 0 THEN nights.${end} END`)
         .join(', ')}`,
  );
  const updateCosts = sql.later('UPDATE nights SET costs = ? WHERE campaign_id = ? AND night = ?');
  // Evidence may come long after the longest call, and the clock may have been set back in between.
  const selectLongest = sql.value<[seq: number], number>(
    `SELECT CASE WHEN ended_at > began THEN min(ended_at, holds_until) ELSE holds_until END - began FROM
       (SELECT ended_at, holds_until, max(intent_at, coalesce(begins_at, 0)) AS began FROM attempts WHERE seq = ?) AS call`,
  );
  const selectWithResult = sql.row<[campaignId: string], { calls: number }>(
    'SELECT coalesce(sum(calls - open - stuck), 0) AS calls FROM nights WHERE campaign_id = ?',
  );
  const updateEnd = sql.run<[{ campaignId: string; night: string; by: string }]>(
    `UPDATE nights SET ended_by = @by
     WHERE campaign_id = @campaignId AND night = @night AND ended_by IS DISTINCT FROM @by`,
  );

  function settledAs(seq: number, { outcome, call }: Facts): SettledCall | null {
    if (outcome === undefined) return null;
    const { durationMs = null, cost = null, costCurrency: currency = null } = call ?? {};
    const atMostMs = durationMs === null ? (selectLongest(seq) ?? 0) : 0;
    return { result: outcome.result, durationMs, atMostMs, cost, currency };
  }

  function recount(attempt: AttemptRow, from: Counted, to: Counted, settled?: SettledCall | null) {
    const { night, campaign_id: campaignId, intent_at: at } = attempt;
    const changed = { campaignId, night: night ?? '', at, ...NOT_COUNTED };
    for (const column of COLUMNS) changed[column] = to[column] - from[column];
    if (settled == null && COLUMNS.every((column) => changed[column] === 0)) return;
    const spent = settled == null ? NOTHING_SPENT : withSettled(NOTHING_SPENT, settled);
    const { answered, talkMs, unpriced } = spent;
    addCalls({ ...changed, answered, talkMs: Math.round(talkMs), unpriced });
    // Costs are sums of decimals, by currency.
    if (settled?.cost == null) return;
    const before = selectNight(campaignId, changed.night);
    if (before === undefined) return;
    const { costs } = withSettled(before, settled);
    updateCosts(JSON.stringify(costs), campaignId, changed.night);
  }

  return {
    /** Counts an attempt that has just moved from `attempt.state` to another state. */
    count: (attempt: AttemptRow, to: AttemptState, facts: Facts): void => {
      const { state, resolution } = attempt;
      const settled = to === 'settled' ? settledAs(attempt.seq, facts) : null;
      recount(attempt, countedAs(state, resolution), countedAs(to, resolution), settled);
    },
    /** Recounts an `unconfirmed` attempt that a person resolved; `attempt` is as it was before. */
    resolved: (attempt: AttemptRow, as: Resolution): void => {
      recount(attempt, countedAs('unconfirmed', attempt.resolution), countedAs('unconfirmed', as));
    },
    /** Records what ended the dialling of a night; writes no row where that is known. */
    ended: updateEnd,
    of: rows,
    ...resultStatements(sql),
    reads: {
      nights: rows,
      callsWithResult: (campaignId) => selectWithResult(campaignId)?.calls ?? 0,
      nightDoubts: sql.rows<[campaignId: string], NightDoubts>(
        `SELECT coalesce(night, '') AS night, count(*) AS inDoubt, count(*) FILTER (WHERE state = 'unknown') AS open,
           count(*) FILTER (WHERE resolution IS NULL) AS doubts FROM ${ATTEMPTS_WITH_SLOT}
         WHERE campaign_id = ? AND ${IN_DOUBT} AND resolution IS DISTINCT FROM 'not_placed' GROUP BY 1`,
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

function resultStatements(sql: Sql) {
  const keepEnd = sql.run<[{ campaignId: string; night: string; reason: string }]>(
    `UPDATE nights SET end_reason = @reason
     WHERE campaign_id = @campaignId AND night = @night AND end_reason IS NULL`,
  );
  const take = sql.run(
    `UPDATE nights SET results_taker = @by
     WHERE campaign_id = @campaignId AND night = @night AND results_at IS NULL AND results_taker IS NOT DISTINCT FROM @taken`,
  );
  // The file lacks calls that began after its rows were read.
  const keepFile = sql.run<[NightFile]>(
    `UPDATE nights SET results_file = @file, results_machine = @machine, results_taker = NULL,
       results_at = CASE WHEN @calls IS NULL OR (calls + refused = @calls AND open = 0) THEN @at END
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

const COLUMNS = ['calls', 'open', 'stuck', 'refused', 'notMade'] as const;
type Counted = Record<(typeof COLUMNS)[number], number>;

const NOT_COUNTED: Counted = { calls: 0, open: 0, stuck: 0, refused: 0, notMade: 0 };

/** How an attempt counts in a state; intents are counted where they are asked for. */
function countedAs(state: AttemptState, resolution: Resolution | null): Counted {
  const kind = dialKind(state, resolution);
  const isCall = kind === 'made' || kind === 'inDoubt';
  const isOpen = state === 'placed' || state === 'ended' || state === 'unknown';
  const isStuck = state === 'no_result' || state === 'unconfirmed';
  return {
    calls: isCall ? 1 : 0,
    open: isCall && isOpen ? 1 : 0,
    stuck: isCall && isStuck ? 1 : 0,
    refused: kind === 'refused' ? 1 : 0,
    notMade: kind === 'notMade' ? 1 : 0,
  };
}

/** Counts a campaign's calls again, after attempts were written without a move. */
export function recountNights(sql: Sql, campaignId: string): void {
  const all = ATTEMPT_STATES.flatMap((state) =>
    [null, 'not_placed' as const].map((resolution) => ({ state, resolution })),
  );
  const count = (column: keyof Counted) => {
    const counted = all.filter(
      ({ state, resolution }) => countedAs(state, resolution)[column] === 1,
    );
    const conditions = counted.map(
      ({ state, resolution }) =>
        `state = '${state}' AND coalesce(resolution, '') ${resolution === null ? '<>' : '='} 'not_placed'`,
    );
    return `count(*) FILTER (WHERE ${conditions.join(' OR ')})`;
  };
  sql.run<[campaignId: string]>(
    `INSERT INTO nights (campaign_id, night, began_at, last_at, calls, open, stuck, refused, not_made)
     SELECT campaign_id, coalesce(night, ''), min(intent_at), max(intent_at), ${COLUMNS.map(count).join(', ')}
     FROM attempts WHERE campaign_id = ? GROUP BY campaign_id, coalesce(night, '')
     ON CONFLICT (campaign_id, night) DO UPDATE SET calls = excluded.calls, open = excluded.open, stuck = excluded.stuck,
       refused = excluded.refused, not_made = excluded.not_made`,
  )(campaignId);
}

interface MovedCall extends Counted, Pick<Spent, 'answered' | 'talkMs' | 'unpriced'> {
  campaignId: string;
  night: string;
  at: number;
}

export function firingTable(sql: Sql) {
  const select = sql.rows<[campaignId: string], Firing>(
    `SELECT at, met, taken_at AS takenAt, taker FROM firings WHERE campaign_id = ? ORDER BY at DESC LIMIT 50`,
    { json: ['taker'] },
  );
  const insert = sql.run(
    `INSERT INTO firings (campaign_id, at, met, taken_at, taker)
     VALUES (@campaignId, @at, @met, @takenAt, @taker) ON CONFLICT DO NOTHING`,
  );
  return {
    reads: { firings: (campaignId) => select(campaignId) } satisfies Partial<Methods>,
    writes: {
      takeFiring: (campaignId, firing) =>
        insert({ ...firing, campaignId, taker: JSON.stringify(firing.taker) }) === 1,
    } satisfies Partial<Methods>,
  };
}
