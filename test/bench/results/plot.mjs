// Plots as SVG that pages show as images: light or dark as the reader's system is.
const [WIDTH, HEIGHT] = [720, 420];
const AREA = { left: 64, right: 696, top: 76, bottom: 364 };
const STYLE = `
    .back { fill: #ffffff } text { font: 13px system-ui, sans-serif; fill: #1f2328 } .title { font-weight: 600; font-size: 15px }
    .grid { stroke: #d1d9e0 } .line { fill: none; stroke-width: 2; stroke-linejoin: round } .note { font-size: 12px }
    .s0 { stroke: #0969da; fill: #0969da } .s1 { stroke: #bc4c00; fill: #bc4c00 } .s2 { stroke: #1a7f37; fill: #1a7f37 }
    @media (prefers-color-scheme: dark) {
      .back { fill: #0d1117 } text { fill: #e6edf3 } .grid { stroke: #30363d }
      .s0 { stroke: #58a6ff; fill: #58a6ff } .s1 { stroke: #f0883e; fill: #f0883e } .s2 { stroke: #3fb950; fill: #3fb950 }
    }`;
/** Lines differ without colours, too. */
const DASHES = ['', '7 4', '2 3'];

/**
 * @param x its `label`, and `ticks`: the values that it shows, the first and the last being its ends; `isLog`: by its
 *   logarithm
 * @param y the same
 * @param lines up to three; `points`: pairs of x and y; `hasValues`: each point has a dot and its y beside it
 */
export function plot({ title, x, y, lines, hasValues = false }) {
  const scale = ({ ticks, isLog = false }, from, to) => {
    const of = isLog ? Math.log : Number;
    const [first, last] = [of(ticks[0]), of(ticks.at(-1))];
    return (value) => round(from + ((of(value) - first) / (last - first)) * (to - from));
  };
  // Room for the figures beside the first and the last point.
  const inset = hasValues ? 40 : 0;
  const atX = scale(x, AREA.left + inset, AREA.right - inset);
  const atY = scale(y, AREA.bottom, AREA.top);
  const parts = [
    text(AREA.left, 24, title, 'start', 'title'),
    ...y.ticks.flatMap((tick) => [
      `<line class="grid" x1="${AREA.left}" x2="${AREA.right}" y1="${atY(tick)}" y2="${atY(tick)}"/>`,
      text(AREA.left - 8, atY(tick) + 4, tick.toLocaleString('en'), 'end'),
    ]),
    ...x.ticks.map((tick) => text(atX(tick), AREA.bottom + 22, tick.toLocaleString('en'))),
    text((AREA.left + AREA.right) / 2, AREA.bottom + 44, x.label),
    `<g transform="rotate(-90 18 ${(AREA.top + AREA.bottom) / 2})">${text(18, (AREA.top + AREA.bottom) / 2, y.label)}</g>`,
  ];
  let legendAt = AREA.left;
  for (const [i, { name, points }] of lines.entries()) {
    const way = points.map((point) => `${atX(point[0])},${atY(point[1])}`).join(' ');
    const dash = DASHES[i] === '' ? '' : ` stroke-dasharray="${DASHES[i]}"`;
    parts.push(
      `<polyline class="line s${i}" style="fill: none"${dash} points="${way}"/>`,
      `<line class="line s${i}"${dash} x1="${legendAt}" x2="${legendAt + 28}" y1="46" y2="46"/>`,
      text(legendAt + 36, 50, name, 'start'),
    );
    legendAt += 68 + name.length * 7;
    if (!hasValues) continue;
    for (const [at, value] of points) {
      parts.push(`<circle class="s${i}" cx="${atX(at)}" cy="${atY(value)}" r="3.5"/>`);
      parts.push(
        text(atX(at), atY(value) + (i === 0 ? -10 : 20), value.toFixed(2), 'middle', 'note'),
      );
    }
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img">
<title>${title}</title>
<style>${STYLE}
</style>
<rect class="back" width="${WIDTH}" height="${HEIGHT}"/>
${parts.join('\n')}
</svg>
`;
}

function text(x, y, words, anchor = 'middle', kind = '') {
  return `<text${kind && ` class="${kind}"`} x="${x}" y="${y}" text-anchor="${anchor}">${words}</text>`;
}

function round(value) {
  return Math.round(value * 10) / 10;
}
