/** What `results.file` may contain: the date of the night whose results the file holds, `2026-01-05`. */
const DATE = '{date}';

/** True where every night's results get a file of their own. */
export function isDated(file: string | null): boolean {
  return file?.includes(DATE) === true;
}

/** The file of one night. @param night its date, `2026-01-05` */
export function datedFile(file: string, night: string): string {
  return file.replaceAll(DATE, night);
}

/** The report page beside a results file: the same name with the ending `.html`. */
export function pageBeside(file: string): string {
  return `${file.replace(/\.(csv|tsv|txt|xlsx|jsonl|ndjson|json)$/i, '')}.html`;
}

/** The first unknown placeholder, as written; undefined: all are known. */
export function unknownPlaceholder(file: string): string | undefined {
  return file.match(/\{[^{}/\\]*\}/g)?.find((found) => found !== DATE);
}

export interface NightResults {
  /** `2026-01-05`; `''`: calls from before nights were kept. */
  night: string;
  /** When its file was written with every call of the night in it; null: not yet. */
  resultsAt: number | null;
}

/**
 * The nights that are over and whose file is still to be written: those after the first night with a file, even if a
 * later one has one. If no night has a file, dates are new in its name, and the last night alone gets one, as files of
 * older nights could not be told apart.
 * @param nights the first one first
 * @param tonight the night that it is now, which is not over
 */
export function nightsWithoutResults<N extends NightResults>(
  nights: readonly N[],
  tonight: string,
): N[] {
  const over = nights.filter(({ night }) => night !== '' && night < tonight);
  const first = over.findIndex(({ resultsAt }) => resultsAt !== null);
  return over.slice(first).filter(({ resultsAt }) => resultsAt === null);
}
