import type { ResultFormatName } from '../../../domain/campaign.ts';

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
