import type { Signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';

import type { Campaign } from '../../../views/campaigns.ts';
import { path } from '../api/client.ts';
import { amount, otherDials, share, timeText } from '../parts/values.tsx';
import { ResultBadge } from '../parts/badge.tsx';
import { lazy } from '../shell/lazy.tsx';
import { may } from '../shell/session.ts';
import { CallsInProgress, EndedCalls, Limits } from './limits.tsx';
import type { Sample, ShownCampaign } from './use-campaign.tsx';

const LineChart = lazy(() => import('../charts/line-chart.tsx'));

/** Calls a minute, and slots in use against the limit, since the page was opened. */
function LiveCharts({
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

/** How the people of a campaign came out: a bar, a number and a word for each result. */
function Outcomes({ campaign: { name, ...progress } }: { campaign: Campaign }) {
  const results = Object.entries(progress.results)
    .filter(([, count]) => count > 0)
    .toSorted(([, a], [, b]) => b - a);
  const most = Math.max(1, ...results.map(([, count]) => count));
  const all = results.reduce((sum, [, count]) => sum + count, 0);
  return (
    <section class="card padded">
      <h2>Outcomes</h2>
      {results.length === 0 ? (
        <p class="soft">Nobody has a result yet; they are counted here as calls end.</p>
      ) : (
        <table class="outcomes">
          <thead class="visually-hidden">
            <tr>
              <th scope="col">Result</th>
              <th scope="col">Bar</th>
              <th scope="col">People</th>
              <th scope="col">Share</th>
            </tr>
          </thead>
          <tbody>
            {results.map(([result, count]) => (
              <tr key={result}>
                <th scope="row">
                  <a href={`${path`/campaigns/${name}`}/people?result=${result}`}>
                    <ResultBadge result={result} />
                  </a>
                </th>
                <td class="outcome-bar">
                  <div class="bar" aria-hidden="true">
                    <span style={{ width: `${(count / most) * 100}%` }} />
                  </div>
                </td>
                <td class="number">{amount(count)}</td>
                <td class="number soft">{share(count / all)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

/** A campaign at a glance, as it goes. */
export function OverviewTab({ shown }: { shown: ShownCampaign }) {
  const { campaign } = shown;
  const { state, held } = campaign;
  const isOver = ['completed', 'cancelled'].includes(state) && held === 0;
  return (
    <>
      <Figures shown={shown} />
      {!isOver && <LiveCharts samples={shown.samples} zone={campaign.timezone} />}
      <div class="columns">
        <div class="stack wide">
          <CallsInProgress shown={shown} />
          <EndedCalls shown={shown} />
        </div>
        <div class="stack wide">
          <Outcomes campaign={campaign} />
          {may('operator') && <Limits shown={shown} />}
          <About shown={shown} />
        </div>
      </div>
    </>
  );
}

function Figures({ shown: { campaign } }: { shown: ShownCampaign }) {
  const { hours, concurrency, answerRate, perMinute, dials } = campaign;
  const { total, waiting, held, done } = campaign;
  const calling = Math.max(0, total - waiting - done);
  const width = (count: number) => ({ width: `${total === 0 ? 0 : (count / total) * 100}%` });
  return (
    <div class="stack tight">
      <dl class="figures" aria-label="Figures">
        <Figure name="Waiting" value={amount(waiting)}>
          {openingsText(hours)}
        </Figure>
        <Figure name="Calling" value={amount(held)}>
          of {amount(concurrency)} slots
        </Figure>
        <Figure name="Done" value={amount(done)}>
          of {amount(total)} people
        </Figure>
        <Figure name="Answered" value={share(answerRate)}>
          of those with a result
        </Figure>
        <Figure name="Calls a minute" value={perMinute === null ? '–' : amount(perMinute)}>
          in the last minute
        </Figure>
        <Figure name="Calls made" value={amount(dials.made)}>
          {otherDials(dials)}
        </Figure>
      </dl>
      <div
        class="bar"
        role="img"
        aria-label={`${amount(done)} done, ${amount(calling)} calling, ${amount(waiting)} waiting`}
      >
        <span class="done" style={width(done)} />
        <span class="calling" style={width(calling)} />
      </div>
    </div>
  );
}

function Figure({
  name,
  value,
  children,
}: {
  name: string;
  value: string;
  children: preact.ComponentChildren;
}) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {value} <div class="note">{children}</div>
      </dd>
    </div>
  );
}

function openingsText({
  now,
  later,
  never,
}: {
  now: number;
  later: number;
  never: number;
}): string {
  const parts = [
    now > 0 && `${amount(now)} now`,
    later > 0 && `${amount(later)} later`,
    never > 0 && `${amount(never)} never`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? 'nobody' : parts.join(', ');
}

function About({ shown: { campaign } }: { shown: ShownCampaign }) {
  const { service, agent, timezone, runner, runnerCalls, budget, lists, settings, name } = campaign;
  return (
    <section class="card padded">
      <header>
        <h2>About</h2>
        <a class="small-text" href={`${path`/campaigns/${name}`}/settings`}>
          All settings
        </a>
      </header>
      <dl class="facts">
        <dt>Service</dt>
        <dd>{service}</dd>
        <dt>Agent</dt>
        <dd>{agent}</dd>
        <dt>Rules</dt>
        <dd>{settings['rules']}</dd>
        <dt>Time zone</dt>
        <dd>{timezone}</dd>
        <dt>Called by</dt>
        <dd>
          {runnerCalls ? runner : `nobody now${runner === null ? '' : `; ${runner} collects`}`}
        </dd>
        {budget !== null && budget.lines.length > 0 && (
          <>
            <dt>Budget</dt>
            <dd>{budget.lines.join(' ')}</dd>
          </>
        )}
        {lists.map((list) => (
          <>
            <dt>List {list.number}</dt>
            <dd>
              {list.path.split('/').at(-1)}: {amount(list.good)} taken, {amount(list.duplicates)}{' '}
              duplicates, {amount(list.suppressed)} suppressed, {amount(list.rejected)} refused
              {list.finishedAt === null && '; its import is not finished'}
            </dd>
          </>
        ))}
      </dl>
    </section>
  );
}
