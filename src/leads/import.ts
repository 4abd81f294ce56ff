import { stat } from 'node:fs/promises';
import type { Clock } from '../runtime/clock.ts';
import { usageError } from '../runtime/errors.ts';
import type { NewId } from '../runtime/random.ts';
import { isSent } from '../domain/lists/list-mapping.ts';
import type { List, Owner, Store } from '../store/port.ts';
import { columnHeaders, type ColumnHeaders } from './columns/layout.ts';
import { addRows, importThrottle } from './rows/add-rows.ts';
import { requireCountry } from './phone/countries.ts';
import type { NumberOptions } from './rows/row-numbers.ts';
import { inBatches } from './read/row.ts';
import type { ListRow } from './rows/list-row.ts';
import { openRejects, readRows, type RejectedRow } from './rows/opt-outs.ts';
import type { ScannedList } from './rows/first-reading.ts';
import { countRow, newCounts, type RowCounts } from './rows/row-counts.ts';

export interface ImportOptions extends NumberOptions {
  /** The day on which the list was up to date (epoch ms); default: unknown. */
  asOf?: number | null;
  /** How the file was read; stored with the list, so that an interrupted import can be resumed in the same way. */
  encoding?: string | undefined;
  sheet?: string | undefined;
  delimiter?: string | undefined;
  /** True: waiting leads that are not on the list leave the campaign. Kept with the list, for a resumed import. */
  complete?: boolean;
  /** This process, recorded so that other processes see that the import is running. Default: not recorded. */
  owner?: Owner;
  /**
   * Called when all rows are added and none may be called yet; a resumed import calls it again. Calling `seen` renews
   * the heartbeat of the import.
   */
  beforeFinish?: (list: List, seen: () => Promise<void>) => Promise<void>;
  /** Aborts to interrupt the import; it can be resumed. */
  signal?: AbortSignal | undefined;
  clock: Clock;
  newId: NewId;
  /** The folder of the rejects file; made when it is missing. */
  rejectsDir: string;
  /** Called after every transaction with the number of data rows done. */
  onProgress?: (rows: { done: number; total: number }) => void;
}

/** The rows of a list after its import: `added + alreadyThere = good`. */
export interface ImportReport extends RowCounts, ColumnHeaders {
  list: List;
  /** True when a list of the same bytes was imported into the campaign before, wholly or in part. */
  resumed: boolean;
  added: number;
  /** Rows of this list that an earlier import has added. */
  alreadyThere: number;
  /** Leads of earlier lists whose cells, place or further numbers changed; calls already made keep the old ones. */
  corrected: number;
  /** Leads of earlier lists that are no longer called because of this list. */
  stopped: number;
  /** Null when no row was rejected. */
  rejectsPath: string | null;
}

/**
 * Imports a list into a campaign. The same bytes are the same list: leads that an earlier import added stay; rows that
 * the earlier import did not reach, or rejected because no country was given, are added now. Its leads may be called
 * only once the whole list is in the store and its rejected rows are on disk.
 * @param scanned the list as `surveyList` has just read it, with the same country and policy
 * @throws AppError `LIST_CHANGED`, `COUNTRY_UNKNOWN`, `REJECTS_NOT_WRITABLE`, `LIST_UNFINISHED`
 */
export async function importList(
  store: Store,
  campaignId: string,
  scanned: ScannedList,
  options: ImportOptions,
): Promise<ImportReport> {
  const country = options.country === null ? null : requireCountry(options.country);
  const { list, resumed } = await beginList(store, campaignId, scanned, options);
  const rejects = openRejects(options.rejectsDir, list);
  const counts = newCounts();
  const throttle = await importThrottle(store, options.clock);
  let [added, corrected, stopped] = [0, 0, 0];
  const seen = sayWhoImports(store, list, options);
  // The next batch is read and judged while the last one is written.
  let writing: Promise<void> = Promise.resolve();

  async function write(chunk: ListRow[]): Promise<void> {
    const answer = await addRows(store, { list, resumed, campaignId }, chunk);
    added += answer.added;
    corrected += answer.corrected;
    stopped += answer.stopped;
    for (const row of answer.rows) countRow(counts, row);
    await rejects.add(answer.rows.flatMap(toRejectedRow));
    options.onProgress?.({ done: counts.rows, total: scanned.rows });
    await seen();
    // Where nothing was written, no runner had to wait, so this import need not rest.
    if (answer.wrote) await throttle.rest();
  }

  try {
    const rows = readRows(scanned, { ...options, country, now: options.clock.now() });
    for await (const chunk of inBatches(rows, throttle.rows)) {
      await writing;
      options.signal?.throwIfAborted();
      writing = write(chunk);
      // The next `await writing` throws the error; without this handler Node would report an unhandled rejection first.
      writing.catch(() => undefined);
    }
    await writing;
    options.signal?.throwIfAborted();
    const rejectsPath = await rejects.keep();
    await options.beforeFinish?.(list, seen);
    const { good, rejected, duplicates, suppressed } = counts;
    await store.finishList(list.id, { good, rejected, duplicates, suppressed });
    const finished = (await store.lists(campaignId)).find(({ id }) => id === list.id) ?? list;
    const alreadyThere = good - added;
    const columns = columnHeaders(scanned);
    const leads = { added, alreadyThere, corrected, stopped };
    return { ...counts, ...columns, ...leads, list: finished, resumed, rejectsPath };
  } finally {
    await writing.catch(() => undefined);
    await rejects.discard();
    scanned.memory.forget();
  }
}

const SAY_AGAIN_MS = 1_000;

/** Writes the import's heartbeat, at most once a second; without it other processes regard the import as interrupted. */
function sayWhoImports(
  store: Store,
  { id }: List,
  { owner, clock }: ImportOptions,
): () => Promise<void> {
  let saidAt = clock.monotonic();
  return async () => {
    if (owner === undefined || clock.monotonic() - saidAt < SAY_AGAIN_MS) return;
    saidAt = clock.monotonic();
    await store.importSeen(id, owner, clock.now());
  };
}

/** Refuses to begin while another list of the campaign is unfinished: nobody is called before that list is complete. */
async function beginList(
  store: Store,
  campaignId: string,
  { path, file, sha256, headers, mapping }: ScannedList,
  { newId, clock, asOf = null, complete, owner, ...given }: ImportOptions,
): Promise<{ list: List; resumed: boolean }> {
  const open = (await store.lists(campaignId)).find(
    (list) => list.finishedAt === null && !isSent(list) && list.sha256 !== sha256,
  );
  if (open !== undefined) {
    const what = `the import of ${open.path} into this campaign is not finished (now or broken off)`;
    throw usageError(
      'LIST_UNFINISHED',
      `${what}; ${path} can be added after it.`,
      `import ${open.path} again as it was, or begin another campaign with --name`,
    );
  }
  const id = newId('list');
  const at = clock.now();
  const { size: bytes } = await stat(file);
  const importer = owner === undefined ? null : { ...owner, seenAt: at };
  const { encoding = null, sheet = null, delimiter = null } = given;
  const read = { encoding, sheet, delimiter, file: file === path ? null : file };
  const how = { mapping, asOf, bytes, ...read, complete: complete === true, importer };
  const list = await store.beginList(campaignId, { id, path, sha256, headers, at, ...how });
  return { list, resumed: list.id !== id };
}

/**
 * Rows for the rejects file: those that the operator can correct. Rows of leads from other lists and of suppressed
 * numbers are in the results instead: here, the rejects of a list that grows every night would repeat the whole list.
 */
export function toRejectedRow(row: ListRow): RejectedRow[] {
  if (row.kind === 'good' || row.kind === 'suppressed') return [];
  if (row.refusal.code === 'already_in_campaign') return [];
  return [{ line: row.line, cells: row.cells, reason: row.refusal.text }];
}
