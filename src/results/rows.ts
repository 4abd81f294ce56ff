import type { LeadResult, LeadState, ResultSource } from '../domain/lead.ts';
import type { Turn } from '../domain/analytics.ts';
import type { Campaign, ExportRow } from '../store/port.ts';
import type { AttemptColumn, CallColumn } from './columns.ts';
import { zonedTime } from '../text/zoned-time.ts';

/** One lead, or one attempt, as it is written out; every format makes its own text of it. */
export interface ResultRow {
  /** The lead's cells under the list's own headers. */
  own: string[];
  /** Null: there is nothing to say. */
  call: Record<CallColumn | AttemptColumn, string | number | null>;
  /** Empty where the format asks for columns only. */
  turns: Turn[];
  /** The service's answer as it came; null when there is none, or where the format asks for columns only. */
  raw: unknown;
}

/** A function from a stored lead, and its cells as `ownColumns` arranges them, to its row; for one campaign. */
export function resultRows(campaign: Campaign): (row: ExportRow, own: string[]) => ResultRow {
  const toText = zonedTime(campaign.settings.timezone);
  const time = (ms: number | null | undefined) => (ms == null ? null : toText(ms));

  return (row, own) => {
    const { attempt, analytics } = row;
    const end = endOf(row, campaign);
    const isWaiting = end.state === 'waiting';
    return {
      own,
      call: {
        call_phone: row.phone,
        call_state: end.state,
        call_result: end.result,
        call_result_source: end.source,
        call_reason: end.reason,
        call_attempts: row.attempts,
        call_id: attempt?.callId ?? null,
        call_first_attempt_at: time(row.firstAttemptAt),
        call_last_attempt_at: time(attempt?.intentAt),
        call_ended_at: time(attempt?.endedAt),
        call_duration_seconds:
          analytics?.durationMs == null ? null : Math.round(analytics.durationMs) / 1_000,
        call_sentiment: analytics?.sentiment?.label ?? null,
        call_sentiment_score: analytics?.sentiment?.score ?? null,
        call_summary: analytics?.summary ?? null,
        call_transcript: analytics?.transcript ?? null,
        call_captured_lead:
          row.capturedLeads.length === 0 ? null : JSON.stringify(row.capturedLeads),
        call_recording_url: analytics?.recordingUrl ?? null,
        call_cost: analytics?.cost ?? null,
        call_cost_currency: analytics?.costCurrency ?? null,
        call_next_attempt_at: isWaiting && row.notBefore > 0 ? time(row.notBefore) : null,
        call_timezone: campaign.settings.timezone,
        call_campaign: campaign.name,
        call_service: attempt?.service ?? campaign.service,
        call_agent: attempt?.agent ?? campaign.settings.agent,
        call_list: row.listPath,
        call_lead_line: row.cursor.line,
        call_extracted: analytics?.extracted == null ? null : JSON.stringify(analytics.extracted),
        call_attempt: attempt?.ordinal ?? null,
        call_attempt_state: attempt?.state ?? null,
        call_attempt_result: attempt === null ? null : resultOf(attempt),
      },
      turns: analytics?.turns ?? [],
      raw: analytics?.raw ?? attempt?.unreadable ?? null,
    };
  };
}

/** What an attempt came to by itself; null while it is open, and for one that was no call. */
export function resultOf({ state, result }: NonNullable<ExportRow['attempt']>): LeadResult | null {
  if (state === 'rejected' || state === 'unconfirmed' || state === 'no_result') return state;
  return state === 'settled' ? result : null;
}

interface End {
  state: LeadState;
  result: LeadResult | null;
  source: ResultSource | null;
  reason: string | null;
}

/** Cancelling a campaign is one change of its own row: who still waited is cancelled with it. */
function endOf(row: ExportRow, campaign: Campaign): End {
  if (campaign.state === 'cancelled' && row.state === 'waiting') {
    const reason = 'the campaign was cancelled before this person was called';
    return { state: 'done', result: 'cancelled', source: 'callsheet', reason };
  }
  return {
    state: row.state,
    result: row.result,
    source: row.resultSource,
    reason: reasonOf(row),
  };
}

/** A lead whose attempt is in doubt has no reason of its own yet: the attempt says what was lost. */
function reasonOf({ reason, attempt }: ExportRow): string | null {
  if (attempt?.state !== 'unknown') return reason;
  const why = attempt.detail === null ? '' : ` (${attempt.detail})`;
  return `the call was requested and the answer was lost${why}: it may have taken place, and is not repeated`;
}
