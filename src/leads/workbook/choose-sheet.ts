import { usageError } from '../../runtime/errors.ts';
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

/** The other sheets that have cells, as messages name them; undefined where there are none. */
export function otherSheets({ sheets }: Book, chosen: Sheet): string | undefined {
  const others = sheets.filter((one) => one !== chosen && one.hasCells);
  return others.length === 0 ? undefined : listed(others);
}

const MOST_NAMES = 20;

function listed(sheets: readonly Sheet[]): string {
  const names = sheets.map(({ name, isHidden }) => `"${name}"${isHidden ? ' (hidden)' : ''}`);
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : '';
  return names.slice(0, MOST_NAMES).join(', ') + more;
}
