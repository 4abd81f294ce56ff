import { durationOf, momentOf } from './dates.ts';
import { broken } from './fault.ts';
import type { NumberFormat, NumberKind } from './number-format.ts';

/** A cell as its sheet writes it. */
export interface StoredCell {
  /** The type of the cell's value (ECMA-376): `n` (default), `s`, `str`, `inlineStr`, `b`, `e` or `d`. */
  type: string;
  /** The text of `<v>`; null: there is no `<v>`. */
  value: string | null;
  /** The text of `<is>`; null: there is no `<is>`. */
  inline: string | null;
  /** The text of `<f>`; null: the cell is not a formula. */
  formula: string | null;
  format: NumberFormat;
}

export interface CellSource {
  is1904: boolean;
  /** The shared texts of the workbook, by index. */
  texts: readonly string[];
}

/**
 * The text of a cell: texts unchanged, numbers with all digits (a spreadsheet only displays them shortened), days as
 * `2026-01-05`, times as `10:30:00`, both as `2026-01-05 10:30:00`, `TRUE` and `FALSE`, errors such as `#N/A`.
 * A formula without a stored result becomes the text of the formula, `=A1&B1`, never an empty cell.
 *
 * @throws WorkbookFault where the cell refers to a shared text that does not exist
 */
export function cellText(cell: StoredCell, source: CellSource): string {
  const { type, value, inline, formula, format } = cell;
  if (inline !== null) return unescaped(inline);
  if (lacksResult(cell)) return `=${formula ?? ''}`;
  if (value === null) return '';
  if (type === 'str' || type === 'inlineStr') return unescaped(value);
  const stored = value.trim();
  if (stored === '') return '';
  if (type === 's') return sharedText(stored, source.texts);
  if (type === 'e') return stored;
  if (type === 'b') return /^(?:1|true)$/i.test(stored) ? 'TRUE' : 'FALSE';
  if (type === 'd') return plainMoment(stored);
  return numberText(stored, format, source.is1904);
}

/** True for a formula without a stored result: the program that wrote the file did not calculate it. */
export function lacksResult({ formula, type, value, inline }: StoredCell): boolean {
  if (formula === null || inline !== null) return false;
  return value === null || (type !== 'str' && value.trim() === '');
}

/** Decodes escapes such as `_x000D_` of characters that XML forbids (`_x005F_` is `_`); removes zero characters. */
export function unescaped(text: string): string {
  if (!text.includes('_x')) return text;
  return text
    .replace(/_x([0-9a-f]{4})_/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
    .replaceAll('\0', '');
}

function sharedText(stored: string, texts: readonly string[]): string {
  const text = /^\d+$/.test(stored) ? texts[Number(stored)] : undefined;
  if (text !== undefined) return text;
  throw broken(`a cell is the shared text ${stored}, and it has ${texts.length} of them`);
}

/** An ISO 8601 value of the strict format as plain text: `2026-01-05T00:00:00` becomes `2026-01-05`. */
function plainMoment(stored: string): string {
  return stored.replace(/T00:00(?::00(?:[.,]0+)?)?Z?$/, '').replace('T', ' ');
}

function numberText(stored: string, format: NumberFormat, is1904: boolean): string {
  const value = Number(stored);
  if (!/^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i.test(stored)) return stored;
  const kind = format(value);
  const whole = wholeNumber(stored, value);
  if (kind.kind === 'moment') return momentText(value, kind, is1904) ?? whole;
  if (kind.kind === 'digits' && /^\d+$/.test(whole)) {
    return kind.prefix + whole.padStart(kind.atLeast, '0');
  }
  return whole;
}

function momentText(
  value: number,
  { hasDay, isElapsed }: Extract<NumberKind, { kind: 'moment' }>,
  is1904: boolean,
): string | undefined {
  if (isElapsed) return durationOf(value);
  // A time of day alone is the same in both date systems.
  const moment = momentOf(value, is1904 && (hasDay || value >= 1));
  if (moment === undefined) return undefined;
  return [moment.day, moment.time].filter((part) => part !== null).join(' ');
}

/**
 * Workbooks store one number in different ways: `2.125550123E9` is 2125550123, and 3.1400000000000001 is 3.14. A number
 * of more than 15 digits has already lost the digits beyond, and stays `9.19E+15`, so that it is not taken for a phone
 * number.
 */
function wholeNumber(stored: string, value: number): string {
  if (/^[-+]?\d+$/.test(stored)) return stored;
  if (Number.isSafeInteger(value)) return String(value);
  return Number.isInteger(value) || Math.abs(value) < 1e-6 ? stored : String(value);
}
