import { csvFormat, excelFormat } from './csv.ts';
import type { ResultFormat } from './format.ts';
import { jsonlFormat } from './jsonl.ts';
import { xlsxFormat } from './xlsx.ts';
import type { ResultFormatName } from '../../domain/campaign.ts';

/** All formats of results, by the name that `--format` takes. */
export const RESULT_FORMATS: Readonly<Record<ResultFormatName, ResultFormat>> = {
  csv: csvFormat,
  excel: excelFormat,
  xlsx: xlsxFormat,
  jsonl: jsonlFormat,
};
