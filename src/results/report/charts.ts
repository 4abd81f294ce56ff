import { shownText } from '../../domain/safe-text.ts';
import { grouped, percent } from '../../text/amounts.ts';

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

/**
 * A table with a bar in each row, whose length shows the count of the row.
 * @param rows name, count and an optional explanation of each row
 * @param of the total that each count is a share of
 */
export function barTable(
  caption: string,
  rows: readonly (readonly [name: string, count: number, what?: string])[],
  of: number,
): Html {
  const most = Math.max(1, ...rows.map(([, count]) => count));
  return html`<table>
    <thead>
      <tr>
        <th scope="col">${caption}</th>
        <th scope="col" class="n">Count</th>
        <th scope="col" class="n share">Share</th>
        <td class="bar"></td>
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        ([name, count, what]) =>
          html`<tr>
            <th scope="row">
              ${name}${what === undefined ? null : html`<span class="what">${what}</span>`}
            </th>
            <td class="n">${grouped(count)}</td>
            <td class="n share">${percent(count, of)}</td>
            <td class="bar">${bar(count / most)}</td>
          </tr> `,
      )}
    </tbody>
  </table>`;
}

/** Calls in one hour or on one day. */
interface ColumnItem {
  label: string;
  calls: number;
  answered: number;
}

const HEIGHT = 150;
const TOP = 18;
const WIDTH = 880;
/** The width of a chart with few columns. */
const NARROW_WIDTH = 480;

/**
 * A column chart of calls, with the answered ones highlighted and the number of calls above each column; a table below
 * the chart, which the reader can open, has the same numbers.
 * @param what the heading of the first column of that table, e.g. `Hour`
 */
export function columnChart(what: string, items: readonly ColumnItem[]): Html {
  const most = Math.max(1, ...items.map(({ calls }) => calls));
  // Wide charts scroll sideways on a narrow screen instead of shrinking.
  const isWide = items.length > 8;
  const whole = isWide ? WIDTH : NARROW_WIDTH;
  const step = whole / Math.max(items.length, 1);
  const width = Math.min(step * 0.7, 56);
  const columns = items.map(({ label, calls, answered }, i) => {
    const middle = i * step + step / 2;
    const x = round(middle - width / 2);
    const [all, part] = [(calls / most) * HEIGHT, (answered / most) * HEIGHT];
    const y = (height: number) => round(TOP + HEIGHT - height);
    const rect = (name: string, height: number) =>
      html`<rect
        class="${name}"
        x="${x}"
        y="${y(height)}"
        width="${round(width)}"
        height="${round(height)}"
      />`;
    const isLabelled = step >= 26 || i % Math.ceil(26 / step) === 0;
    return html`${
      calls === 0
        ? null
        : html`${rect('rest', all)}${rect('fill', part)}${
            step < 26
              ? null
              : html`<text class="count" x="${round(middle)}" y="${y(all) - 5}" text-anchor="middle"
                  >${compact(calls)}</text
                >`
          }`
    }${isLabelled ? html`<text x="${round(middle)}" y="${TOP + HEIGHT + 16}" text-anchor="middle">${label}</text>` : null} `;
  });
  return html`<p class="legend"><span class="answered">answered</span><span>not answered</span></p>
    <div
      ${isWide ? html`class="wide" tabindex="0" role="group" aria-label="Chart by ${what.toLowerCase()}"` : null}
    >
      <svg
        class="chart ${isWide ? null : 'few'}"
        viewBox="0 0 ${whole} ${HEIGHT + TOP + 24}"
        role="img"
        aria-label="Calls by ${what.toLowerCase()}; the numbers are in the table below"
      >
        <line x1="0" x2="${whole}" y1="${TOP + HEIGHT}" y2="${TOP + HEIGHT}" />
        ${columns}
      </svg>
    </div>
    <details class="data">
      <summary>The numbers as a table</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">${what}</th>
            <th scope="col" class="n">Calls</th>
            <th scope="col" class="n">Answered</th>
            <th scope="col" class="n">Rate</th>
          </tr>
        </thead>
        <tbody>
          ${items
            .filter(({ calls }) => calls > 0)
            .map(
              ({ label, calls, answered }) =>
                html`<tr>
                  <th scope="row">${label}</th>
                  <td class="n">${grouped(calls)}</td>
                  <td class="n">${grouped(answered)}</td>
                  <td class="n">${percent(answered, calls)}</td>
                </tr> `,
            )}
        </tbody>
      </table>
    </details>`;
}

function bar(share: number): Html {
  const width = round(Math.max(share * 100, share > 0 ? 1 : 0));
  return html`<svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
    <rect class="fill" width="${width}" height="8" />
  </svg>`;
}

/** At most four characters, as there is no room for more above a column. */
function compact(n: number): string {
  return new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 }).format(n);
}

function round(n: number): number {
  return Math.round(n * 100) / 100;
}
