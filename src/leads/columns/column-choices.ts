import { COLUMN_TARGETS, type ColumnTarget } from '../../domain/lists/list-mapping.ts';
import { usageError } from '../../runtime/errors.ts';
import { normalizeHeader } from '../../text/fold-words.ts';

/** A column that the operator chose with --map. */
export interface ColumnChoice {
  target: ColumnTarget;
  /** A header, `#3` for the third column, or `-` for none. */
  column: string;
}

/**
 * Reads a --map value such as `phone=Mobile Phone`: the target, then a header, `#3` (third column) or `-` (none).
 *
 * @throws AppError `FLAG_INVALID` (exit 2)
 */
export function readChoice(text: string): ColumnChoice {
  const at = text.indexOf('=');
  const name = normalizeHeader(text.slice(0, Math.max(at, 0))).replaceAll(' ', '');
  const target = COLUMN_TARGETS.find((one) => one.toLowerCase() === name);
  const column = text.slice(at + 1).trim();
  if (at !== -1 && target !== undefined && column !== '') return { target, column };
  throw usageError(
    'FLAG_INVALID',
    `--map "${text}" is not FIELD=COLUMN; a field is one of ${COLUMN_TARGETS.join(', ')}.`,
    'for example --map phone="Mobile Phone", or --map phone=#3',
  );
}

/** The index of a chosen column; undefined where the list does not have the column, null for `-`. */
export function columnOf(
  { column }: ColumnChoice,
  headers: readonly string[],
): number | null | undefined {
  if (column === '-') return null;
  const position = /^#(\d{1,5})$/.exec(column)?.[1];
  if (position !== undefined) {
    const index = Number(position) - 1;
    return index >= 0 && index < headers.length ? index : undefined;
  }
  const exact = headers.indexOf(column);
  if (exact !== -1) return exact;
  const plain = normalizeHeader(column);
  const index = headers.findIndex((header) => normalizeHeader(header) === plain);
  return index === -1 ? undefined : index;
}

/** The flag that chooses a column, ready to paste: by the header, or by the position where the header is not unique. */
export function choiceFor(target: ColumnTarget, index: number, headers: readonly string[]): string {
  const header = (headers[index] ?? '').trim();
  const isPlain = header !== '' && !/["`$\\!\r\n]/.test(header);
  const name = normalizeHeader(header);
  const isOnly = headers.filter((one) => normalizeHeader(one) === name).length === 1;
  if (!isPlain || !isOnly) return `--map ${target}=#${index + 1}`;
  return /^[\w.-]+$/.test(header) ? `--map ${target}=${header}` : `--map ${target}="${header}"`;
}
