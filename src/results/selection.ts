import type { LeadResult } from '../domain/lead.ts';
import type { E164 } from '../domain/phone.ts';
import type { Store } from '../store/port.ts';
import type { ResultRow } from './rows.ts';

/** Which rows are written; null or false does not filter. */
export interface Selection {
  /** Only leads with one of these results. */
  only: readonly LeadResult[] | null;
  /** Only where the call began, ended or was settled at this time (epoch ms) or later. */
  since: number | null;
  /** Only the calls of this night; for a row per attempt. */
  night: string | null;
  /** Only leads that are done and whose current result was not written by an earlier export with `--new`. */
  onlyNew: boolean;
}

export function isSelected({ only, since, night, onlyNew }: Selection, row: ResultRow): boolean {
  if (only !== null && !only.some((result) => result === row.result)) return false;
  if (since !== null && (row.stored.lastChangeAt ?? -Infinity) < since) return false;
  if (night !== null && (row.stored.attempt?.night ?? '') !== night) return false;
  return !onlyNew || (row.state === 'done' && row.stored.exportedAs !== exportedAs(row));
}

/** The version of a lead: result, best attempt and its state. When one of them changes, the lead is new again. */
export function exportedAs({ stored: { attempt }, result }: ResultRow): string {
  return `${result ?? ''} ${attempt?.id ?? '-'} ${attempt?.state ?? '-'}`;
}

const MARKS_AT_A_TIME = 1_000;

/**
 * Records which leads an export with `--new` has written. Done after the export: a crash in between makes the next
 * export write these leads once more, but none is lost.
 *
 * @param lines each a number, a tab and the version from `exportedAs`
 */
export async function keepGiven(
  store: Store,
  campaignId: string,
  lines: AsyncIterable<string>,
): Promise<void> {
  let batch: { phone: E164; as: string }[] = [];
  for await (const line of lines) {
    const at = line.indexOf('\t');
    batch.push({ phone: line.slice(0, at) as E164, as: line.slice(at + 1) });
    if (batch.length < MARKS_AT_A_TIME) continue;
    await store.markExported(campaignId, batch);
    batch = [];
  }
  if (batch.length > 0) await store.markExported(campaignId, batch);
}
