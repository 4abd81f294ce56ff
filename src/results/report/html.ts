import { shownText } from '../../domain/safe-text.ts';

/** A piece of HTML; the template `html` escapes every value in it that is not such a piece itself. */
export interface Html {
  readonly html: string;
}

type Part = string | number | Html | null | readonly Html[];

/** `html\`<p>${text}</p>\``: texts are escaped, pieces and lists of pieces are inserted unchanged. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { html: texts.reduce((all, text, i) => all + toHtml(parts[i - 1] ?? null) + text) };
}

function toHtml(part: Part): string {
  if (part === null) return '';
  if (typeof part === 'string') return escaped(part);
  if (typeof part === 'number') return String(part);
  return 'html' in part ? part.html : part.map((piece) => piece.html).join('');
}

function escaped(text: string): string {
  // Replaces characters that HTML forbids, and those that would reverse the direction of the text.
  return shownText(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
