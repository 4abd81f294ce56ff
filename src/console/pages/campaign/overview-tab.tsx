import { useMemo } from 'preact/hooks';

import { durationText } from '../../../text/amounts.ts';
import { onTheLine } from '../../../domain/situation.ts';
import type { CampaignDetail, CallMinutes, Campaign } from '../../../views/campaigns.ts';
import { consoleNow, get, path } from '../api/client.ts';
import { useLoaded } from '../api/loaded.ts';
import type { ChartLine } from '../charts/line-chart.tsx';
import { BarList, Facts, Figures } from '../parts/sheet.tsx';
import { amount, counted, otherDials, share, timeText } from '../parts/values.tsx';
import { ResultBadge } from '../parts/badge.tsx';
import { lazy } from '../shell/lazy.tsx';
import { may } from '../shell/session.ts';
import { CallsInProgress, EndedCalls, Limits } from './limits.tsx';
import { settingText } from './settings/times-form.tsx';
import type { ShownCampaign } from './use-campaign.tsx';

const LineChart = lazy(() => import('../charts/line-chart.tsx'));

const MINUTE_MS = 60_000;
/** As far back as charts show calls. */
const MOST_MINUTES = 360;

/** The minutes that are over, each read once; a little after each new one. */
function useMinutes(name: string): CallMinutes | undefined {
  const { value } = useLoaded(
    async (signal, before?: CallMinutes) => {
      const from = before?.begun.length ? new Date(endOf(before)).toISOString() : '';
      const query = from === '' ? '' : `?from=${encodeURIComponent(from)}`;
      return joined(before, await get(`${path`/campaigns/${name}/minutes`}${query}`, signal));
    },
    [name],
    () => MINUTE_MS + 300 - (consoleNow() % MINUTE_MS),
  );
  return value;
}

const endOf = ({ from, begun }: CallMinutes) => Date.parse(from) + begun.length * MINUTE_MS;

/** Minutes without calls are left out at the beginning of an answer. */
function joined(before: CallMinutes | undefined, more: CallMinutes): CallMinutes {
  if (!before?.begun.length || more.begun.length === 0) return before?.begun.length ? before : more;
  const quiet = Math.max(0, (Date.parse(more.from) - endOf(before)) / MINUTE_MS);
  const all = (key: 'begun' | 'held') =>
    [...before[key], ...Array<number>(quiet).fill(0), ...more[key]].slice(-MOST_MINUTES);
  const [begun, held] = [all('begun'), all('held')];
  const from = endOf(more) - begun.length * MINUTE_MS;
  return { from: new Date(from).toISOString(), begun, held };
}

/** Calls a minute, and slots in use against the limit, in the last hours. */
function LastHours({ shown: { campaign } }: { shown: ShownCampaign }) {
  const { name, timezone: zone, perMinute, held, concurrency } = campaign;
  const minutes = useMinutes(name);
  const now = consoleNow();
  const series = useMemo(
    () => minutes && seriesOf(minutes, { now, perMinute, held, concurrency }),
    [minutes, now, perMinute, held, concurrency],
  );
  // One moment is no line.
  if (series === undefined || minutes?.begun.length === 0) return null;
  const { times, speed, slots } = series;
  const since = `since ${timeText(times[0] ?? now, zone)}`;
  const most = (values: readonly number[] = []) => Math.max(...values);
  return (
    <div class="columns">
      <section class="card padded">
        <h2>Calls a minute</h2>
        <LineChart
          {...{ times, zone, lines: speed }}
          summary={`Calls a minute ${since}: ${perMinute ?? 'not known yet'} now, at most ${most(minutes?.begun)}.`}
        />
      </section>
      <section class="card padded">
        <h2>Calls at once</h2>
        <LineChart
          {...{ times, zone, lines: slots }}
          summary={`Calls at once ${since}: ${held} of ${concurrency} now, at most ${most([...(minutes?.held ?? []), held])}.`}
        />
      </section>
    </div>
  );
}

/** Each minute at its end, and what is now. */
function seriesOf(
  minutes: CallMinutes,
  {
    now,
    perMinute,
    held,
    concurrency,
  }: { now: number } & Pick<Campaign, 'perMinute' | 'held' | 'concurrency'>,
) {
  const begin = Date.parse(minutes.from);
  const times = [...minutes.begun.map((_, i) => begin + (i + 1) * MINUTE_MS), now];
  const speed: ChartLine[] = [
    { label: 'calls a minute', colour: 1, values: [...minutes.begun, perMinute] },
  ];
  const slots: ChartLine[] = [
    { label: 'calls at once', colour: 2, values: [...minutes.held, held] },
    { label: 'limit now', colour: 3, values: times.map(() => concurrency), isDashed: true },
  ];
  return { times, speed, slots };
}

/** How the people of a campaign came out: a bar, a number and a word for each result. */
function Outcomes({ campaign: { name, ...progress } }: { campaign: Campaign }) {
  const results = Object.entries(progress.results)
    .filter(([, count]) => count > 0)
    .toSorted(([, a], [, b]) => b - a);
  const all = results.reduce((sum, [, count]) => sum + count, 0);
  return (
    <section class="card padded">
      <header>
        <h2>Outcomes</h2>
        {all > 0 && <span class="soft small-text">of {amount(all)} with a result</span>}
      </header>
      {all === 0 && (
        <p class="soft">Nobody has a result yet; they are counted here as calls end.</p>
      )}
      <BarList
        bars={results.map(([result, value]) => {
          const to = `${path`/campaigns/${name}`}/people?result=${result}`;
          const label = (
            <a href={to}>
              <ResultBadge result={result} />
            </a>
          );
          return { key: result, label, value, note: share(value / all) };
        })}
      />
    </section>
  );
}

/** A campaign at a glance, as it goes. */
export function OverviewTab({ shown }: { shown: ShownCampaign }) {
  const { campaign } = shown;
  return (
    <>
      <HowFar campaign={campaign} />
      <LastHours shown={shown} />
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

function HowFar({ campaign }: { campaign: CampaignDetail }) {
  const { name, concurrency, answerRate, dials, results } = campaign;
  const { total, waiting, calling, doubts, held, open, done } = campaign;
  const onLine = onTheLine(campaign);
  const atOnce = [
    `at most ${amount(concurrency)} at once`,
    held > onLine && `${amount(held - onLine)} held by calls in doubt`,
    // Calls that hold no slot any more, but have no result yet.
    calling > held && `${counted(calling - held, 'result')} awaited`,
  ];
  const inDoubt = doubts > 0 && <a href={path`/campaigns/${name}/doubts`}>made or not?</a>;
  const ended = dials.made - open;
  const width = (count: number) => ({ width: `${total === 0 ? 0 : (count / total) * 100}%` });
  return (
    <div class="stack tight">
      <Figures
        kind="tiles"
        rows={[
          ['Waiting', amount(waiting), openingsText(campaign)],
          ['On the line', amount(onLine), atOnce.filter(Boolean).join(', ')],
          ['In doubt', amount(doubts), inDoubt],
          [
            'Answered',
            amount(campaign.answered),
            `${share(answerRate)} of ${counted(ended, 'call')}`,
          ],
          ['Refused', amount(results['rejected'] ?? 0), 'by the service'],
          ['Done', amount(done), `of ${counted(total, 'person', 'people')}`],
        ]}
      />
      <div
        class="bar"
        role="img"
        aria-label={`${amount(done)} done, ${amount(calling)} in a call, ${amount(waiting)} waiting`}
      >
        <span class="done" style={width(done)} />
        <span style={width(calling)} />
      </div>
      <p class="soft small-text number">
        {amount(done)} of {amount(total)} done{total > 0 && ` (${share(done / total)})`}
        {leftText(campaign)}
        {dials.made > 0 &&
          `; ${counted(dials.made, 'call')} made, ${amount(ended - campaign.answered)} of them not answered`}
      </p>
    </div>
  );
}

/** How long those who may be called now take at the pace of the last minute. */
function leftText({ shown, perMinute, hours }: Campaign): string {
  if (shown !== 'running' || perMinute === null || perMinute === 0 || hours.now === 0) return '';
  const minutes = Math.ceil(hours.now / perMinute);
  const left = minutes === 1 ? 'about a minute' : `about ${durationText(minutes * MINUTE_MS)}`;
  return `, ${left} left${hours.later > 0 ? ' for those who may be called now' : ''}`;
}

function openingsText({ hours, begins, timezone, schedule }: CampaignDetail): string {
  const { now, later, never } = hours;
  // Nobody is called before, though hours may be open.
  const from = schedule === null ? null : (begins?.at ?? null);
  const parts = [
    from === null && now > 0 && `${amount(now)} now`,
    from === null && later > 0 && `${amount(later)} later`,
    from !== null && now + later > 0 && `${amount(now + later)} from ${timeText(from, timezone)}`,
    never > 0 && `${amount(never)} never`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? 'nobody' : parts.join(', ');
}

function About({ shown: { campaign } }: { shown: ShownCampaign }) {
  const { service, agent, timezone, dials, budget, lists, settings, name } = campaign;
  return (
    <section class="card padded">
      <header class="row between">
        <h2>About</h2>
        <a class="small-text" href={`${path`/campaigns/${name}`}/settings`}>
          All settings
        </a>
      </header>
      <Facts
        rows={[
          ['Service', service],
          ['Agent', agent],
          ['Rules', settingText('rules', settings)],
          ['Calls', settingText('notBefore', settings)],
          ['Time zone', timezone],
          ['Calls made', `${amount(dials.made)}; ${otherDials(dials)}`],
          ['Budget', budget?.lines.join(' ') || null],
          ...lists.map((list) => [`List ${list.number}`, listText(list)] as const),
        ]}
      />
    </section>
  );
}

function listText({
  path: file,
  good,
  duplicates,
  suppressed,
  rejected,
  finishedAt,
}: CampaignDetail['lists'][number]) {
  const taken = `${file.split('/').at(-1)}: ${amount(good)} taken, ${counted(duplicates, 'duplicate')}`;
  const others = `${amount(suppressed)} suppressed, ${amount(rejected)} rejected`;
  return `${taken}, ${others}${finishedAt === null ? '; its import is not finished' : ''}`;
}
