import { zoneKey } from '../domain/calling/zone-key.ts';
import type { ListMapping } from '../domain/lists/list-mapping.ts';
import { variableColumns, variableIn } from '../domain/lists/row-variables.ts';
import type { E164 } from '../domain/phone.ts';
import type { PhoneFacts } from '../store/port.ts';
import { columnHeaders, type ColumnHeaders, type KnownBy } from './columns/layout.ts';
import type { ColumnStyles } from './phone/column-styles.ts';
import { requireCountry } from './phone/countries.ts';
import { rowRefusal, type RowPlace } from './rows/row-person.ts';
import { rowJudge } from './rows/judge-row.ts';
import type { NumberOptions } from './rows/row-numbers.ts';
import type { ListRow } from './rows/list-row.ts';
import { formatOf, hashOf } from './read/list-rows.ts';
import { listChanged } from './read/row.ts';
import type { PhoneTable } from './rows/list-memory.ts';
import {
  scanList,
  type RowProgress,
  type ScannedList,
  type ScanOptions,
} from './rows/first-reading.ts';
import { countRow, newCounts, type RowCounts } from './rows/row-counts.ts';

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
 * @throws AppError those of `scanList`, `LIST_CHANGED`, `COUNTRY_UNKNOWN`
 */
export async function surveyList(path: string, options: SurveyOptions): Promise<Survey> {
  const country = options.country === null ? null : requireCountry(options.country);
  const { file = path, lookUp, watch, onProgress, known } = options;
  // Leads already added from this list are not duplicates, so the list's hash must be known before rows are judged.
  const expected = lookUp && (await hashOf(file, await formatOf(file, options)));
  const knownBy = known && ((list: KnownBy) => known({ ...list, sha256: expected }));
  let counts = newCounts();
  let fresh = 0;
  let places = new Map<string, number>();
  let blanks = new Map<string, number>();
  const survey = (styles?: ColumnStyles) =>
    scanList(path, { ...options, known: knownBy }, (columns) => {
      if (styles !== undefined) columns.memory.styles = styles;
      const judge = rowJudge(columns, { ...options, country });
      counts = newCounts();
      fresh = 0;
      places = new Map();
      blanks = new Map();
      const variables = [...variableColumns(columns.headers)];
      const onRows = watch?.();
      const countFresh = ({
        place,
        cells,
      }: Pick<ListRow, 'cells'> & { place?: RowPlace | undefined }) => {
        fresh += 1;
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
  const first = await survey();
  const { sha256, memory } = first;
  const list = memory.styles.canDecide ? await survey(memory.styles.settle()) : first;
  if ((expected ?? sha256) !== list.sha256 || sha256 !== list.sha256) throw listChanged(path);
  const { firstLines: phones, asked } = list.memory;
  const found = { path, sha256, fresh, places, blanks, phones, asked };
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
