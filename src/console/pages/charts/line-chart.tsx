import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import './line-chart.css';
import { timeText } from '../parts/values.tsx';
import { themeChanges } from '../shell/theme.tsx';

/** A line of a chart; `values` are one for each time, null where nothing is known. */
export interface ChartLine {
  label: string;
  /** Number of its colour among `--chart-1` to `--chart-3`. */
  colour: 1 | 2 | 3 | 4 | 5;
  values: (number | null)[];
  /** Dashes, so that it is not told by its colour alone. */
  isDashed?: boolean;
}

const HEIGHT_PX = 180;
/** What is drawn is counted by the minute. */
const TIME_STEPS = [1, 5, 15, 30, 60, 120].map((minutes) => minutes * 60);
const WHOLE_STEPS = [1, 10, 100, 1_000, 10_000].flatMap((ten) => [ten, 2 * ten, 5 * ten]);

/**
 * Lines over time, drawn on a canvas; `summary` says what they show, for people who do not see them.
 *
 * @param times epoch ms, ascending
 */
export default function LineChart({
  times,
  lines,
  zone,
  summary,
}: {
  times: number[];
  lines: ChartLine[];
  zone: string;
  summary: string;
}) {
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot>();
  const data = () => [times.map((at) => at / 1_000), ...lines.map(({ values }) => values)];
  const shape = lines.map(({ label, colour, isDashed }) => [label, colour, isDashed]);

  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const drawn = new uPlot(
      options(lines, zone, element.clientWidth),
      data() as uPlot.AlignedData,
      element,
    );
    chart.current = drawn;
    const sizes = new ResizeObserver(() =>
      drawn.setSize({ width: element.clientWidth, height: HEIGHT_PX }),
    );
    sizes.observe(element);
    return () => {
      sizes.disconnect();
      drawn.destroy();
      chart.current = undefined;
    };
    // Colours are on the canvas: another theme is another drawing.
  }, [themeChanges.value, zone, JSON.stringify(shape)]);

  useEffect(() => {
    chart.current?.setData(data() as uPlot.AlignedData);
  }, [times, lines]);

  return <div ref={box} role="img" aria-label={summary} class="chart" />;
}

function options(lines: ChartLine[], zone: string, width: number): uPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const grid = { stroke: colourOf('--line', style), width: 1 };
  const axis = {
    stroke: colourOf('--text-soft', style),
    font: `12px ${style.getPropertyValue('--font')}`,
    grid,
    ticks: { show: false },
  };
  return {
    width,
    height: HEIGHT_PX,
    legend: { show: true, live: false },
    cursor: { drag: { x: false, y: false } },
    scales: { y: { range: (_, __, most) => [0, Math.max(1, most * 1.1)] } },
    axes: [
      {
        ...axis,
        size: 32,
        space: 80,
        incrs: TIME_STEPS,
        values: (_, ticks) => ticks.map((at) => timeText(at * 1_000, zone, 'time')),
      },
      // What is counted comes in whole numbers.
      { ...axis, size: 48, incrs: WHOLE_STEPS },
    ],
    series: [
      {},
      ...lines.map(({ label, colour, isDashed }) => ({
        label,
        stroke: colourOf(`--chart-${colour}`, style),
        width: 2,
        points: { show: false },
        ...(isDashed === true && { dash: [6, 4] }),
      })),
    ],
  };
}

/** A canvas knows no `light-dark()`: the browser resolves the colour. */
function colourOf(variable: string, style: CSSStyleDeclaration): string {
  const probe = document.createElement('span');
  probe.style.color = style.getPropertyValue(variable);
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
