import type { LeadResult } from '../domain/lead.ts';
import type { E164 } from '../domain/phone.ts';
import type { ExportRow, Store } from '../store/port.ts';
import type { ResultRow } from './rows.ts';

/** Which rows are written; null and false: all. */
export interface Selection {
  /** Only leads with one of these results. */
  only: readonly LeadResult[] | null;
  /** Only where the call began, ended or was settled at this time (epoch ms) or later. */
  since: number | null;
  /** Only leads that are done and whose result no earlier export with `--new` has written as it is now. */
  onlyNew: boolean;
}

export function isSelected({ only, since, onlyNew }: Selection, row: ResultRow): boolean {
  if (only !== null && !only.some((result) => result === row.result)) return false;
  if (since !== null && lastChange(row.stored) < since) return false;
  return !onlyNew || (row.state === 'done' && row.stored.exportedAs !== exportedAs(row));
}

/** The version of a lead that an export writes: result, last attempt and its state. When one changes, it is new again. */
export function exportedAs({ stored: { attempt }, result }: ResultRow): string {
  return `${result ?? ''} ${attempt?.id ?? '-'} ${attempt?.state ?? '-'}`;
}

function lastChange({ attempt }: ExportRow): number {
  if (attempt === null) return -Infinity;
  return Math.max(attempt.intentAt, attempt.endedAt ?? 0, attempt.settledAt ?? 0);
}

const MARKS_AT_A_TIME = 1_000;

/**
 * Keeps that leads were given out. Afterwards, not before: after a crash between the two they are given out
 * once more, and never lost.
 *
 * @param lines a number, a tab and what it was given out as
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
