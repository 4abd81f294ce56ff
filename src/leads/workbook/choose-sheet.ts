import { type AppError, usageError } from '../../runtime/errors.ts';
import { someOf } from '../../text/plural.ts';
import type { Book, Sheet } from './sheets.ts';

/**
 * The sheet that is named, else the first visible one.
 *
 * @param wanted its name; the case does not matter, as it does not in a spreadsheet
 * @throws AppError `SHEET_UNKNOWN` with the names there are
 */
export function chooseSheet(path: string, { sheets }: Book, wanted: string | null): Sheet {
  const named = (one: Sheet) => one.name.toLowerCase() === wanted?.toLowerCase();
  const found =
    wanted === null
      ? sheets.find((one) => one.hasCells && !one.isHidden)
      : (sheets.find(({ name }) => name === wanted) ?? sheets.find(named));
  if (found?.hasCells === true) return found;
  const names = listed(sheets.filter(({ hasCells }) => hasCells));
  const what =
    wanted === null
      ? `shows no sheet; hidden are ${names}`
      : found === undefined
        ? `has no sheet "${wanted}"; it has ${names}`
        : `has no cells in "${wanted}"; sheets with cells are ${names}`;
  throw usageError('SHEET_UNKNOWN', `${path} ${what}.`, 'give one of them with --sheet');
}

/** A warning about sheets that are not read because none was chosen; undefined where there are no others. */
export function unreadSheets({ sheets }: Book, chosen: Sheet): string | undefined {
  const others = sheets.filter((one) => one !== chosen && one.hasCells);
  if (others.length === 0) return undefined;
  return `sheet "${chosen.name}" is read, and not ${listed(others)}; choose with --sheet`;
}

/** A first sheet that is empty, in a workbook that has others. */
export function emptySheet(path: string, { sheets }: Book, chosen: Sheet): AppError | undefined {
  const others = sheets.filter((one) => one !== chosen && one.hasCells);
  if (others.length === 0) return undefined;
  const message = `${path} has nothing in sheet "${chosen.name}"; its other sheets are ${listed(others)}.`;
  return usageError('LIST_EMPTY', message, 'give one of them with --sheet');
}

const MOST_NAMES = 20;

function listed(sheets: readonly Sheet[]): string {
  const names = sheets.map(({ name, isHidden }) => `"${name}"${isHidden ? ' (hidden)' : ''}`);
  return someOf(names, MOST_NAMES);
}
