/** A piece of HTML; whatever is put into it is escaped unless it is such a piece itself. */
export interface Html {
  readonly html: string;
}

type Part = string | number | Html | null | readonly Html[];

/** `html\`<p>${text}</p>\``: text and numbers are escaped, pieces and lists of pieces stand as they are. */
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
  return (
    text
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#39;')
      // Signs that HTML forbids, and that would turn a text around.
      .replaceAll(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, (sign) =>
        /[\n\t]/.test(sign) ? sign : '\u{fffd}',
      )
  );
}
