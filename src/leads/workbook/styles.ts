import { readThrough } from './sheets.ts';
import { numberFormat, type NumberFormat } from './number-format.ts';
import type { Part } from './parts.ts';
import { attribute } from './xml.ts';

/** The number format of each cell style, by index; cells without a known style have the format `GENERAL`. */
export type Styles = readonly NumberFormat[];

/** The format that shows numbers as they are stored. */
export const GENERAL = numberFormat('General');

/** @throws WorkbookFault */
export async function readStyles(part: Part | undefined): Promise<Styles> {
  const codes = new Map<string, string>();
  const ids: string[] = [];
  if (part === undefined) return [];
  await readThrough(part, {
    open: (name, parent, attributes) => {
      const id = attribute(attributes, 'numFmtId') ?? '0';
      if (name === 'numFmt' && parent === 'numFmts') {
        codes.set(id, attribute(attributes, 'formatCode') ?? '');
      }
      if (name === 'xf' && parent === 'cellXfs') ids.push(id);
    },
  });
  const formats = new Map<string, NumberFormat>();
  return ids.map((id) => {
    const known = formats.get(id) ?? numberFormat(codes.get(id) ?? builtIn(Number(id)));
    formats.set(id, known);
    return known;
  });
}

/** The code of a built-in format, which the file does not define: a day or a time, else `General`. */
function builtIn(id: number): string {
  return Object.entries(BUILT_IN).find(([, ids]) => ids.includes(id))?.[0] ?? 'General';
}

/**
 * IDs of built-in formats for days and times (ECMA-376 part 1, 18.8.30): those of all languages, of East Asian ones
 * (27 to 36 and 50 to 58: a day or a time by language) and of Thai (71 to 81). The codes here are simplified: they only
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
