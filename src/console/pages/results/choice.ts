import { RESULT_FORMAT_NAMES, type ResultFormatName } from '../../../domain/campaign.ts';
import { LEAD_RESULTS, type LeadResult } from '../../../domain/lead.ts';
import { startOfDay } from '../../../text/wall-clock.ts';
import { decoded } from '../../../text/wording.ts';
import { path, query } from '../api/client.ts';
import { params, setParams } from '../shell/navigation.ts';

/** What of the results is wanted; it is kept in the address of the page. */
export interface Choice {
  /** Null: the one that the campaign writes. */
  format: ResultFormatName | null;
  per: 'lead' | 'attempt';
  /** Only these; empty: all. */
  only: LeadResult[];
  /** Only these, in this order; empty: all. */
  columns: string[];
  /** The day in the campaign's zone from whose beginning on something happened, `2026-01-05`; '': any. */
  since: string;
  /** A night's date, or `before`; '': all. */
  night: string;
}

/** What the address of the page says; what it cannot mean is left out. */
export function choiceOfAddress(): Choice {
  const given = params.value;
  const columns = given.get('columns') ?? '';
  const only = (given.get('only') ?? '').split(',');
  return {
    format: RESULT_FORMAT_NAMES.find((name) => name === given.get('format')) ?? null,
    per: given.get('per') === 'attempt' ? 'attempt' : 'lead',
    only: LEAD_RESULTS.filter((result) => only.includes(result)),
    columns: columns === '' ? [] : columns.split(',').map(decoded),
    since: given.get('since') ?? '',
    night: given.get('night') ?? '',
  };
}

/** Puts a part of the choice into the address. */
export function choose({ columns, only, per, ...texts }: Partial<Choice>): void {
  setParams({
    ...texts,
    ...(per !== undefined && { per: per === 'lead' ? null : per }),
    ...(only !== undefined && { only: only.join(',') }),
    // A header of a list may have a comma in it.
    ...(columns !== undefined && { columns: columns.map(encodeURIComponent).join(',') }),
  });
}

/** Where the chosen results are; a plain address, so that the browser streams them into a file. */
export function resultsAddress(campaign: string, timezone: string, choice: Choice): string {
  const { since, only, per, ...same } = choice;
  const values = {
    ...same,
    per: per === 'lead' ? null : per,
    only: only.join(','),
    since: startOfDay(since, timezone),
  };
  return `/api/v1${path`/campaigns/${campaign}/results`}${query(values)}`;
}

/**
 * Whether anybody is in a file of results. Files with a line of headers have that in any case.
 *
 * @returns true for a workbook, where that cannot be seen
 */
export async function hasRows(file: Blob, format: ResultFormatName | null): Promise<boolean> {
  if (format === 'xlsx') return true;
  if (format === 'jsonl') return file.size > 0;
  // Headers of a list may have line breaks in quotes; no line of headers is longer than this.
  const begin = await file.slice(0, 1_000_000).text();
  const afterHeaders = /^(?:[^"\n]|"[^"]*")*\n/.exec(begin);
  return afterHeaders !== null && afterHeaders[0].length < begin.length;
}
