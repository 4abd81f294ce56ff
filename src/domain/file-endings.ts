/** Endings of file formats in which callsheet does not write results. */
const OTHERS =
  /\.(pdf|xls|xlsm|xlsb|ods|numbers|tsv|json|xml|docx?|odt|rtf|pptx?|zip|gz|7z|parquet|png|jpe?g|gif|md)$/i;

/**
 * The message for a results file whose ending promises another format, where no `--format` is given; undefined where
 * the ending is fine.
 */
export function refusedEnding(what: string, file: string): string | undefined {
  const ending = OTHERS.exec(file)?.[0];
  if (ending === undefined) return undefined;
  return `${what} "${file}" ends in ${ending}, and results are written as .csv, .xlsx or .jsonl; name a file that ends in one of these, or say with --format which of csv, excel, xlsx and jsonl to write.`;
}

/** Endings of files with settings, keys or a database: a program might read results in such a file as one of these. */
const WORKED_WITH = /\.(ya?ml|toml|ini|env|key|pem|db|sqlite3?|dials)$/i;

/** The ending, e.g. `.yaml`, of a file that programs read by its name; undefined for any other file. */
export function workingEnding(file: string): string | undefined {
  return WORKED_WITH.exec(file)?.[0];
}
