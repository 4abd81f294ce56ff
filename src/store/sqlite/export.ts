import type { Database } from 'better-sqlite3';
import type { Analytics, Turn } from '../../domain/analytics.ts';
import type { AttemptState } from '../../domain/attempt.ts';
import type { LeadResult, LeadState, ResultSource } from '../../domain/lead.ts';
import type { E164 } from '../../domain/phone.ts';
import type { ExportCursor, ExportDetail, ExportRow } from '../port.ts';
import { POSITIONS_PER_LIST } from './leads.ts';

/** Pages of leads in list order, each with its last attempt that counts and that attempt's analytics. */
export function exportStatements(db: Database) {
  const selectPage = (turnsAndRaw: string) =>
    db.prepare<[string, number, number], Row>(
      `SELECT leads.position, leads.line, leads.phone, leads.cells, lists.path, leads.state, leads.result,
         leads.result_source, leads.reason, leads.not_before, leads.spent,
         (SELECT intent_at FROM attempts WHERE lead_row = leads.row AND state <> 'released'
            ORDER BY ordinal LIMIT 1) AS first_at,
         last.state AS attempt_state, last.intent_at, last.call_id, last.ended_at, last.service, last.agent,
         last.detail, last.unreadable, analytics.attempt_seq, transcript, duration_ms, sentiment_label,
         sentiment_score, summary, recording_url, cost, cost_currency${turnsAndRaw}
       FROM leads
       JOIN lists ON lists.id = leads.list_id
       LEFT JOIN attempts AS last ON last.seq =
         (SELECT seq FROM attempts WHERE lead_row = leads.row AND state <> 'released'
            ORDER BY ordinal DESC LIMIT 1)
       LEFT JOIN analytics ON analytics.attempt_seq = last.seq
       WHERE leads.campaign_id = ? AND leads.position > ?
       ORDER BY leads.position LIMIT ?`,
    );
  // The turns and the raw answer are the bulk of a row, and reading and parsing them half of the time.
  const select = { columns: selectPage(''), everything: selectPage(', turns, raw') };

  return (
    campaignId: string,
    after: ExportCursor | null,
    limit: number,
    detail: ExportDetail,
  ): ExportRow[] => select[detail].all(campaignId, toPosition(after), limit).map(toExportRow);
}

interface Row {
  position: number;
  line: number;
  phone: E164;
  cells: string;
  path: string;
  state: LeadState;
  result: LeadResult | null;
  result_source: ResultSource | null;
  reason: string | null;
  not_before: number;
  spent: number;
  first_at: number | null;
  attempt_state: AttemptState | null;
  intent_at: number;
  call_id: string | null;
  ended_at: number | null;
  service: string;
  agent: string;
  detail: string | null;
  unreadable: string | null;
  attempt_seq: number | null;
  transcript: string | null;
  duration_ms: number | null;
  sentiment_label: string | null;
  sentiment_score: number | null;
  summary: string | null;
  recording_url: string | null;
  cost: number | null;
  cost_currency: string | null;
  /** Both only where everything is asked for; `turns` is null where there are none. */
  turns?: string | null;
  raw?: string;
}

function toPosition(cursor: ExportCursor | null): number {
  return cursor === null ? 0 : cursor.list * POSITIONS_PER_LIST + cursor.line;
}

function toExportRow(row: Row): ExportRow {
  return {
    cursor: { list: Math.floor(row.position / POSITIONS_PER_LIST), line: row.line },
    phone: row.phone,
    cells: JSON.parse(row.cells) as string[],
    listPath: row.path,
    state: row.state,
    result: row.result,
    resultSource: row.result_source,
    reason: row.reason,
    attempts: row.spent,
    firstAttemptAt: row.first_at,
    notBefore: row.not_before,
    attempt:
      row.attempt_state === null
        ? null
        : {
            state: row.attempt_state,
            intentAt: row.intent_at,
            callId: row.call_id,
            endedAt: row.ended_at,
            service: row.service,
            agent: row.agent,
            detail: row.detail,
            unreadable: row.unreadable,
          },
    analytics: row.attempt_seq === null ? null : toAnalytics(row),
  };
}

function toAnalytics(row: Row): Analytics {
  const { sentiment_label: label, sentiment_score: score } = row;
  return {
    transcript: row.transcript,
    turns: row.turns == null ? [] : (JSON.parse(row.turns) as Turn[]),
    durationMs: row.duration_ms,
    sentiment: label === null && score === null ? null : { label, score },
    summary: row.summary,
    recordingUrl: row.recording_url,
    cost: row.cost,
    costCurrency: row.cost_currency,
    raw: row.raw === undefined ? null : (JSON.parse(row.raw) as unknown),
  };
}
