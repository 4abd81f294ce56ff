import type { ResultFormatName } from '../../domain/campaign.ts';
import type { Download } from './download.ts';

const TYPES: Readonly<Record<ResultFormatName, string>> = {
  csv: 'text/csv; charset=utf-8',
  excel: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  jsonl: 'application/x-ndjson; charset=utf-8',
};

/** The file that a browser makes of results. @param part what of them, e.g. `attempts`; empty: all */
export function fileOf(campaign: string, part: string, format: ResultFormatName): Download {
  const ending = format === 'excel' ? 'csv' : format;
  const name = `${campaign}${part === '' ? '' : `-${part}`}.${ending}`;
  return { type: TYPES[format], name };
}
