import type { Database } from 'better-sqlite3';
import type { RecentEnd } from '../../../domain/polling/poll-scheduler.ts';
import type { RecentEndsQuery } from '../../port.ts';

/** At most so many attempts are read, so that this takes no longer when there are millions. */
const ATTEMPTS_READ = 2_000;

/** When the last calls of an agent ended, as far as attempts and analytics tell: for the poll scheduler. */
export function recentEndStatements(db: Database) {
  const selectEnds = db.prepare<[RecentEndsQuery], EndRow>(
    `SELECT ended_at - coalesce(answered_at, intent_at) AS endedMs, settled_at - ended_at AS analysedMs,
       coalesce(duration_ms, 0) AS talkedMs
     FROM attempts LEFT JOIN analytics ON attempt_seq = seq
     WHERE seq > (SELECT max(seq) FROM attempts) - ${ATTEMPTS_READ}
       AND state = 'settled' AND service = @service AND agent = @agent
     ORDER BY seq DESC LIMIT @limit + 0`,
  );
  return (query: RecentEndsQuery): RecentEnd[] =>
    selectEnds.all(query).toReversed().map(toRecentEnd);
}

interface EndRow {
  endedMs: number;
  analysedMs: number;
  talkedMs: number;
}

/** A call ended before that was found out, and after all that was talked (unless a clock or the service is wrong). */
function toRecentEnd({ endedMs, analysedMs, talkedMs }: EndRow): RecentEnd {
  const byMs = Math.max(0, endedMs);
  return {
    call: { afterMs: talkedMs < byMs ? talkedMs : 0, byMs },
    analytics: analysedMs > 0 ? { afterMs: 0, byMs: analysedMs } : null,
  };
}
