/** What spreadsheets make of a CSV file, modelled apart from the guards: how they split it, and what they run. */

/** Each by the signs at which it splits; Excel's is the list separator of the country, LibreOffice has several at once. */
export const READERS = {
  'Excel where the decimal sign is a point': ',',
  'Excel where the decimal sign is a comma': ';',
  'Excel with a pipe as list separator': '|',
  'Excel, as text with tabs': '\t',
  LibreOffice: ',;\t',
  'Google Sheets that took the semicolon': ';',
} as const;

/**
 * All cells as a spreadsheet splits them. A quote counts where a cell begins and nowhere else; what follows the
 * closing one belongs to the cell as it is.
 */
export function cellsAsSplit(text: string, separators: string): string[] {
  const cells: string[] = [];
  let at = text.startsWith('\ufeff') ? 1 : 0;
  const isEnd = (sign: string) => separators.includes(sign) || sign === '\r' || sign === '\n';
  while (at < text.length) {
    let cell = '';
    if (text[at] === '"') {
      for (at += 1; at < text.length; at++) {
        if (text[at] === '"' && text[at + 1] !== '"') break;
        if (text[at] === '"') at += 1;
        cell += text[at] ?? '';
      }
      at += 1;
    }
    for (; at < text.length && !isEnd(text[at] ?? ''); at++) cell += text[at] ?? '';
    cells.push(cell);
    at += 1;
  }
  return cells;
}

/**
 * Whether a spreadsheet would run such a cell: it begins with a sign of a formula, seen or in another width, and
 * is more than a number, a phone number (or one and the next cells behind a comma, semicolon or quote, where those do not
 * split: no formula has such a form), or words behind a dash that call and refer to nothing.
 */
export function runs(cell: string): boolean {
  const bare = cell
    .replaceAll(/[\s\p{Cc}\p{Cf}]/gu, '')
    .normalize('NFKC')
    .replaceAll('\u2212', '-');
  if (!/^[=+\-@]/.test(bare)) return false;
  if (bare.startsWith('=')) return true;
  // A sign and then nothing, or the next argument of nothing.
  if (/^[+\-@]+(?:;|$)/.test(bare)) return false;
  // A text right behind a word or a number is no formula.
  if (/^[^"]*[\p{L}\p{N}.?%)]"/u.test(bare)) return false;
  if (/^[+-][\d().,/$€%-]*(?:(?:x|ext\.?|#)\d+)?(?:[/;]\+[\d().-]+)?(?:[,;"].*)?$/.test(bare))
    return false;
  return (
    /[(!|=]/.test(bare) || /^[+\-@]+[\d.]+[+\-*/^&%]/.test(bare) || /^[+@-]\p{L}\$?\d/u.test(bare)
  );
}
