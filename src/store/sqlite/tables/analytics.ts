import type { Database } from 'better-sqlite3';
import type { Analytics } from '../../../domain/analytics.ts';

/** The table `analytics`. */
export function analyticsTable(db: Database) {
  const insert = db.prepare(
    `INSERT INTO analytics (attempt_seq, received_at, transcript, turns, duration_ms, sentiment_label,
       sentiment_score, summary, recording_url, cost, cost_currency, raw, extracted)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );

  return {
    /** @param at when they were received, epoch ms */
    keep: (attemptSeq: number, at: number, analytics: Analytics): void => {
      const { turns, durationMs, sentiment, extracted } = analytics;
      insert.run(
        attemptSeq,
        at,
        analytics.transcript,
        turns.length === 0 ? null : JSON.stringify(turns),
        durationMs === null ? null : Math.round(durationMs),
        sentiment?.label ?? null,
        sentiment?.score ?? null,
        analytics.summary,
        analytics.recordingUrl,
        analytics.cost,
        analytics.costCurrency,
        JSON.stringify(analytics.raw),
        extracted === null ? null : JSON.stringify(extracted),
      );
    },
  };
}
