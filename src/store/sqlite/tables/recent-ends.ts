import type { Database } from 'better-sqlite3';
import type { RecentEnd } from '../../../domain/polling/poll-scheduler.ts';
import type { RecentEndsQuery } from '../../port.ts';

/** Only so many attempts are looked through, so that this takes no longer when there are millions. */
const LOOKED_THROUGH = 2_000;

/** When the last calls of an agent ended, as far as attempts and analytics tell: for the plan of looks. */
export function recentEndStatements(db: Database) {
  const selectEnds = db.prepare<[RecentEndsQuery & { lookedThrough: number }], EndRow>(
    `SELECT ended_at - coalesce(answered_at, intent_at) AS ended_ms, settled_at - ended_at AS analysed_ms, duration_ms
     FROM attempts LEFT JOIN analytics ON attempt_seq = seq
     WHERE seq > (SELECT max(seq) FROM attempts) - @lookedThrough
       AND state = 'settled' AND service = @service AND agent = @agent
     ORDER BY seq DESC LIMIT @limit + 0`,
  );
  return (query: RecentEndsQuery): RecentEnd[] =>
    selectEnds
      .all({ ...query, lookedThrough: LOOKED_THROUGH })
      .reverse()
      .map(toRecentEnd);
}

interface EndRow {
  ended_ms: number;
  analysed_ms: number;
  duration_ms: number | null;
}

/** A call ended before it was found, and no sooner than it was talked (unless the clock or the service says otherwise). */
function toRecentEnd({ ended_ms, analysed_ms, duration_ms }: EndRow): RecentEnd {
  const byMs = Math.max(0, ended_ms);
  const talkedMs = duration_ms ?? 0;
  return {
    call: { afterMs: talkedMs < byMs ? talkedMs : 0, byMs },
    analytics: analysed_ms > 0 ? { afterMs: 0, byMs: analysed_ms } : null,
  };
}
