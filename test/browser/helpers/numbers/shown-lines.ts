import type { Page } from 'playwright-core';

/**
 * What a page shows, in lines: the text of each block with the values of fields and the lengths of bars, and what only
 * labels and titles say. Moments in `<time>` are left out. Of a chart, each number that is drawn: all but the last one of
 * a line are of a minute that is over.
 *
 * @param part the selector of what is read of the page
 */
export const linesOfPage = (page: Page, part = 'body'): Promise<string[]> =>
  page.evaluate<string[]>(`(${LINES})(${JSON.stringify(part)})`);

const LINES = `((part) => {
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
  walk(document.querySelector(part));
  end();
  // The chart itself, as its component keeps it: a canvas cannot be read.
  const look = (component) => {
    for (const hook of component?.__c?.__H?.__ ?? []) {
      const chart = hook.__?.current;
      if (!chart?.setData) continue;
      chart.series.slice(1).forEach(({ label }, i) => {
        const values = [...chart.data[i + 1]];
        lines.push('chart: ' + label + ', now ' + (values.pop() ?? '–'));
        for (const value of values) lines.push('chart: ' + label + ', over ' + value);
      });
    }
    for (const child of component?.__k ?? []) look(child);
  };
  if (part === 'body') look(document.querySelector('#app').__k);
  return lines;
})`;

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
