import { refusalHeard } from '../../../text/spoken-refusals.ts';
import type { Analytics, Turn } from '../../../domain/lead.ts';
import type { ExportDetail, ExportQuery, ExportRow } from '../../port.ts';
import { attemptId, bestRank } from '../tables/attempt-rows.ts';
import { asOf, POSITIONS_PER_LIST } from '../tables/lead-ends.ts';

/**
 * Reads a lead with an attempt and its analytics from the database into a row of the port. SQL packs most of a row into
 * one JSON text, because passing a value from SQLite to JavaScript is slow. With a column for each value an export of
 * 200,000 rows to CSV takes 36 % more processor time (3.2 s instead of 2.4 s), to JSONL 12 %.
 */

/** Columns whose values an ExportRow, its attempt and its analytics have under the same names: `not_before` as `notBefore`. */
const LEAD =
  'leads.phone, leads.state, leads.result, leads.result_source, leads.reason, leads.not_before, leads.callback_at';
const ATTEMPT = `last.ordinal, last.state, last.result, last.result_source, last.intent_at, last.call_id, last.ended_at,
  last.settled_at, last.service, last.agent, last.detail, last.unreadable, last.phone, last.night, said, last.resolution`;
const ANALYTICS = 'duration_ms, summary, recording_url, cost, cost_currency';

/** SQL for a lead as one JSON text, see LeadCells (`cells` is JSON text already); a call has what it was made with. */
export function leadText({ per, withExported }: Omit<ExportQuery, 'detail'>): string {
  const which = per === 'lead' ? '' : ' AND captured_leads.attempt_seq = last.seq';
  const then = (column: string) => (per === 'lead' ? `leads.${column}` : asOf(column, 'last.seq'));
  return `'[' || leads.position || ',' || ${then('cells')} || ',' || substr(CAST(json_array(${then('zone_key')}, leads.line, leads.spent,
    json_array(${LEAD}), json((SELECT json_group_array(json(fields)) FROM captured_leads WHERE lead_row = leads.row${which})),
    ${withExported ? '(SELECT exported_as FROM exported WHERE lead_row = leads.row)' : 'NULL'}) AS TEXT), 2)`;
}

/**
 * SQL for the columns of AttemptCells after the first one; the attempt has the alias `last`. The times of the first and
 * the last attempt and of the last change are looked up only for the few leads with several attempts.
 */
export function attemptColumns(detail: ExportDetail, per: ExportQuery['per']): string {
  const changedAt = (attempt: string) =>
    `max(${attempt}.intent_at, max(coalesce(${attempt}.ended_at, 0), coalesce(${attempt}.settled_at, 0)))`;
  const overAll = (value: string, own: string) => `CASE WHEN leads.spent > 1 THEN (SELECT ${value}
    FROM attempts AS each WHERE each.lead_row = leads.row AND each.state <> 'released') ELSE ${own} END`;
  const times = [
    overAll('min(each.intent_at)', 'last.intent_at'),
    per === 'lead' ? overAll('max(each.intent_at)', 'last.intent_at') : 'last.intent_at',
    per === 'lead' ? overAll(`max(${changedAt('each')})`, changedAt('last')) : changedAt('last'),
  ];
  // What a person refused in one call holds for the others, too.
  const refusal =
    per === 'lead'
      ? `CASE WHEN leads.spent > 1 THEN (SELECT said.refusal FROM attempts AS each
           JOIN analytics AS said ON said.attempt_seq = each.seq
           WHERE each.lead_row = leads.row AND said.refusal <> '' ORDER BY each.ordinal DESC LIMIT 1)
         ELSE refusal END`
      : 'refusal';
  // The score is a column of its own, because SQLite's JSON keeps fewer digits of real numbers.
  const columns = `json_array(json_array(${ATTEMPT}), last.seq, ${times.join(', ')}, ${refusal},
    ${per === 'lead' ? 'NULL' : 'json(evidence.facts)'}, json_array(${ANALYTICS}), analytics.attempt_seq, sentiment_label, extracted),
  transcript, sentiment_score`;
  return detail === 'columns' ? columns : `${columns}, turns, raw`;
}

/** The sequence number of a lead's attempt that counts, or of the best of several. */
export const BEST_SEQ = `CASE WHEN leads.spent > 1 THEN
      (SELECT seq FROM attempts WHERE lead_row = leads.row AND state <> 'released'
         ORDER BY ${bestRank('attempts')}, ordinal DESC LIMIT 1)
    ELSE (SELECT seq FROM attempts WHERE lead_row = leads.row AND state <> 'released'
         ORDER BY ordinal DESC LIMIT 1) END`;

/** That attempt and its analytics. */
export const BEST_ATTEMPT = `attempts AS last ON last.seq = ${BEST_SEQ}
  LEFT JOIN analytics ON analytics.attempt_seq = last.seq`;

export const FROM_ATTEMPTS = `FROM attempts AS last
  CROSS JOIN leads ON leads.row = last.lead_row
  LEFT JOIN analytics ON analytics.attempt_seq = last.seq LEFT JOIN evidence ON evidence.attempt_seq = last.seq`;

type LeadCells = [
  position: number,
  cells: string[],
  zoneKey: string,
  line: number,
  spent: number,
  named: unknown[],
  captured: Record<string, unknown>[] | null,
  exportedAs: string | null,
];

/** @param First identifies the lead: its position, or the lead as JSON text */
export type AttemptCells<First = unknown> = [
  lead: First,
  packed: string,
  transcript: string | null,
  score: number | null,
  turns?: string | null,
  raw?: string | null,
];

type Attempt = NonNullable<ExportRow['attempt']>;
type PackedAttempt = [
  named: unknown[],
  seq: number,
  firstAt: number,
  lastAt: number,
  changedAt: number,
  refusal: string | null,
  evidence: Attempt['evidence'],
  analytics: unknown[],
  analyticsOf: number | null,
  label: string | null,
  extracted: string | null,
];

/** Adds the values of columns to `known`, under the names that the port has for them; a spread takes ten times as long. */
function adding(columns: string) {
  const names = columns
    .split(/,\s+/)
    .map((column) =>
      column.replace(/^.*\./, '').replace(/_(.)/g, (_, next: string) => next.toUpperCase()),
    );
  return (known: Record<string, unknown>, values: readonly unknown[]): unknown => {
    names.forEach((name, at) => {
      known[name] = values[at];
    });
    return known;
  };
}

const addLead = adding(LEAD);
const addAttempt = adding(ATTEMPT);
const addAnalytics = adding(ANALYTICS);

/** Reads a row without its attempt; `attempts` is 0 when no attempt counts. */
export function readLead(text: string, paths: ReadonlyMap<number, string>): ExportRow {
  const cellsOf = JSON.parse(text) as LeadCells;
  const [position, cells, zoneKey, line, spent, named, captured, exportedAs] = cellsOf;
  const list = Math.floor(position / POSITIONS_PER_LIST);
  const row = {
    cursor: { list, line },
    cells,
    zoneKey,
    listPath: paths.get(list) ?? '',
    attempts: spent,
    firstAttemptAt: null,
    lastAttemptAt: null,
    lastChangeAt: null,
    attempt: null,
    analytics: null,
    capturedLeads: captured ?? [],
    exportedAs,
  };
  return addLead(row, named) as ExportRow;
}

/** Puts an attempt and its analytics into the row of its lead. */
export function fillAttempt(row: ExportRow, [, packed, ...rest]: AttemptCells): void {
  const [transcript, score, turns = null, raw = null] = rest;
  const [named, seq, firstAt, lastAt, changedAt, refusal, evidence, ...analytics] = JSON.parse(
    packed,
  ) as PackedAttempt;
  row.firstAttemptAt = firstAt;
  row.lastAttemptAt = lastAt;
  row.lastChangeAt = changedAt;
  // Null for calls from before it was kept, whose transcripts are there.
  const heard = (refusal ?? refusalHeard(transcript ?? '')) || null;
  row.attempt = addAttempt({ id: attemptId(seq), refusal: heard, evidence }, named) as Attempt;
  const [namedToo, analyticsOf, label, extracted] = analytics;
  if (analyticsOf === null) return;
  const known = {
    transcript,
    turns: turns === null ? [] : (JSON.parse(turns) as Turn[]),
    sentiment: label === null && score === null ? null : { label, score },
    extracted: extracted === null ? null : (JSON.parse(extracted) as Record<string, unknown>),
    raw: raw === null ? null : (JSON.parse(raw) as unknown),
  };
  row.analytics = addAnalytics(known, namedToo) as Analytics;
}
