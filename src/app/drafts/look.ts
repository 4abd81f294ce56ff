import type { ListMapping } from '../../domain/lists/list-mapping.ts';
import { lookAtList, type ListLook } from '../../leads/rows/look-at-list.ts';
import { columnsUndecided, frequentIn } from '../../leads/rows/column-questions.ts';
import { sheetsOf } from '../../leads/workbook/rows.ts';
import { AppError } from '../../runtime/errors.ts';
import type { Upload } from '../../store/console.ts';
import { columnLines } from '../sentences/import-lines.ts';
import { choicesFor, chosenColumns, meaningOf, type Meaning } from './column-meanings.ts';
import { listInput, type DraftInput, type OpenDraft } from './draft.ts';
import { listNames, withNames } from './list-names.ts';

/** What was found of one uploaded list, and what its columns are taken for. */
export interface UploadLook {
  upload: string;
  name: string;
  /** Null: the file is no list. */
  look: SeenList | null;
  columns: {
    /** Its place, e.g. `#3`. */
    column: string;
    header: string;
    samples: string[];
    /** Its most frequent values, with how many rows have each; null: too many different ones. */
    frequent: string | null;
    meaning: Meaning;
    /** Of numbers to call: which is tried first, from 1. */
    order: number | null;
    chosen: boolean;
  }[];
  /** Which column holds what, and warnings. */
  sentences: string[];
  /** Why the list cannot be read as it is chosen. */
  problem: AppError | null;
}

/** Looks at each upload of a draft: a file that is no list does not hide the others. */
export async function lookAtDraft({ uploads, body }: OpenDraft): Promise<UploadLook[]> {
  const names = listNames(uploads);
  const all: UploadLook[] = [];
  for (const upload of uploads) {
    const name = names.get(upload.id) ?? upload.name;
    const input = body.lists[upload.id] ?? listInput.parse({});
    all.push(await lookAtOne(upload, name, input));
  }
  return all;
}

async function lookAtOne(upload: Upload, name: string, input: DraftInput): Promise<UploadLook> {
  const of = { upload: upload.id, name };
  try {
    const look = await withNames([upload], () => seeList(upload.path, name, input));
    return { ...of, look, ...columnsOf(look, name, input) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { ...of, look: null, columns: [], sentences: [], problem: error };
  }
}

/** A list as it was read, with the sheets of a workbook. */
export interface SeenList extends ListLook {
  sheet: string | null;
  sheets: { name: string; isHidden: boolean }[];
}

/** Lists that were looked at lately: an upload never changes, so that what was found of it holds. */
const seen = new Map<string, Promise<SeenList>>();
const MOST_SEEN = 50;

/** @throws AppError those of `lookAtList` */
export function seeList(file: string, name: string, input: DraftInput): Promise<SeenList> {
  const { encoding, delimiter, sheet } = input;
  const key = JSON.stringify([file, name, encoding, delimiter, sheet]);
  const known = seen.get(key);
  if (known !== undefined) return known;
  const [oldest] = seen.keys();
  if (seen.size >= MOST_SEEN && oldest !== undefined) seen.delete(oldest);
  const reading = readList(file, name, input);
  seen.set(key, reading);
  // What failed is tried again: the disk may be back.
  reading.catch(() => seen.delete(key));
  return reading;
}

async function readList(file: string, name: string, input: DraftInput): Promise<SeenList> {
  const { encoding, delimiter, sheet } = formatOptions(input);
  const look = await lookAtList(name, { file, encoding, delimiter, sheet });
  if (look.format.kind === 'text') return { ...look, sheet: null, sheets: [] };
  const { sheets, chosen } = await sheetsOf(file, look.format.sheet);
  return { ...look, sheet: chosen, sheets };
}

/** As the importer takes them. */
export function formatOptions({ encoding, delimiter, sheet }: DraftInput) {
  return {
    encoding: encoding ?? undefined,
    delimiter: delimiter ?? undefined,
    sheet: sheet ?? undefined,
  };
}

/** What the list says by itself; null: it does not say which column is called. */
export function foundIn(look: ListLook): ListMapping | null {
  try {
    return look.mapBy([]);
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

function columnsOf(look: SeenList, path: string, input: DraftInput) {
  const { headers, samples, warnings, cells } = look;
  const found = foundIn(look);
  const chosen = chosenColumns(input, headers);
  let mapping = found;
  let problem: AppError | null = null;
  try {
    mapping = look.mapBy(choicesFor(chosen, found));
    problem = columnsUndecided({ path, headers, mapping }, cells) ?? null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    problem = error;
  }
  const isGood = problem === null && mapping !== null;
  return {
    problem,
    sentences:
      isGood && mapping ? columnLines({ path, headers, mapping, samples, warnings }, cells) : [],
    columns: headers.map((header, index) => {
      const place = mapping?.phones.indexOf(index) ?? -1;
      const taken = mapping === null ? 'keep' : meaningOf(mapping, index);
      return {
        column: `#${index + 1}`,
        header,
        samples: samples[index] ?? [],
        frequent: frequentIn(cells, index),
        // What was chosen is shown as chosen, also where it cannot be read so.
        meaning: problem === null ? taken : (chosen.get(index) ?? taken),
        order: place === -1 ? null : place + 1,
        chosen: chosen.has(index),
      };
    }),
  };
}
