import { csvFormat } from './csv.ts';
import { jsonlFormat } from './jsonl.ts';

/** All formats of results, by the name that `--format` takes. */
export const RESULT_FORMATS = { csv: csvFormat, jsonl: jsonlFormat } as const;

export type ResultFormatName = keyof typeof RESULT_FORMATS;
