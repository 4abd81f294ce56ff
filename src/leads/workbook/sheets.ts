import { posix } from 'node:path';
import {
  attribute,
  isTrue,
  MOST_OTHER_BYTES,
  readXml,
  resolvePart,
  WorkbookFault,
  type Part,
  type Parts,
  type XmlHandler,
} from './parts.ts';

export type Book = Awaited<ReturnType<typeof openBook>>;

export interface Sheet {
  name: string;
  isHidden: boolean;
  /** False for a chart, a dialogue or macros. */
  hasCells: boolean;
  /** Undefined: the workbook lists the sheet, but the part is missing. */
  part: Part | undefined;
}

const MOST_SHEETS = 1_000;
const MOST_RELATIONS = 10_000;

/**
 * Finds the parts of a workbook by their relations (ECMA-376 part 2, 6.5), as their names are not fixed.
 * @throws WorkbookFault where the file is not a workbook, or has no sheet
 */
export async function openBook(parts: Parts) {
  const main = await mainPart(parts);
  const relations = await relationsOf(parts, main.name);
  const target = (type: string) => {
    const found = relations.find((relation) => relation.type === type);
    return found && parts.find(found.target);
  };
  const book = {
    /** In the order of their tabs. */
    sheets: [] as Sheet[],
    /** True: the workbook counts days from 1904, not from 1900. */
    is1904: false,
    /** The part with the shared texts, and the part with the number formats; undefined where missing. */
    texts: target('sharedStrings'),
    styles: target('styles'),
  };
  await readThrough(main, {
    open: (name, parent, attributes) => {
      if (parent === '' && name !== 'workbook') throw noWorkbook();
      // Extensions have an element of the same name below another parent.
      if (name === 'workbookPr' && parent === 'workbook') {
        book.is1904 = isTrue(attribute(attributes, 'date1904'));
      }
      if (name !== 'sheet' || parent !== 'sheets') return;
      if (book.sheets.length === MOST_SHEETS) throw tooMany(`${MOST_SHEETS} sheets`);
      const relation = relations.find(({ id }) => id === attribute(attributes, 'id'));
      book.sheets.push({
        name: attribute(attributes, 'name') ?? '',
        isHidden: /^(?:veryH|h)idden$/.test(attribute(attributes, 'state') ?? ''),
        hasCells: relation === undefined || relation.type === 'worksheet',
        part: relation && parts.find(relation.target),
      });
    },
  });
  if (!book.sheets.some(({ hasCells }) => hasCells)) {
    throw new WorkbookFault('is a workbook without a sheet of cells');
  }
  return book;
}

/** Reads a part to its end. @param most the most bytes that the part may have */
export async function readThrough(
  { name, read }: Part,
  handler: XmlHandler,
  most = MOST_OTHER_BYTES,
): Promise<void> {
  const pieces = readXml(name, read(most), handler, () => undefined);
  while ((await pieces.next()).done !== true);
}

async function mainPart(parts: Parts): Promise<Part> {
  const relations = await relationsOf(parts, '');
  const named = relations.find(({ type }) => type === 'officeDocument')?.target;
  if (named?.toLowerCase().endsWith('.bin') === true) {
    const next = 'save it as .xlsx, or as "CSV UTF-8"';
    throw new WorkbookFault('is a workbook of the binary kind (.xlsb)', next);
  }
  const part =
    (named === undefined ? undefined : parts.find(named)) ?? parts.find('xl/workbook.xml');
  if (part === undefined) throw noWorkbook();
  return part;
}

function noWorkbook(): WorkbookFault {
  const next = 'give a list as CSV, or as a workbook (.xlsx)';
  return new WorkbookFault('is an Office document, but not a workbook', next);
}

function tooMany(what: string): WorkbookFault {
  return new WorkbookFault(`is too large: it has more than ${what}`);
}

/** Characters; a longer text names no part. */
const LONGEST_TARGET = 1_000;

/** The relations of a part. @param from the name of the part; empty: the archive itself */
async function relationsOf(parts: Parts, from: string) {
  const relations: { id: string | undefined; type: string; target: string }[] = [];
  const part = parts.find(posix.join(posix.dirname(from), '_rels', `${posix.basename(from)}.rels`));
  if (part === undefined) return relations;
  await readThrough(part, {
    open: (name, _, attributes) => {
      if (name !== 'Relationship' || attribute(attributes, 'TargetMode') === 'External') return;
      if (relations.length === MOST_RELATIONS) throw tooMany(`${MOST_RELATIONS} relations`);
      const target = attribute(attributes, 'Target') ?? '';
      if (target.length > LONGEST_TARGET) return;
      // The last segment of the type's URI is the same in the strict and the transitional format.
      const type = posix.basename(attribute(attributes, 'Type') ?? '');
      const resolved = resolvePart(from, target);
      // Some writers give a path from the root without the leading slash.
      const isThere = parts.find(resolved) !== undefined;
      relations.push({
        id: attribute(attributes, 'Id'),
        type,
        target: isThere ? resolved : resolvePart('', target),
      });
    },
  });
  return relations;
}
