import { readThrough } from './sheets.ts';
import { numberFormat, type NumberFormat } from './number-format.ts';
import type { Part } from './parts.ts';
import { attribute } from './xml.ts';

/** The format of the cells of each style, by its number; see `GENERAL` for those that have none. */
export type Styles = readonly NumberFormat[];

/** Numbers as they are. */
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

/** The code of a format that needs none in the file: a day or a time; any other is a number as it is. */
function builtIn(id: number): string {
  return BUILT_IN.find(([from, to]) => id >= from && id <= to)?.[2] ?? 'General';
}

/**
 * Numbers of formats, from and to, that are days and times (ECMA-376 part 1, 18.8.30): those of all languages, of East
 * Asian ones (27 to 36 and 50 to 58: a day or a time by language) and of Thai (71 to 81). Of a code counts only
 * whether it shows a day, a time of day or an elapsed time.
 */
const BUILT_IN: readonly (readonly [from: number, to: number, code: string])[] = [
  [14, 17, 'd/m/yyyy'],
  [18, 21, 'h:mm:ss'],
  [22, 22, 'd/m/yyyy h:mm'],
  [27, 36, 'd/m/yyyy'],
  [45, 45, 'mm:ss'],
  [46, 46, '[h]:mm:ss'],
  [47, 47, 'mm:ss'],
  [50, 58, 'd/m/yyyy'],
  [71, 74, 'd/m/yyyy'],
  [75, 77, 'h:mm:ss'],
  [78, 78, 'd/m/yyyy h:mm'],
  [79, 79, 'mm:ss'],
  [80, 80, '[h]:mm:ss'],
  [81, 81, 'mm:ss'],
];
