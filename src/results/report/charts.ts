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

/** The style sheet of the report: one column, light or dark by the reader's setting, and plain in print. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: #ffffff; --ink: #1d2125; --muted: #5c636b; --line: #e3e6e8; --wash: #f5f6f7;
  --accent: #0b6e6e; --soft: #c3d3d6;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14171a; --ink: #e6e8ea; --muted: #a0a7ae; --line: #2b3035; --wash: #1c2024;
    --accent: #4fb9b3; --soft: #3a4a4f;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0 auto; padding: 3.5rem 1.5rem 4rem; max-width: 58rem; background: var(--paper); color: var(--ink);
  font: 400 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
}
h1 { margin: 0; font-size: 2rem; line-height: 1.2; font-weight: 650; letter-spacing: -0.015em; overflow-wrap: anywhere; }
h2 { margin: 0 0 0.9rem; font-size: 1.0625rem; font-weight: 650; }
p { margin: 0; }
.meta, .note { color: var(--muted); font-size: 0.875rem; }
.meta { margin-top: 0.5rem; }
.note { margin-top: 0.75rem; max-width: 44rem; }
section { margin-top: 3rem; }
.kpis {
  display: grid; grid-template-columns: repeat(var(--per-row), 1fr); gap: 1.5rem 2rem;
  margin: 2.25rem 0 0; padding: 1.5rem 0; border-block: 1px solid var(--line);
}
.kpis div { display: flex; flex-direction: column; }
.kpis dt { color: var(--muted); font-size: 0.8125rem; }
.kpis dd { margin: 0; }
.kpis dd.big { white-space: nowrap; font-size: 1.5rem; line-height: 1.3; font-weight: 600; letter-spacing: -0.01em; font-variant-numeric: tabular-nums; }
.kpis dd.small { color: var(--muted); font-size: 0.8125rem; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(22rem, 100%), 1fr)); gap: 3rem; margin-top: 3rem; }
.pair section { margin-top: 0; }
table { width: 100%; border-collapse: collapse; font-size: 0.9375rem; font-variant-numeric: tabular-nums; }
th { text-align: left; font-weight: 400; }
th, td { padding: 0.4rem 0; vertical-align: baseline; border-bottom: 1px solid var(--line); }
thead th { color: var(--muted); font-size: 0.8125rem; }
.n { text-align: right; white-space: nowrap; padding-left: 1.25rem; }
.share { color: var(--muted); width: 3.75rem; }
.bar { width: 40%; padding-left: 1.25rem; }
.pair .bar { width: 34%; }
.bar svg { display: block; width: 100%; height: 0.5rem; }
.what { color: var(--muted); font-size: 0.8125rem; display: block; }
.fill { fill: var(--accent); }
.rest { fill: var(--soft); }
.chart { display: block; width: 100%; height: auto; overflow: visible; }
.chart.few { max-width: 30rem; }
.chart text { fill: var(--muted); font-size: 11px; font-variant-numeric: tabular-nums; }
.chart .count { fill: var(--ink); }
.chart line { stroke: var(--line); }
.legend { display: flex; gap: 1.25rem; margin-bottom: 0.75rem; color: var(--muted); font-size: 0.8125rem; }
.legend span::before {
  content: ""; display: inline-block; width: 0.625rem; height: 0.625rem; margin-right: 0.4rem; border-radius: 2px;
  background: var(--soft);
}
.legend .answered::before { background: var(--accent); }
summary { cursor: pointer; }
summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
.data { margin-top: 0.75rem; font-size: 0.875rem; color: var(--muted); }
.data table { margin-top: 0.5rem; color: var(--ink); max-width: 26rem; }
.calls { margin-top: 1rem; border-top: 1px solid var(--line); }
.call { border-bottom: 1px solid var(--line); }
.call summary {
  display: grid; grid-template-columns: 9.25rem 8.5rem minmax(0, 1fr) 7.5rem 5.75rem; gap: 1rem; align-items: baseline;
  padding: 0.55rem 0; list-style: none; font-size: 0.9375rem; font-variant-numeric: tabular-nums;
}
.call summary::-webkit-details-marker { display: none; }
.call summary .n { padding-left: 0; }
.call summary:hover { background: var(--wash); }
.call time, .call .who { color: var(--muted); }
.call .who { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.call .answered { color: var(--accent); font-weight: 600; }
.call .talk { padding: 0.25rem 0 1.5rem; max-width: 46rem; }
.call[open] .phone, .call[open] .who { font-weight: 600; color: var(--ink); }
.facts { color: var(--muted); font-size: 0.875rem; margin-bottom: 0.75rem; overflow-wrap: anywhere; }
.turns { margin: 0; padding: 0; list-style: none; }
.turns li { display: grid; grid-template-columns: 4.5rem minmax(0, 1fr); gap: 1rem; padding: 0.2rem 0; }
.turns b { color: var(--muted); font-weight: 400; font-size: 0.8125rem; line-height: 1.5rem; }
.turns .agent span { color: var(--muted); }
.turns span, .plain { overflow-wrap: anywhere; white-space: pre-wrap; }
.plain { margin: 0; font: inherit; }
footer { margin-top: 3.5rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--muted); font-size: 0.8125rem; }
@media (max-width: 40rem) {
  body { padding: 2rem 1.125rem 3rem; }
  h1 { font-size: 1.625rem; }
  .kpis { grid-template-columns: 1fr 1fr; gap: 1.25rem; }
  .bar, .pair .bar { width: 26%; padding-left: 0.875rem; }
  .n { padding-left: 0.875rem; }
  .call summary {
    grid-template-columns: minmax(0, 1fr) auto; gap: 0 1rem;
    grid-template-areas: "phone result" "who length" "time time";
  }
  .call .phone { grid-area: phone; }
  .call .result { grid-area: result; text-align: right; }
  .call .who { grid-area: who; }
  .call summary .n { grid-area: length; }
  .call time { grid-area: time; font-size: 0.8125rem; }
  .turns li { grid-template-columns: 3.5rem minmax(0, 1fr); gap: 0.75rem; }
  .wide { overflow-x: auto; }
  .wide .chart { min-width: 38rem; }
}
@media print {
  :root { --paper: #fff; --ink: #000; --muted: #444; --line: #ccc; --wash: #fff; --accent: #0b6e6e; --soft: #c3d3d6; }
  @page { margin: 16mm; }
  body { max-width: none; padding: 0; font-size: 10.5pt; }
  section { margin-top: 1.75rem; }
  section, .kpis, tr, .turns li { break-inside: avoid; }
  section.long { break-inside: auto; }
  h2, .call summary { break-after: avoid; }
  svg { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  .legend span::before { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  .data > summary { display: none; }
  .data::details-content { content-visibility: visible; height: auto; }
}
`;
