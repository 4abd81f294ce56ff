import { evidenceText } from '../domain/calling/evidence.ts';
import { placeOf } from '../domain/calling/zone-key.ts';
import { type AppError, usageError } from '../runtime/errors.ts';
import { nearest } from '../text/nearest.ts';
import { resultOf, type ResultRow } from './rows.ts';

/** The value of a cell; null: no value. A sum of money is decimal text, without rounding. */
export type Cell = string | number | null;

/**
 * The columns that callsheet adds after the list's own columns: the name and the value of each, for every format. To
 * add a column, add an entry at the end. Names and order never change, as other programs read these files. Every name
 * starts with `call_`, so that it does not collide with a column of a list.
 */
const OF_LEADS = {
  /** The number of the lead, strict E.164; see `call_dialled_phone`. */
  call_phone: ({ stored }) => stored.phone,
  /** `waiting`, `calling` or `done`. */
  call_state: ({ state }) => state,
  /** How the lead ended; empty unless the lead is done. */
  call_result: ({ result }) => result,
  /** Where the result comes from: `service`, `derived` (from the transcript) or `callsheet`. */
  call_result_source: ({ source }) => source,
  /** The reason of the result, as a sentence, where the result alone does not say enough. */
  call_reason: ({ reason }) => reason,
  /** The number of attempts, without those that provably had no effect. */
  call_attempts: ({ stored }) => stored.attempts,
  call_id: ({ stored }) => stored.attempt?.callId ?? null,
  call_first_attempt_at: ({ stored, time }) => time(stored.firstAttemptAt),
  call_last_attempt_at: ({ stored, time }) => time(stored.lastAttemptAt),
  call_ended_at: ({ stored, time }) => time(stored.attempt?.endedAt),
  call_duration_seconds: ({ stored: { analytics } }) =>
    analytics?.durationMs == null ? null : Math.round(analytics.durationMs) / 1_000,
  call_sentiment: ({ stored }) => stored.analytics?.sentiment?.label ?? null,
  call_sentiment_score: ({ stored }) => stored.analytics?.sentiment?.score ?? null,
  call_summary: ({ stored }) => stored.analytics?.summary ?? null,
  call_transcript: ({ stored }) => stored.analytics?.transcript ?? null,
  call_captured_lead: ({ stored: { capturedLeads } }) =>
    capturedLeads.length === 0 ? null : JSON.stringify(capturedLeads),
  call_recording_url: ({ stored }) => stored.analytics?.recordingUrl ?? null,
  call_cost: ({ stored }) => stored.analytics?.cost ?? null,
  call_cost_currency: ({ stored }) => stored.analytics?.costCurrency ?? null,
  /** Set only for a waiting lead that must not be called before this time. */
  call_next_attempt_at: ({ stored: { notBefore }, state, time }) =>
    state === 'waiting' && notBefore > 0 ? time(notBefore) : null,
  /** The time zone of the person, or several with `|` where a call has to be allowed in each; empty: not known. */
  call_timezone: ({ stored }) => placeOf(stored.zoneKey).zones.join('|') || null,
  call_campaign: ({ campaign }) => campaign.name,
  call_service: ({ stored, campaign }) => stored.attempt?.service ?? campaign.service,
  call_agent: ({ stored, campaign }) => stored.attempt?.agent ?? campaign.settings.agent,
  call_list: ({ stored }) => stored.listPath,
  /** The line of the lead in its list, from 1. */
  call_lead_line: ({ stored }) => stored.cursor.line,
  /** The data that the service extracted from the conversation, as JSON under the service's names. */
  call_extracted: ({ stored: { analytics } }) =>
    analytics?.extracted == null ? null : JSON.stringify(analytics.extracted),
  /** The number that was dialled, where it is another one of the person's than `call_phone`. */
  call_dialled_phone: ({ stored: { phone, attempt } }) =>
    attempt === null || attempt.phone === phone ? null : attempt.phone,
  /** When the person asked to be called again, while that call is still to be made. */
  call_callback_at: ({ stored, time }) => time(stored.callbackAt),
  /** The service's own word for how the call ended, e.g. `wrong_number`; as it came, at most 200 characters. */
  call_outcome: ({ stored }) => stored.attempt?.said ?? null,
  /** The words in which a person refused calls or asked for no more; see `refusalHeard`. It suppresses nobody. */
  call_refusal_heard: ({ stored }) => stored.attempt?.refusal ?? null,
} as const satisfies Record<string, (row: ResultRow) => Cell>;

/** Further columns of files with a row per attempt, after `OF_LEADS`. */
const OF_ATTEMPTS = {
  /** As it was when this call was allowed, see `CallEvidence`; for calls from before that was kept, the lead's. */
  call_timezone: (row) => {
    const { evidence = null } = row.stored.attempt ?? {};
    return evidence === null
      ? OF_LEADS.call_timezone(row)
      : Object.keys(evidence.clocks).join('|') || null;
  },
  /** The ordinal of the attempt: 1 for the first attempt that counts, and so on. */
  call_attempt: ({ stored }) => stored.attempt?.ordinal ?? null,
  /** The state of the attempt; see `AttemptState`. */
  call_attempt_state: ({ stored }) => stored.attempt?.state ?? null,
  /** The result of this attempt; `call_result` is the result of the lead. */
  call_attempt_result: ({ stored: { attempt } }) => (attempt === null ? null : resultOf(attempt)),
  /** What the person's clock showed when the call was allowed, `2026-11-27T15:30-05:00`; several with `|`. */
  call_local_time: ({ stored }) =>
    Object.values(stored.attempt?.evidence?.clocks ?? {}).join('|') || null,
  /** Why the call was allowed, in words; in JSON lines `evidence` has it all. */
  call_allowed_by: ({ stored: { attempt } }) =>
    attempt?.evidence == null ? null : evidenceText(attempt.evidence),
} as const satisfies Record<string, (row: ResultRow) => Cell>;

/** The names of the `call_` columns of leads, in their order. */
export const CALL_COLUMNS = Object.keys(OF_LEADS);

/** Columns that only JSON lines have, as their values are not plain cells. */
const EXTRAS = {
  /** Who said what. */
  turns: ({ stored }) => stored.analytics?.turns ?? [],
  /** The service's answer, unchanged; null where there is none. */
  analytics: ({ stored }) => stored.analytics?.raw ?? stored.attempt?.unreadable ?? null,
} as const satisfies Record<string, (row: ResultRow) => unknown>;

const ATTEMPT_EXTRAS = {
  /** Why the call was allowed, see `CallEvidence`; null: the call is from before that was kept. */
  evidence: ({ stored }) => stored.attempt?.evidence ?? null,
} as const satisfies Record<string, (row: ResultRow) => unknown>;

/** One column of a results file: `own` from the list, `call` added by callsheet, `extra` in JSON lines only. */
export type Column<Row = ResultRow> =
  | { kind: 'own' | 'call'; name: string; value: (row: Row) => Cell }
  | { kind: 'extra'; name: string; value: (row: Row) => unknown };

/**
 * The columns of a file: the list's own columns, then the `call_` columns, then the extra columns of JSON lines; or the
 * wanted columns, in the wanted order.
 *
 * @param wanted names; a header that the list has twice selects both columns. Null: all columns
 * @throws AppError `COLUMN_UNKNOWN` (exit 2), naming the existing columns
 */
export function columnsOf(
  headers: readonly string[],
  per: 'lead' | 'attempt',
  extras: boolean,
  wanted: readonly string[] | null,
): Column[] {
  const ours = per === 'attempt' ? { ...OF_LEADS, ...OF_ATTEMPTS } : OF_LEADS;
  const all: Column[] = [
    ...headers.map((name, i) => ({
      kind: 'own' as const,
      name,
      value: ({ own }: ResultRow) => own[i] ?? '',
    })),
    ...Object.entries(ours).map(([name, value]) => ({ kind: 'call' as const, name, value })),
    ...Object.entries(extras ? { ...EXTRAS, ...(per === 'attempt' && ATTEMPT_EXTRAS) } : {}).map(
      ([name, value]) => ({
        kind: 'extra' as const,
        name,
        value,
      }),
    ),
  ];
  if (wanted === null) return all;
  return wanted.flatMap((name) => {
    const found = all.filter((column) => column.name === name);
    if (found.length === 0) throw unknownColumn(name, all);
    return found;
  });
}

/** The value of a column for a table. */
export function cellOf<Row>(column: Column<Row>, row: Row): Cell {
  return column.kind === 'extra' ? null : column.value(row);
}

/** As `cellOf`, for formats that distinguish numbers from text: money becomes a number. */
export function typedCellOf<Row>(column: Column<Row>, row: Row): Cell {
  const value = cellOf(column, row);
  return column.kind === 'call' && column.name === 'call_cost' && value !== null
    ? Number(value)
    : value;
}

function unknownColumn(name: string, all: readonly Column[]): AppError {
  const names = all.map((column) => column.name);
  const near = nearest(name, names);
  const meant = near === undefined ? '.' : `; did you mean "${near}"?`;
  return usageError(
    'COLUMN_UNKNOWN',
    `There is no column "${name}"${meant}`,
    `give --columns with names of these, separated by commas: ${names.join(', ')}`,
  );
}
