import { stat } from 'node:fs/promises';

import { zoneKey } from '../domain/calling/zone-key.ts';
import { isSent, type ListMapping } from '../domain/lists/list-mapping.ts';
import { variableColumns, variableIn } from '../domain/lists/person.ts';
import type { E164 } from '../domain/phone.ts';
import type { Clock } from '../runtime/clock.ts';
import { usageError } from '../runtime/errors.ts';
import type { NewId } from '../runtime/random.ts';
import type { List, Owner, PhoneFacts, Store } from '../store/port.ts';
import { columnHeaders, type ColumnHeaders, type KnownBy } from './columns/layout.ts';
import type { ColumnStyles } from './phone/column-styles.ts';
import { requireCountry } from './phone/countries.ts';
import { formatOf, hashOf, type FormatOptions } from './read/list-rows.ts';
import { inBatches, listChanged } from './read/row.ts';
import {
  addRows,
  importThrottle,
  openRejects,
  readRows,
  type RejectedRow,
} from './rows/add-rows.ts';
import {
  scanList,
  type RowProgress,
  type ScannedList,
  type ScanOptions,
} from './rows/first-reading.ts';
import { rowJudge } from './rows/judge-row.ts';
import { countRow, newCounts, type ListRow, type RowCounts } from './rows/list-row.ts';
import type { NumberOptions, PhoneTable } from './rows/row-numbers.ts';
import { rowPersons, rowRefusal } from './rows/row-person.ts';

/** How the file was read is stored with the list, so that an interrupted import can be resumed in the same way. */
export interface ImportOptions extends NumberOptions, FormatOptions {
  /** The day on which the list was up to date (epoch ms); default: unknown. */
  asOf?: number | null;
  /** True: waiting leads that are not on the list leave the campaign. Kept with the list, for a resumed import. */
  complete?: boolean;
  /** The paths of the other lists of one that is complete only together with them. Default: none. */
  with?: string[];
  /** This process, recorded so that other processes see that the import is running. Default: not recorded. */
  owner?: Owner;
  /**
   * Called when all rows are added and none may be called yet; a resumed import calls it again. Calling `seen` renews
   * the heartbeat of the import.
   */
  beforeFinish?: (list: List, seen: () => Promise<void>) => Promise<void>;
  /** Aborts to interrupt the import; it can be resumed. */
  signal?: AbortSignal | undefined;
  /** True: this process has nothing else to do, so each transaction may hold it up for 0.4 s. Default false. */
  hasOwnProcess?: boolean | undefined;
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
  const personOf = rowPersons(scanned.mapping);
  const throttle = await importThrottle(store, options.clock, options.hasOwnProcess);
  let [added, corrected, stopped] = [0, 0, 0];
  const seen = sayWhoImports(store, list, options);
  // The next batch is read and judged while the last one is written.
  let writing: Promise<void> = Promise.resolve();

  async function write(chunk: ListRow[]): Promise<void> {
    const answer = await addRows(store, { list, resumed, campaignId, personOf }, chunk);
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
function sayWhoImports(store: Store, { id }: List, { owner, clock }: ImportOptions) {
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
  { newId, clock, asOf = null, complete, with: others = [], owner, ...given }: ImportOptions,
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
  const importer = owner === undefined ? null : { ...owner, seenAt: at, with: others };
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

export interface SurveyOptions extends Omit<ScanOptions, 'known'>, NumberOptions {
  /** As in `ScanOptions`; `sha256` is that of the list, undefined without `lookUp`. */
  known?: ((list: KnownBy & { sha256: string | undefined }) => ListMapping[]) | undefined;
  /** Asks the store what it knows of these numbers; facts come in the same order. Default: the store knows nothing. */
  lookUp?: ((phones: E164[]) => Promise<PhoneFacts[]>) | undefined;
  /** Called for each reading of the list; what it returns receives the judged rows. */
  watch?: (() => (rows: readonly ListRow[]) => void | Promise<void>) | undefined;
  /** Called after every batch with the number of rows done. */
  onProgress?: ((rows: RowProgress) => void) | undefined;
}

export interface Survey extends RowCounts, ColumnHeaders {
  /** What `importList` needs to import the list right after it. */
  scanned: ScannedList;
  path: string;
  sha256: string;
  /** Good rows whose number the campaign does not have yet. */
  fresh: number;
  /** The first of `fresh`; undefined: there is none. */
  first: Pick<ListRow & { kind: 'good' }, 'phone' | 'cells'> | undefined;
  /** How many of `fresh` are at which place, see `zoneKey` of domain/calling. */
  places: ReadonlyMap<string, number>;
  /** How many of `fresh` are blank in the columns of each name. */
  blanks: ReadonlyMap<string, number>;
  /** All numbers that can be called, and those of people who asked not to be called. */
  phones: PhoneTable;
  /** The numbers in `phones` of people who asked not to be called. */
  asked: PhoneTable;
}

/**
 * Reads a list, judges its rows as `importList` does, and writes nothing. The list is read a second time where some
 * numbers can be read in two ways and the other cells of their column show which way is right.
 */
export async function surveyList(path: string, options: SurveyOptions): Promise<Survey> {
  const country = options.country === null ? null : requireCountry(options.country);
  const { file = path, lookUp, watch, onProgress, known } = options;
  // Leads already added from this list are not duplicates, so the list's hash must be known before rows are judged.
  const expected = lookUp && (await hashOf(file, await formatOf(file, options)));
  const knownBy = known && ((list: KnownBy) => known({ ...list, sha256: expected }));
  let counts = newCounts();
  let fresh = 0;
  let first: Survey['first'];
  let places = new Map<string, number>();
  let blanks = new Map<string, number>();
  const survey = (styles?: ColumnStyles) =>
    scanList(path, { ...options, known: knownBy }, (columns) => {
      if (styles !== undefined) columns.memory.styles = styles;
      const judge = rowJudge(columns, { ...options, country });
      counts = newCounts();
      fresh = 0;
      first = undefined;
      places = new Map();
      blanks = new Map();
      const variables = [...variableColumns(columns.headers)];
      const onRows = watch?.();
      const countFresh = ({ phone, place, cells }: ListRow & { kind: 'good' }) => {
        fresh += 1;
        first ??= { phone, cells };
        for (const [name, at] of variables)
          if (variableIn(cells, at) === '') blanks.set(name, (blanks.get(name) ?? 0) + 1);
        const { zoneKey = UNKNOWN_PLACE } = place ?? {};
        places.set(zoneKey, (places.get(zoneKey) ?? 0) + 1);
      };
      return async (data, progress) => {
        let rows = data.map(judge);
        const good = rows.filter((row) => row.kind === 'good');
        if (lookUp === undefined || expected === undefined) good.forEach(countFresh);
        else {
          const facts = await lookUp(good.map(({ phone }) => phone));
          const isFresh = (fact: PhoneFacts | undefined) =>
            fact?.known === null && fact.suppressed === null;
          for (const [at, row] of good.entries()) if (isFresh(facts[at])) countFresh(row);
          rows = markKnown(rows, facts, expected);
        }
        for (const row of rows) countRow(counts, row);
        await onRows?.(rows);
        onProgress?.(progress);
      };
    });
  const reading = await survey();
  const { sha256, memory } = reading;
  const list = memory.styles.canDecide ? await survey(memory.styles.settle()) : reading;
  if ((expected ?? sha256) !== list.sha256 || sha256 !== list.sha256) throw listChanged(path);
  const { firstLines: phones, asked } = list.memory;
  const found = { path, sha256, fresh, first, places, blanks, phones, asked };
  return { ...counts, ...columnHeaders(list), scanned: list, ...found };
}

const UNKNOWN_PLACE = zoneKey({ zones: [], regions: [] });

/**
 * Marks rows as duplicate or suppressed by what the store knows of their numbers, without writing: the same result as
 * that of `addRows` when the list is imported.
 * @param facts what the store knows of the good rows, in their order
 */
function markKnown(rows: ListRow[], facts: readonly PhoneFacts[], sha256: string): ListRow[] {
  let next = 0;
  return rows.map((row) => {
    const fact = row.kind === 'good' ? facts[next++] : undefined;
    if (row.kind !== 'good' || fact === undefined) return row;
    const { line, cells, notes, phone } = row;
    const { known } = fact;
    // A lead that an earlier import of this list has added is not a duplicate.
    if (known !== null && known.sha256 !== sha256) {
      const refusal = rowRefusal('already_in_campaign', phone, known.line, known.list);
      return { kind: 'duplicate', line, cells, notes, refusal };
    }
    if (known === null && fact.suppressed !== null) {
      const refusal = rowRefusal('suppressed', phone, fact.suppressed);
      return { kind: 'suppressed', line, cells, notes, phones: [phone], refusal };
    }
    if (fact.elsewhere !== null) {
      const { campaign, line: at, list } = fact.elsewhere;
      const where = `campaign "${campaign}" (line ${at} of ${list})`;
      notes.push({ code: 'other_campaign', text: `line ${line}: ${phone} is in ${where}, too` });
    }
    return row;
  });
}
