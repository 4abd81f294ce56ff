import type { AttemptState } from '../../../domain/attempt.ts';
import type { EndedCall, ExportRow, TailCursor } from '../../port.ts';
import type { Methods, Sql } from '../sql.ts';
import {
  attemptId,
  ATTEMPTS_WITH_SLOT,
  HAS_SLOT,
  IS_OPEN_CALL,
  seqOf,
} from '../tables/attempt-rows.ts';
import { FROM_ATTEMPTS } from './export-rows.ts';
import { attemptRowStatements } from './export.ts';

/** States of ended calls that are shown; a released attempt was not a call. */
const SHOWN: readonly AttemptState[] = ['settled', 'rejected', 'unconfirmed', 'no_result'];

/** Attempts of all campaigns, back from a campaign's last one, that are searched for its newest calls. */
const LOOKED_THROUGH = 10_000;

const FINAL: readonly AttemptState[] = ['settled', 'rejected', 'released'];

/**
 * Finds calls that have ended since the last request. An index by end time would cost time at every call, so the
 * cursor holds the attempts that were open instead, and these and newer attempts are read.
 */
export function tailStatements(sql: Sql) {
  const rows = attemptRowStatements(sql);
  const selectNewest = sql.values<[campaignId: string, limit: number], number>(
    `SELECT seq FROM attempts WHERE campaign_id = ? AND state IN (${SHOWN.map((s) => `'${s}'`).join()})
     ORDER BY coalesce(settled_at, ended_at, answered_at, intent_at) DESC, seq DESC LIMIT ?`,
  );
  const selectLately = sql.values<[{ campaignId: string; upTo: number; limit: number }], number>(
    `SELECT seq FROM (
       SELECT seq, campaign_id, state, coalesce(settled_at, ended_at, answered_at, intent_at) AS ended
       FROM attempts WHERE seq <= @upTo ORDER BY seq DESC LIMIT ${LOOKED_THROUGH})
     WHERE campaign_id = @campaignId AND state IN (${SHOWN.map((s) => `'${s}'`).join()})
     ORDER BY ended DESC, seq DESC LIMIT @limit`,
  );
  const selectLastDial = sql.value<[campaignId: string], number | null>(
    'SELECT max(last_at) FROM nights WHERE campaign_id = ?',
  );
  const selectFrom = sql.row<[seq: number], { seq: number; intentAt: number }>(
    'SELECT seq, intent_at AS intentAt FROM attempts WHERE seq >= ? ORDER BY seq LIMIT 1',
  );
  const selectLast = sql.value<[], number | null>('SELECT max(seq) AS seq FROM attempts');
  const selectOpen = sql.rows<[{ campaignId: string }], State>(
    `SELECT seq, state FROM ${ATTEMPTS_WITH_SLOT} WHERE campaign_id = @campaignId AND ${HAS_SLOT}
     UNION SELECT seq, state FROM attempts INDEXED BY attempts_to_poll
       WHERE campaign_id = @campaignId AND ${IS_OPEN_CALL}`,
  );
  const selectNewer = sql.rows<[campaignId: string, after: number], State>(
    'SELECT seq, state FROM attempts WHERE campaign_id = ? AND seq > ?',
  );
  const selectState = sql.row<[seq: number], State>(
    'SELECT seq, state FROM attempts WHERE seq = ?',
  );

  // Without transcripts, which would take most of the time.
  const selectInShort = sql.rows<[seqs: string], EndedCall>(
    `SELECT leads.phone, leads.line, coalesce(last.result, leads.result) AS result,
       analytics.sentiment_label AS sentiment, analytics.duration_ms AS durationMs,
       coalesce(last.ended_at, last.settled_at) AS endedAt
     ${FROM_ATTEMPTS} WHERE last.seq IN (SELECT value FROM json_each(?))
     ORDER BY coalesce(last.settled_at, last.ended_at, last.intent_at) DESC, last.seq DESC`,
  );

  /** The last attempt until a moment, by halving: attempts are in the order of time. */
  function lastUntil(at: number, newest: number): number {
    let [low, high] = [0, newest];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      const found = selectFrom(middle);
      if (found !== undefined && found.intentAt <= at) low = found.seq;
      else high = middle - 1;
    }
    return low;
  }

  /** The newest calls of a campaign that ended, also of one that was called long before others. */
  function lately(campaignId: string, limit: number): number[] {
    const at = selectLastDial(campaignId);
    const newest = selectLast();
    if (at == null || newest == null) return [];
    return selectLately({ campaignId, upTo: lastUntil(at, newest), limit });
  }

  /** Calls ended since the cursor; without one, the newest. */
  function endedSince(campaignId: string, after: TailCursor | null, limit: number) {
    const newest = selectLast() ?? null;
    const toCursor = (open: readonly State[]): TailCursor => ({
      newest: newest === null ? null : attemptId(newest),
      open: open
        .filter(({ state }) => !FINAL.includes(state))
        .map(({ seq, state }) => ({ attemptId: attemptId(seq), state })),
    });
    if (after === null) {
      const ended = limit === 0 ? [] : selectNewest(campaignId, limit).toReversed();
      return { ended, cursor: toCursor(selectOpen({ campaignId })) };
    }
    const before = new Map(after.open.map((open) => [seqOf(open.attemptId), open.state]));
    const known = [...before.keys()].flatMap((seq) => selectState(seq) ?? []);
    const newer = selectNewer(campaignId, after.newest === null ? 0 : seqOf(after.newest));
    const seen = [...known, ...newer];
    const ended = seen
      .filter(({ seq, state }) => SHOWN.includes(state) && before.get(seq) !== state)
      .map(({ seq }) => seq);
    return { ended, cursor: toCursor(seen) };
  }

  return {
    finishedCalls: sql.db.transaction(
      (campaignId: string, after: TailCursor | null, limit: number) => {
        const { ended, cursor } = endedSince(campaignId, after, limit);
        const calls = rows.bySeq(campaignId, ended);
        return { calls: after === null ? calls : calls.toSorted(byEnd), cursor };
      },
    ),
    endedCalls: sql.db.transaction((campaignId: string, newest: number) =>
      selectInShort(JSON.stringify(lately(campaignId, newest))),
    ),
  } satisfies Pick<Methods, 'finishedCalls' | 'endedCalls'>;
}

interface State {
  seq: number;
  state: AttemptState;
}

function byEnd(a: ExportRow, b: ExportRow): number {
  return endOf(a) - endOf(b);
}

function endOf({ attempt }: ExportRow): number {
  return attempt?.settledAt ?? attempt?.endedAt ?? attempt?.intentAt ?? 0;
}
