import { callKind } from './call-columns.ts';
import { foldWords } from '../../text/normalize.ts';
import { isMissing, looksLikeNumber } from '../phone/phone-cell.ts';
import { numberNamed } from './number-words.ts';

/** A column of numbers, by its name. */
export interface PhoneColumn {
  index: number;
  /** Whose number it is; the smallest is called first. Equal ones are told apart by the operator only. */
  rank: number;
}

/** Of the cells that are filled in, so many must look like numbers. */
const MOST = 0.6;

/** The columns whose names say that they hold a number to call, the better ones first. */
export function phoneColumnsByName(headers: readonly string[]): PhoneColumn[] {
  return headers
    .flatMap((header, index) => {
      const rank = rankOf(header);
      return typeof rank === 'number' ? [{ index, rank }] : [];
    })
    .sort((a, b) => a.rank - b.rank || a.index - b.index);
}

/** The columns whose names say that their numbers are somebody else's, or nobody's any more. */
export function othersColumnsByName(headers: readonly string[]): number[] {
  return headers.flatMap((header, index) => (rankOf(header) === 'notTheirs' ? [index] : []));
}

/** True when a column holds numbers, by the rows at the beginning of the list; undefined when it is empty there. */
export function holdsNumbers(
  rows: readonly (readonly string[])[],
  index: number,
): boolean | undefined {
  const cells = rows.map((cells) => (cells[index] ?? '').trim()).filter((cell) => !isMissing(cell));
  if (cells.length === 0) return undefined;
  return cells.filter(looksLikeNumber).length >= cells.length * MOST;
}

/** A number that must not be called has a name of numbers, too: `DNC Phone`, `Blacklisted mobile`. */
function rankOf(header: string): ReturnType<typeof numberNamed> {
  const rank = numberNamed(foldWords(header));
  return rank !== undefined && callKind(header) === 'doNotCall' ? undefined : rank;
}
