import { csvFormat } from './csv.ts';
import { jsonlFormat } from './jsonl.ts';
import type { ResultRow } from './rows.ts';

/** Begins a file with the list's own headers; what comes back makes the text, a row at a time. */
export type ResultFormat = (headers: readonly string[]) => {
  /** Before the first row. */
  head: string;
  row: (row: ResultRow) => string;
};

/** All formats of results, by the name that `--format` takes. */
export const RESULT_FORMATS = { csv: csvFormat, jsonl: jsonlFormat } as const;

export type ResultFormatName = keyof typeof RESULT_FORMATS;
