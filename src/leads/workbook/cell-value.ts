import { durationOf, momentOf } from './dates.ts';
import { broken } from './fault.ts';
import type { NumberFormat, NumberKind } from './number-format.ts';

/** A cell as its sheet writes it. */
export interface StoredCell {
  /** Of the cell's value: `n` (default), `s`, `str`, `inlineStr`, `b`, `e` or `d`. */
  type: string;
  /** What is in `<v>`; null: there is none. */
  value: string | null;
  /** The text of `<is>`; null: there is none. */
  inline: string | null;
  /** What is in `<f>`; null: it is no formula. */
  formula: string | null;
  format: NumberFormat;
}

export interface CellSource {
  is1904: boolean;
  /** The texts that cells share, by number. */
  texts: readonly string[];
}

/**
 * The text of a cell: texts as they are, numbers whole (a spreadsheet only shows them shortened), days as
 * `2026-01-05`, times as `10:30:00`, both as `2026-01-05 10:30:00`, `TRUE` and `FALSE`, errors such as `#N/A`.
 * A formula whose result the workbook does not hold is its own text, `=A1&B1`: never an empty cell.
 *
 * @throws WorkbookFault where it refers to a text that is not there
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

/** Decodes `_x000D_`, which stands for a character that XML forbids (`_x005F_` escapes it); zero characters are removed. */
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

/** ISO 8601, the way of the strict format: `2026-01-05T00:00:00` is a day. */
function plainMoment(stored: string): string {
  return stored.replace(/T00:00(?::00(?:[.,]0+)?)?Z?$/, '').replace('T', ' ');
}

function numberText(stored: string, format: NumberFormat, is1904: boolean): string {
  const value = Number(stored);
  if (!/^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(stored)) return stored;
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
 * Workbooks store numbers as they please: `2.125550123E9` is 2125550123, and 3.1400000000000001 is 3.14. One of more
 * than 15 digits has lost the others already, and stays `9.19E+15`, which nobody takes for a phone number.
 */
function wholeNumber(stored: string, value: number): string {
  if (/^[-+]?\d+$/.test(stored)) return stored;
  if (Number.isSafeInteger(value)) return String(value);
  return Number.isInteger(value) || Math.abs(value) < 1e-6 ? stored : String(value);
}
