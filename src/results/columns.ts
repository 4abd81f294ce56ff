import { type AppError, usageError } from '../runtime/errors.ts';
import { nearest } from '../text/nearest.ts';
import { resultOf, type ResultRow } from './rows.ts';

/** What a cell holds; null: there is nothing to say. A sum of money is decimal text, without rounding. */
export type Cell = string | number | null;

/**
 * Our columns, after the list's own: the name and the value of each, for every format. To add a column, add an entry
 * at the end. Names and order never change: other programs read these files. Every name starts with
 * `call_`, so that it meets no column of a list.
 */
const OF_LEADS = {
  /** The number called, strict E.164. */
  call_phone: ({ stored }) => stored.phone,
  /** `waiting`, `calling` or `done`. */
  call_state: ({ state }) => state,
  /** How it ended; empty unless done. */
  call_result: ({ result }) => result,
  /** Who says so: `service`, `derived` (from the transcript) or `callsheet`. */
  call_result_source: ({ source }) => source,
  /** Why it is so, in a sentence, where there is more to say. */
  call_reason: ({ reason }) => reason,
  /** Attempts that count: all but those that provably had no effect. */
  call_attempts: ({ stored }) => stored.attempts,
  call_id: ({ stored }) => stored.attempt?.callId ?? null,
  call_first_attempt_at: ({ stored, time }) => time(stored.firstAttemptAt),
  call_last_attempt_at: ({ stored, time }) => time(stored.attempt?.intentAt),
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
  /** Only of a waiting lead that may not be called at once. */
  call_next_attempt_at: ({ stored: { notBefore }, state, time }) =>
    state === 'waiting' && notBefore > 0 ? time(notBefore) : null,
  /** The zone that the times of this row are given in. */
  call_timezone: ({ campaign }) => campaign.settings.timezone,
  call_campaign: ({ campaign }) => campaign.name,
  call_service: ({ stored, campaign }) => stored.attempt?.service ?? campaign.service,
  call_agent: ({ stored, campaign }) => stored.attempt?.agent ?? campaign.settings.agent,
  call_list: ({ stored }) => stored.listPath,
  /** The line of the list it came from, 1-based. */
  call_lead_line: ({ stored }) => stored.cursor.line,
  /** What the service read out of the conversation, as JSON under its own names. */
  call_extracted: ({ stored: { analytics } }) =>
    analytics?.extracted == null ? null : JSON.stringify(analytics.extracted),
} as const satisfies Record<string, (row: ResultRow) => Cell>;

/** After those, in files with a row per attempt. */
const OF_ATTEMPTS = {
  /** 1 for the first attempt that counts ... */
  call_attempt: ({ stored }) => stored.attempt?.ordinal ?? null,
  /** See AttemptState. */
  call_attempt_state: ({ stored }) => stored.attempt?.state ?? null,
  /** What this attempt came to; `call_result` is the lead's. */
  call_attempt_result: ({ stored: { attempt } }) => (attempt === null ? null : resultOf(attempt)),
} as const satisfies Record<string, (row: ResultRow) => Cell>;

/** Names of our columns, in their order. */
export const CALL_COLUMNS = Object.keys(OF_LEADS);

/** What only JSON lines can hold. */
const EXTRAS = {
  /** Who said what. */
  turns: ({ stored }) => stored.analytics?.turns ?? [],
  /** The service's answer as it came; null where there is none. */
  analytics: ({ stored }) => stored.analytics?.raw ?? stored.attempt?.unreadable ?? null,
} as const satisfies Record<string, (row: ResultRow) => unknown>;

/** One column of a results file: the list's own, ours, or one that only JSON lines can hold. */
export type Column<Row = ResultRow> =
  | { kind: 'own' | 'call'; name: string; value: (row: Row) => Cell }
  | { kind: 'extra'; name: string; value: (row: Row) => unknown };

/**
 * The columns of a file, in their order: the list's own, then ours, then what only JSON lines can hold; or those that
 * were asked for, in the order in which they were.
 *
 * @param wanted names; of a header that the list has twice all are meant. Null: all
 * @throws AppError `COLUMN_UNKNOWN` (exit 2), naming those there are
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
    ...Object.entries(extras ? EXTRAS : {}).map(([name, value]) => ({
      kind: 'extra' as const,
      name,
      value,
    })),
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

/** The same for a format that tells numbers from text: money is a number there, of the same digits. */
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
