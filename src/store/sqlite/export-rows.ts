import type { Turn } from '../../domain/analytics.ts';
import type { AttemptState } from '../../domain/attempt.ts';
import type { LeadResult, LeadState, ResultSource } from '../../domain/lead.ts';
import type { E164 } from '../../domain/phone.ts';
import type { ExportDetail, ExportQuery, ExportRow } from '../port.ts';
import { attemptId } from './attempts.ts';
import { POSITIONS_PER_LIST } from './leads.ts';

/** A lead with an attempt and its analytics, as the database gives it and as the port does. */

export const NOT_ASKED = 'NULL';

/** The turns and the raw answer are the bulk of a row, and reading and parsing them half of the time. */
export function columnsOf(
  detail: ExportDetail,
  per: ExportQuery['per'],
  exportedAs: string,
): string {
  const rest = detail === 'columns' ? 'NULL, NULL' : 'turns, raw';
  return `${COLUMNS}, ${CAPTURED[per]}, ${exportedAs}, ${rest}`;
}

/** What the calls of the person brought, or this one. */
const CAPTURED = {
  lead: '(SELECT json_group_array(json(fields)) FROM captured_leads WHERE lead_row = leads.row)',
  attempt: `(SELECT json_group_array(json(fields)) FROM captured_leads
     WHERE lead_row = leads.row AND captured_leads.attempt_seq = last.seq)`,
};

/** In the order of Row. Rows come as arrays: as objects they take three times as long. */
const COLUMNS = `leads.position, last.seq, leads.line, leads.phone, leads.cells, leads.state, leads.result,
  leads.result_source, leads.reason, leads.not_before, leads.spent,
  CASE WHEN leads.spent > 1 THEN (SELECT intent_at FROM attempts
     WHERE lead_row = leads.row AND state <> 'released' ORDER BY ordinal LIMIT 1) ELSE last.intent_at END,
  last.ordinal, last.state, last.result, last.result_source, last.intent_at, last.call_id, last.ended_at,
  last.settled_at, last.service, last.agent, last.detail, last.unreadable, analytics.attempt_seq,
  transcript, duration_ms, sentiment_label, sentiment_score, summary, recording_url, cost, cost_currency,
  extracted`;

export const FROM_LEADS = `FROM leads
  LEFT JOIN attempts AS last ON last.seq =
    (SELECT seq FROM attempts WHERE lead_row = leads.row AND state <> 'released'
       ORDER BY ordinal DESC LIMIT 1)
  LEFT JOIN analytics ON analytics.attempt_seq = last.seq`;

export const FROM_ATTEMPTS = `FROM attempts AS last
  CROSS JOIN leads ON leads.row = last.lead_row
  LEFT JOIN analytics ON analytics.attempt_seq = last.seq`;

export type Row = [
  position: number,
  seq: number,
  line: number,
  phone: E164,
  cells: string,
  state: LeadState,
  result: LeadResult | null,
  resultSource: ResultSource | null,
  reason: string | null,
  notBefore: number,
  spent: number,
  firstAt: number | null,
  ordinal: number,
  attemptState: AttemptState | null,
  attemptResult: LeadResult | null,
  attemptSource: ResultSource | null,
  intentAt: number,
  callId: string | null,
  endedAt: number | null,
  settledAt: number | null,
  service: string,
  agent: string,
  detail: string | null,
  unreadable: string | null,
  attemptSeq: number | null,
  transcript: string | null,
  durationMs: number | null,
  label: string | null,
  score: number | null,
  summary: string | null,
  recordingUrl: string | null,
  cost: number | null,
  costCurrency: string | null,
  extracted: string | null,
  capturedLeads: string,
  exportedAs: string | null,
  turns: string | null,
  raw: string | null,
];

export function toExportRow(row: Row, paths: ReadonlyMap<number, string>): ExportRow {
  const [
    position,
    seq,
    line,
    phone,
    cells,
    state,
    result,
    resultSource,
    reason,
    notBefore,
    attempts,
    firstAttemptAt,
    ordinal,
    attemptState,
    attemptResult,
    attemptSource,
    intentAt,
    callId,
    endedAt,
    settledAt,
    service,
    agent,
    detail,
    unreadable,
    attemptSeq,
    transcript,
    durationMs,
    label,
    score,
    summary,
    recordingUrl,
    cost,
    costCurrency,
    extracted,
    capturedLeads,
    exportedAs,
    turns,
    raw,
  ] = row;
  const list = Math.floor(position / POSITIONS_PER_LIST);
  return {
    cursor: { list, line },
    phone,
    cells: JSON.parse(cells) as string[],
    listPath: paths.get(list) ?? '',
    state,
    result,
    resultSource,
    reason,
    attempts,
    firstAttemptAt,
    notBefore,
    attempt:
      attemptState === null
        ? null
        : {
            id: attemptId(seq),
            ordinal,
            state: attemptState,
            result: attemptResult,
            resultSource: attemptSource,
            intentAt,
            callId,
            endedAt,
            settledAt,
            service,
            agent,
            detail,
            unreadable,
          },
    analytics:
      attemptSeq === null
        ? null
        : {
            transcript,
            turns: turns === null ? [] : (JSON.parse(turns) as Turn[]),
            durationMs,
            sentiment: label === null && score === null ? null : { label, score },
            summary,
            recordingUrl,
            cost,
            costCurrency,
            extracted:
              extracted === null ? null : (JSON.parse(extracted) as Record<string, unknown>),
            raw: raw === null ? null : (JSON.parse(raw) as unknown),
          },
    capturedLeads:
      capturedLeads === '[]' ? [] : (JSON.parse(capturedLeads) as Record<string, unknown>[]),
    exportedAs,
  };
}
