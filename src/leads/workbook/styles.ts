import { readThrough } from './book.ts';
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

/**
 * The formats that need no code, as far as they are days and times (ECMA-376 part 1, 18.8.30): those of all languages,
 * of East Asian ones (27 to 36 and 50 to 58: a day or a time by language) and of Thai (71 to 81).
 */
function builtIn(id: number): string {
  const code = BUILT_IN.get(id);
  if (code !== undefined) return code;
  return (id >= 27 && id <= 36) || (id >= 50 && id <= 58) ? 'yyyy/m/d' : 'General';
}

const BUILT_IN = new Map([
  [14, 'm/d/yyyy'],
  [15, 'd-mmm-yy'],
  [16, 'd-mmm'],
  [17, 'mmm-yy'],
  [18, 'h:mm AM/PM'],
  [19, 'h:mm:ss AM/PM'],
  [20, 'h:mm'],
  [21, 'h:mm:ss'],
  [22, 'm/d/yyyy h:mm'],
  [45, 'mm:ss'],
  [46, '[h]:mm:ss'],
  [47, 'mm:ss.0'],
  [71, 'd/m/yyyy'],
  [72, 'd-mmm-yy'],
  [73, 'd-mmm'],
  [74, 'mmm-yy'],
  [75, 'h:mm'],
  [76, 'h:mm:ss'],
  [77, 'h:mm:ss'],
  [78, 'd/m/yyyy h:mm'],
  [79, 'mm:ss'],
  [80, '[h]:mm:ss'],
  [81, 'mm:ss.0'],
]);
