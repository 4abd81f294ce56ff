import type { Signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { timeText } from '../parts/times.tsx';
import { lazy } from '../shell/lazy.tsx';
import type { Sample } from './samples.ts';

const LineChart = lazy(() => import('../charts/line-chart.tsx'));

/** Calls a minute, and slots in use against the limit, since the page was opened. */
export function LiveCharts({
  samples: { value: samples },
  zone,
}: {
  samples: Signal<readonly Sample[]>;
  zone: string;
}) {
  const { times, speed, slots } = useMemo(() => seriesOf(samples), [samples]);
  const newest = samples.at(-1);
  const [first] = times;
  // One moment is no line.
  if (newest === undefined || first === undefined || samples.length < 2) return null;
  const since = `since ${timeText(first, zone, 'time')}`;
  return (
    <div class="columns">
      <section class="card padded">
        <h2>Calls a minute</h2>
        <LineChart
          times={times}
          zone={zone}
          lines={speed}
          summary={`Calls a minute ${since}: ${newest.perMinute ?? 'not known yet'} now, at most ${mostOf(samples, ({ perMinute }) => perMinute ?? 0)}.`}
        />
      </section>
      <section class="card padded">
        <h2>Slots in use</h2>
        <LineChart
          times={times}
          zone={zone}
          lines={slots}
          summary={`Slots in use ${since}: ${newest.held} of ${newest.limit} now, at most ${mostOf(samples, ({ held }) => held)}.`}
        />
      </section>
    </div>
  );
}

function seriesOf(samples: readonly Sample[]) {
  return {
    times: samples.map(({ at }) => at),
    speed: [
      {
        label: 'calls a minute',
        colour: 1 as const,
        values: samples.map(({ perMinute }) => perMinute),
      },
    ],
    slots: [
      { label: 'slots in use', colour: 2 as const, values: samples.map(({ held }) => held) },
      {
        label: 'limit',
        colour: 3 as const,
        values: samples.map(({ limit }) => limit),
        isDashed: true,
      },
    ],
  };
}

function mostOf(samples: readonly Sample[], of: (sample: Sample) => number): number {
  return samples.reduce((most, sample) => Math.max(most, of(sample)), 0);
}
