import { callKind } from './permission-columns.ts';
import { foldWords } from '../../text/fold-words.ts';
import { isMissing, looksLikeNumber } from '../phone/phone-cell.ts';
import { numberNamed } from './words/number-words.ts';

/** A phone column, found by its header. */
export interface PhoneColumn {
  index: number;
  /** The smallest rank is called first; between equal ranks the operator chooses. */
  rank: number;
}

/** The least share of the filled cells that must look like phone numbers. */
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

/** The columns whose names say that their numbers belong to somebody else or are out of use. */
export function othersColumnsByName(headers: readonly string[]): number[] {
  return headers.flatMap((header, index) => (rankOf(header) === 'notTheirs' ? [index] : []));
}

/** True when the given rows hold numbers in this column; undefined when the column is empty in all of them. */
export function holdsNumbers(
  rows: readonly (readonly string[])[],
  index: number,
): boolean | undefined {
  const cells = rows.map((cells) => (cells[index] ?? '').trim()).filter((cell) => !isMissing(cell));
  if (cells.length === 0) return undefined;
  return cells.filter(looksLikeNumber).length >= cells.length * MOST;
}

/** The rank of a header; `DNC Phone` and the like are do-not-call columns and have none. */
function rankOf(header: string): ReturnType<typeof numberNamed> {
  const rank = numberNamed(foldWords(header));
  return rank !== undefined && callKind(header) === 'doNotCall' ? undefined : rank;
}
