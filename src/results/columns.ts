import { evidenceText } from '../domain/calling/caps.ts';
import { placeOf } from '../domain/calling/zone-key.ts';
import type { LeadResult, LeadState, ResultSource } from '../domain/lead.ts';
import { namesOfColumns } from '../domain/lists/list-mapping.ts';
import { personIn } from '../domain/lists/person.ts';
import { usageError, type AppError } from '../runtime/errors.ts';
import type { Campaign, ExportRow, List } from '../store/port.ts';
import { nearest } from '../text/nearest.ts';
import { zonedTime } from '../text/times.ts';

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

/** Further columns of files with a row per attempt. */
const OF_ATTEMPTS = {
  /** As it was when this call was allowed, see `CallEvidence`; for calls from before that was kept, the lead's. */
  call_timezone: (row) => {
    const { evidence = null } = row.stored.attempt ?? {};
    return evidence === null
      ? OF_LEADS.call_timezone(row)
      : Object.keys(evidence.clocks).join('|') || null;
  },
  /** 1 for the first attempt that counts. */
  call_attempt: ({ stored }) => stored.attempt?.ordinal ?? null,
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

export const CALL_COLUMNS = Object.keys(OF_LEADS);

/** Columns that only JSON lines have, as their values are not plain cells. */
const EXTRAS = {
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

/** One lead, or one attempt, to be exported: `columns.ts` computes the value of each column from this row. */
export interface ResultRow extends End {
  /** The lead's cells under the list's own headers. */
  own: string[];
  stored: ExportRow;
  campaign: Campaign;
  /** Epoch ms as ISO 8601 in the campaign's zone; null where there is none. */
  time: (ms: number | null | undefined) => string | null;
}

/** Returns a function that makes the result row of a stored lead and its cells, in the order of `ownColumns`. */
export function resultRows(campaign: Campaign): (row: ExportRow, own: string[]) => ResultRow {
  const toText = zonedTime(campaign.settings.timezone);
  const time = (ms: number | null | undefined) => (ms == null ? null : toText(ms));
  return (stored, own) => {
    // Not spread into the row: that takes 2 µs a row, a twentieth of an export.
    const { state, result, source, reason } = endOf(stored, campaign);
    return { state, result, source, reason, own, stored, campaign, time };
  };
}

/** The result of a single attempt; null while the attempt is open, and for an attempt that led to no call. */
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

/** The end of a lead. A waiting lead of a cancelled campaign counts as cancelled, as `cancel` does not update leads. */
export function endOf(row: ExportRow, campaign: Campaign): End {
  if (campaign.state === 'cancelled' && row.state === 'waiting') {
    const again = row.attempts > 0 ? ' again' : '';
    const reason = `the campaign was cancelled before this person was called${again}`;
    return { state: 'done', result: 'cancelled', source: 'callsheet', reason };
  }
  const { state, result, resultSource: source } = row;
  return { state, result, source, reason: reasonOf(row) };
}

/** A lead whose attempt is `unknown` has no reason of its own yet, so the reason is made from the attempt. */
function reasonOf({ reason, attempt }: ExportRow): string | null {
  if (attempt?.state !== 'unknown') return reason;
  const why = attempt.detail === null ? '' : ` (${attempt.detail})`;
  return `the call was requested and the answer was lost${why}: it may have taken place, and is not repeated`;
}

/**
 * The name of the person of a row, from the columns that the import of the list recognised; null where there is none.
 * @param list the list of the row; undefined for a single call
 */
export function nameIn(
  list: Pick<List, 'mapping'> | undefined,
  cells: readonly string[],
): string | null {
  const { fullName = '' } = personIn(list?.mapping ?? { fields: {} }, cells);
  return fullName === '' ? null : fullName;
}

/**
 * The lists' own columns, as one set for all lists of a campaign: their union, in order of first appearance. A header
 * that a list has twice gives two columns; the second is merged with the second column of that header in other lists.
 */
export function ownColumns(lists: readonly List[]) {
  const headers: string[] = [];
  const places = new Map<string, number>();
  const byList = new Map<number, number[]>();
  for (const list of lists) {
    const own = [...list.headers, ...list.added.map(({ header }) => header)];
    const indexes = namesOfColumns(own).map((key, index) => {
      const known = places.get(key);
      if (known !== undefined) return known;
      places.set(key, headers.length);
      return headers.push(own[index] ?? '') - 1;
    });
    byList.set(list.number, indexes);
  }
  // In a campaign with one list, the cells of every row are already in the order of `headers`.
  const isInOrder = (cells: readonly string[]) =>
    lists.length === 1 && cells.length === headers.length;

  return {
    /** The headers as written: those of the first list, then those that later lists add. */
    headers,
    /** The lead's cells in the order of `headers`; the lead must come from one of `lists`. */
    cellsOf: ({ cursor, cells }: Pick<ExportRow, 'cursor' | 'cells'>): string[] => {
      if (isInOrder(cells)) return cells;
      const own = new Array<string>(headers.length).fill('');
      for (const [i, index] of (byList.get(cursor.list) ?? []).entries())
        own[index] = cells[i] ?? '';
      return own;
    },
  };
}
