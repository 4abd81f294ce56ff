import type { CountryCode } from 'libphonenumber-js/max';
import type { ListMapping } from '../../domain/lists/list-mapping.ts';
import { deniesRefusal, isYesOrNo, saysNo } from '../columns/words/answer-words.ts';
import { isStateOfNo } from '../columns/permission-answers.ts';
import type { ListLayout } from '../columns/layout.ts';
import { countryNamed } from '../phone/countries.ts';
import { everyNumber } from '../phone/every-number.ts';
import { padded } from '../read/row.ts';
import type { RejectedRow, RowNote } from './list-row.ts';
import { rowRefusal } from './row-refusal.ts';
import { isRejects, reach, rowAlignment, type Misalignment } from '../columns/row-shape.ts';

/** Written to the rejects file for a cell that the row lacks, so that nobody takes the cell for an empty one. */
export const MISSING = '(missing)';

type Table = Pick<ListLayout, 'headers' | 'shape' | 'mapping'>;

/** As `rowAlignment`; when a rejects file is imported, a cell that is still marked as missing counts as missing. */
export function listAlignment({ headers, shape, mapping }: Table): ReturnType<typeof rowAlignment> {
  const fitOf = rowAlignment(shape, mapping);
  if (!isRejects(headers)) return fitOf;
  return (cells) => {
    const fit = fitOf(cells);
    if (typeof fit === 'object' || !cells.includes(MISSING)) return fit;
    const missing = cells.flatMap((cell, at) => (cell === MISSING ? [at] : []));
    return { kind: 'short', by: -missing.length, missing };
  };
}

/**
 * Rejects a row whose cells are not below their headings. If a do-not-call cell may have moved, every place to which it
 * may have moved is read; where one of them says no, every number in the row is suppressed.
 *
 * @param country of numbers without `+`, or null
 */
export function rejectMisaligned(
  { headers, shape, mapping }: Table,
  country: CountryCode | null,
  { line, cells }: { line: number; cells: string[] },
  misfit: Misalignment,
): RejectedRow {
  const isShort = misfit.kind === 'short';
  const width = cells.filter((cell) => cell !== MISSING).length;
  const rejected: RejectedRow = {
    kind: 'rejected',
    line,
    notes: [],
    // Shifted cells are not moved back, so that the operator sees the shift in the rejects file.
    cells: isShort ? padded(cells, headers.length, MISSING) : cells,
    refusal: isShort
      ? rowRefusal('short_row', width, shape, misfit.missing, headers)
      : rowRefusal('shifted_row', width, shape),
  };
  const wish = wishOf(cells, mapping, misfit.by);
  if (wish === undefined) return rejected;
  const homes = new Set([country, ...countriesIn(cells, mapping, misfit.by)]);
  const phones = [...homes].flatMap((home) => cells.flatMap((cell) => everyNumber(cell, home)));
  const [first, ...others] = new Set(phones);
  if (first === undefined) return rejected;
  const { text } = rowRefusal('do_not_call', first, headers[wish.column] ?? '', wish.cell);
  return { ...rejected, doNotCall: { note: text, phones: [first, ...others] } };
}

/** The note on a row that is taken although its last cells are missing. */
export function fewCells(line: number, cells: number, columns: number): RowNote {
  const has = `line ${line} has ${cells} cell${cells === 1 ? '' : 's'}, but there are ${columns} column names`;
  return { code: 'ragged_row', text: `${has}; the missing ones are empty` };
}

/** The column and the cell that ask not to be called; looks at each place to which the cell may have moved. */
function wishOf(cells: readonly string[], mapping: ListMapping, by: number) {
  const { doNotCall, mayCall = [], callStates = [] } = mapping;
  const near = (columns: readonly number[], isNo: (cell: string) => boolean) => {
    for (const column of columns) {
      const at = [column, ...reach(column, by)].find((place) => isNo(cells[place] ?? ''));
      if (at !== undefined) return { column, cell: cells[at] ?? '' };
    }
    return undefined;
  };
  return (
    near(doNotCall, (cell) => isYesOrNo(cell) && !deniesRefusal(cell)) ??
    near(callStates, isStateOfNo) ??
    near(
      mayCall.map(({ column }) => column),
      (cell) => saysNo(cell) || isStateOfNo(cell),
    )
  );
}

function countriesIn(cells: readonly string[], { fields }: ListMapping, by: number): CountryCode[] {
  const { country: column } = fields;
  if (column === undefined) return [];
  return [column, ...reach(column, by)].flatMap((at) => countryNamed(cells[at] ?? '') ?? []);
}
