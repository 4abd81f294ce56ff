import { DAY_MS } from '../../domain/time-units.ts';
import { attribute, broken, type Part } from './parts.ts';
import { readThrough } from './sheets.ts';

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
 * `2026-01-05`, times as `10:30:00`, both as `2026-01-05 10:30:00`, `TRUE` and `FALSE`, errors such as `#N/A`. A
 * formula without a stored result becomes the text of the formula, `=A1&B1`, never an empty cell.
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

/** 9999-12-31, the last day that a workbook knows (its serial in the 1900 system). */
const LAST_DAY = 2_958_465;

/** Days between the two date systems: serial 0 of the 1904 system is serial 1462 of the 1900 system. */
const FROM_1904 = 1_462;

/**
 * Converts a serial number to a day and a time of day, to the millisecond: the integer part counts days, the fraction
 * is the time (ECMA-376 part 1, 18.17.4). In the 1900 system serial 1 is 1900-01-01, and serial 60 is 1900-02-29, a day
 * that did not exist but that spreadsheets show; in the 1904 system serial 0 is 1904-01-01.
 * @returns `2026-01-05` and `10:30:00` or `10:30:00.250`; `day` is null for serials below 1 of the 1900 system, `time`
 *   is null at midnight of a day. Undefined for a serial that is negative or after 9999-12-31
 */
export function momentOf(serial: number, is1904: boolean) {
  const ms = Math.round((is1904 ? serial + FROM_1904 : serial) * DAY_MS);
  const days = Math.floor(ms / DAY_MS);
  if (!(serial >= 0) || days > LAST_DAY) return undefined;
  const day = dayOf(days);
  const ofDay = ms - days * DAY_MS;
  return { day, time: ofDay === 0 && day !== null ? null : clock(ofDay) };
}

/** A duration in days as text, e.g. `26:30:00` for 1.104166; undefined where it is negative or not a safe number. */
export function durationOf(serial: number): string | undefined {
  const ms = Math.round(serial * DAY_MS);
  return ms >= 0 && Number.isSafeInteger(ms) ? clock(ms) : undefined;
}

function dayOf(days: number): string | null {
  if (days === 0) return null;
  if (days === 60) return '1900-02-29';
  // 1900-02-29 did not exist but has serial 60, so the serials of all later days are one too high.
  const since1900 = days > 60 ? days - 2 : days - 1;
  return new Date(Date.UTC(1900, 0, 1) + since1900 * DAY_MS).toISOString().slice(0, 10);
}

function clock(ms: number): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const whole = `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1_000) % 60)}`;
  const rest = ms % 1_000;
  return rest === 0 ? whole : `${whole}.${String(rest).padStart(3, '0')}`;
}

/** How a number format shows a number, and thus what the number is. */
type NumberKind =
  /** An ordinary number, taken as it is stored. */
  | { kind: 'number' }
  /** A day or a time; `hasDay`: the format shows year, month or day; `isElapsed`: hours may exceed 24. */
  | { kind: 'moment'; hasDay: boolean; isElapsed: boolean }
  /** Digits of a code or a phone number: `00000` pads to five digits, `"+"0` puts a + in front. */
  | { kind: 'digits'; prefix: string; atLeast: number };

/** A format may treat numbers differently by sign or condition. */
type NumberFormat = (value: number) => NumberKind;

/**
 * Reads a format code such as `[$-409]d/m/yy h:mm AM/PM;@` (ECMA-376 part 1, 18.8.31): up to four sections, for
 * positive, negative and zero numbers and for texts, or with conditions such as `[<=9999999]`.
 */
export function numberFormat(code: string): NumberFormat {
  const sections = sectionsOf(code).map(readSection);
  const [first, second = first, third = first] = sections;
  const kinds = new Set(sections.map(({ kind }) => JSON.stringify(kind)));
  if (first === undefined || kinds.size <= 1) return () => first?.kind ?? NUMBER;
  if (sections.some(({ holds }) => holds !== undefined)) {
    return (value) => (sections.find(({ holds }) => holds?.(value) ?? true) ?? first).kind;
  }
  return (value) => ((value > 0 ? first : value < 0 ? second : third) ?? first).kind;
}

const NUMBER: NumberKind = { kind: 'number' };

/** Tokens of a format code: quoted and escaped text, fillers, brackets, and every other character by itself. */
const TOKENS =
  /"([^"]*)"?|\\(.)|[_*].|\[([^[\]]*)\]|(general|standard)|(AM\/PM|A\/P|上午\/下午)|([\s\S])/giu;

function sectionsOf(code: string): RegExpExecArray[][] {
  const sections: RegExpExecArray[][] = [[]];
  for (const token of code.matchAll(TOKENS)) {
    if (token[0] === ';') sections.push([]);
    else sections.at(-1)?.push(token);
  }
  return sections;
}

function readSection(tokens: RegExpExecArray[]) {
  /** The section without literal text: date letters and digit placeholders. */
  let code = '';
  let shown = '';
  let hasDigits = false;
  let holds: ReturnType<typeof conditionOf>;
  for (const [, quoted, escaped, bracket, general, noon, plain] of tokens) {
    if (quoted !== undefined || escaped !== undefined) shown += quoted ?? escaped ?? '';
    else if (bracket !== undefined) {
      holds ??= conditionOf(bracket);
      if (/^(?:h+|m+|s+)$/i.test(bracket)) code += `[${bracket.toLowerCase()}]`;
    } else if (general !== undefined) shown += 'General';
    else if (noon !== undefined) code += 'p';
    else if (/[ymdhsbge0#?.,%/@]/i.test(plain ?? '')) {
      // The line break marks where the digits begin: text before them, such as a country code, belongs to the number.
      if (!hasDigits && /[0#?]/.test(plain ?? '')) {
        hasDigits = true;
        shown += '\n';
      }
      code += (plain ?? '').toLowerCase();
    } else shown += plain ?? '';
  }
  return { kind: momentKind(code) ?? digitsKind(code, shown) ?? NUMBER, holds };
}

/** The condition in brackets; undefined where the brackets hold something else. */
function conditionOf(bracket: string): ((value: number) => boolean) | undefined {
  const [, sign, text] = /^(<=|>=|<>|<|>|=)\s*(-?[\d.]+)$/.exec(bracket.trim()) ?? [];
  const limit = Number(text);
  if (sign === undefined) return undefined;
  return (value) =>
    (sign.includes('<') && value < limit) ||
    (sign.includes('=') && value === limit) ||
    (sign.includes('>') && value > limit);
}

/** A format with digit placeholders, except for fractions of a second, is not a date: `0.00 USD` has a `d`, too. */
function momentKind(code: string): NumberKind | undefined {
  const letters = code.replace(/(s\]?)[.,]0+/g, '$1');
  if (/[0#?@%]/.test(letters)) return undefined;
  const runs = letters.match(/\[?(?:y+|m+|d+|h+|s+|b+|g+|e+)\]?/g) ?? [];
  const isMonth = (at: number) =>
    !/^\[?h/.test(runs[at - 1] ?? '') && !/^\[?s/.test(runs[at + 1] ?? '');
  const hasDay = runs.some((run, at) => /^[ydbge]/.test(run) || (run[0] === 'm' && isMonth(at)));
  if (!hasDay && !runs.some((run) => /^\[?[hms]/.test(run))) return undefined;
  return { kind: 'moment', hasDay, isElapsed: !hasDay && letters.includes('[') };
}

/** The kind `digits`, only where the format shows nothing but placeholders, digits and separators of phone numbers. */
function digitsKind(code: string, shown: string): NumberKind | undefined {
  if (!/^[0#?]+$/.test(code) || !/^[\d\s()+./-]*$/.test(shown)) return undefined;
  const prefix = (shown.split('\n')[0] ?? '').replace(/[^\d+]/g, '');
  return { kind: 'digits', prefix, atLeast: code.replaceAll(/[^0]/g, '').length };
}

/** The number format of a cell style by its index; what is no style of the workbook has the format `General`. */
export type Styles = (index: number) => NumberFormat;

export const GENERAL = numberFormat('General');

/** The longest format code that spreadsheets take, in characters; a longer one counts as `General`. */
const MOST_FORMAT = 255;

/** @throws WorkbookFault */
export async function readStyles(part: Part | undefined): Promise<Styles> {
  const codes = new Map<string, string>();
  const ids: string[] = [];
  const formats = new Map<string, NumberFormat>();
  if (part === undefined) return () => GENERAL;
  await readThrough(part, {
    open: (name, parent, attributes) => {
      const id = attribute(attributes, 'numFmtId') ?? '0';
      if (name === 'numFmt' && parent === 'numFmts') {
        const code = attribute(attributes, 'formatCode') ?? '';
        codes.set(id, code.length > MOST_FORMAT ? 'General' : code);
      }
      if (name === 'xf' && parent === 'cellXfs') ids.push(id);
    },
  });
  // Read when a cell has the style: a workbook may have a million styles, and its cells use few.
  return (index) => {
    const id = ids[index];
    if (id === undefined) return GENERAL;
    const known = formats.get(id) ?? numberFormat(codes.get(id) ?? builtIn(Number(id)));
    formats.set(id, known);
    return known;
  };
}

/** The code of a built-in format, which the file does not define: a day or a time, else `General`. */
function builtIn(id: number): string {
  return Object.entries(BUILT_IN).find(([, ids]) => ids.includes(id))?.[0] ?? 'General';
}

/**
 * IDs of built-in formats for days and times (ECMA-376 part 1, 18.8.30): those of all languages, of East Asian ones (27
 * to 36 and 50 to 58: a day or a time by language) and of Thai (71 to 81). The codes here are simplified: they only
 * show whether the format is for a day, a time of day or an elapsed time.
 */
const BUILT_IN: Readonly<Record<string, readonly number[]>> = {
  'd/m/yyyy': [
    14, 15, 16, 17, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58, 71,
    72, 73, 74,
  ],
  'd/m/yyyy h:mm': [22, 78],
  'h:mm:ss': [18, 19, 20, 21, 45, 47, 75, 76, 77, 79, 81],
  '[h]:mm:ss': [46, 80],
};
