import type { Page } from 'playwright-core';

/**
 * What a page shows, in lines: the text of each block with the values of fields and the lengths of bars, and what only
 * labels and titles say. Moments in `<time>` are left out.
 */
export const linesOfPage = (page: Page): Promise<string[]> => page.evaluate<string[]>(LINES);

const LINES = `(() => {
  const BLOCKS = 'P LI TR DT H1 H2 H3 BUTTON OPTION LABEL LEGEND NAV SECTION HEADER FORM UL OL DL SELECT'.split(' ');
  const SAID = ['aria-label', 'title', 'aria-valuenow', 'aria-valuemax'];
  const lines = [];
  let line = '';
  const end = () => {
    const text = line.replaceAll(/\\s+/g, ' ').trim();
    if (text !== '') lines.push(text);
    line = '';
  };
  const walk = (node) => {
    if (node.nodeType === Node.TEXT_NODE) line += node.data;
    if (node.nodeType !== Node.ELEMENT_NODE || ['TIME', 'svg', 'IFRAME'].includes(node.tagName)) return;
    const isBlock = BLOCKS.includes(node.tagName) || node.getAttribute('role') === 'row';
    if (isBlock) end();
    for (const name of SAID)
      if (/\\d/.test(node.getAttribute(name) ?? '')) lines.push(name + ': ' + node.getAttribute(name));
    if (node.tagName === 'INPUT' && node.type !== 'checkbox' && node.type !== 'radio') line += ' [' + node.value + ']';
    const length = /(?:width|height): ([\\d.]+%)/.exec(node.getAttribute('style') ?? '');
    if (length) line += ' |' + length[1] + '| ';
    line += ' ';
    for (const child of node.childNodes) walk(child);
    line += ' ';
    if (isBlock && node.tagName !== 'DT') end();
  };
  walk(document.body);
  end();
  return lines;
})()`;

/** The lines of a page that is a file, without what only draws. */
export function linesOfHtml(html: string): string[] {
  return html
    .replaceAll(/<(style|time|svg|title)\b.*?<\/\1>/gs, ' ')
    .replaceAll(/<\/(div|section|tr|li|h\d|p|summary|header|footer)>/g, '\n\n')
    .replaceAll(/<[^>]*>/g, ' ')
    .split('\n\n')
    .map((line) => line.replaceAll(/\s+/g, ' ').trim());
}

/** Each number of an answer of the API after its path, `dials.made 12`, and each text in which there is one. */
export function linesOfJson(value: unknown, path: readonly string[] = []): string[] {
  if (typeof value === 'number') return [`${path.join('.')} ${value}`];
  if (typeof value === 'string') return [`${path.join('.')}: ${value}`];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, of]) =>
    linesOfJson(of, [...path, Array.isArray(value) ? '*' : key]),
  );
}
