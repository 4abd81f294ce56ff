import type { ComponentChildren } from 'preact';

import { clockOf } from '../../../text/times.ts';
import type { DaysAhead, ScheduleDay } from '../../../views/campaigns.ts';
import { amount, counted, Time, timeText } from '../parts/values.tsx';
import './schedule.css';

/** Schedules that begin more often a day are told by their number. */
const MOST_TIMES = 4;

/** A day in words: `09:00–20:58, up to 1,200; begins at 18:00`. */
function dayWords({ to, spans, firings }: ScheduleDay): string {
  const time = (at: string) => (at === to ? '24:00' : clockOf(at));
  const open = stretches(spans).map(
    ({ from, to: end, people }) => `${time(from)}–${time(end)}, up to ${amount(people)}`,
  );
  const begins =
    firings.length > MOST_TIMES
      ? `begins ${amount(firings.length)} times`
      : `begins at ${firings.map(time).join(', ')}`;
  return [
    ...(open.length === 0 ? ['nobody'] : open),
    ...(firings.length === 0 ? [] : [begins]),
  ].join('; ');
}

/** Spans that follow each other without a gap as one, with the most people of any of them. */
function stretches(spans: ScheduleDay['spans']): ScheduleDay['spans'] {
  const found: ScheduleDay['spans'] = [];
  for (const span of spans) {
    const last = found.at(-1);
    if (last?.to !== span.from) found.push({ ...span });
    else {
      last.to = span.to;
      last.people = Math.max(last.people, span.people);
    }
  }
  return found;
}

/** @param now epoch ms */
function isIn({ from, to }: { from: string; to: string }, now: number): boolean {
  return Date.parse(from) <= now && now < Date.parse(to);
}

/** Days that follow each other and say the same, as the first and last of them; today stands alone. */
function alike(
  days: readonly ScheduleDay[],
  now: number,
): { day: ScheduleDay; last: ScheduleDay }[] {
  const found: { day: ScheduleDay; last: ScheduleDay }[] = [];
  for (const day of days) {
    const before = found.at(-1);
    const isSame =
      before !== undefined && !isIn(before.day, now) && dayWords(before.day) === dayWords(day);
    if (isSame) before.last = day;
    else found.push({ day, last: day });
  }
  return found;
}

/** Hours that are written above the days. */
const HOURS = [0, 6, 12, 18];

interface Ahead {
  ahead: DaysAhead;
  /** The moment it was worked out for. */
  now: string;
  /** Begins what is said of them. */
  children?: ComponentChildren;
}

/** The days ahead of one campaign: a line a day, from midnight to midnight in its zone. */
export function DaysCard({
  title,
  name,
  ahead,
  now,
  children,
}: Ahead & { title: ComponentChildren; name: string }) {
  const { timezone, days } = ahead;
  const most = Math.max(1, ...days.flatMap(({ spans }) => spans.map(({ people }) => people)));
  return (
    <section class="card padded days-ahead">
      <header class="row between">
        {title}
        <p class="soft small-text">Times in {timezone}</p>
      </header>
      <Words ahead={ahead} now={now}>
        {children}
      </Words>
      <div class="day-line soft hours-line" aria-hidden="true">
        <span />
        <span class="hours-of-day">
          {HOURS.map((hour) => (
            <span key={hour} style={{ left: `${(100 * hour) / 24}%` }}>
              {String(hour).padStart(2, '0')}
            </span>
          ))}
        </span>
        <span>People who may be called</span>
      </div>
      <ol role="list" class="stack days" aria-label={name}>
        {alike(days, Date.parse(now)).map(({ day, last }) => (
          <li key={day.date} class="day-line">
            <span class="day">
              {timeText(day.from, timezone, 'day')}
              {last !== day && ` to ${timeText(last.from, timezone, 'day')}`}
            </span>
            <DayBar day={day} most={most} now={Date.parse(now)} />
            <span class="soft">{dayWords(day)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The next days of the campaign that the page shows. */
export function WeekCard(of: Pick<Ahead, 'ahead' | 'now'>) {
  return <DaysCard title={<h3>The week ahead</h3>} name="The week ahead" {...of} />;
}

/** What the drawing means, in sentences. */
function Words({ ahead, now, children }: Ahead) {
  const { waiting, counted: drawn, nextOpeningAt, schedule, timezone, days } = ahead;
  if (waiting === 0) return <p>Nobody waits: there is nobody to call until a list is imported.</p>;
  const isOpen = days.some(({ spans }) => spans.some((span) => isIn(span, Date.parse(now))));
  const isEver = isOpen || days.some(({ spans }) => spans.length > 0);
  return (
    <div class="stack tight">
      <p>
        {children}
        {counted(waiting, 'person waits', 'people wait')}.{' '}
        {isOpen && 'Some of them may be called now. '}
        {!isEver && 'None of them may be called on these days. '}
        {!isOpen && nextOpeningAt !== null && (
          <>
            Next calls at the earliest: <Time at={nextOpeningAt} zone={timezone} />.{' '}
          </>
        )}
        {schedule !== null && (
          <>
            <span class="key firing" aria-hidden="true" /> is when the schedule begins calls.
          </>
        )}
      </p>
      {drawn < waiting && (
        <p class="soft small-text">
          Drawn are {amount(drawn)} of them, those of the 50 places with most people.
        </p>
      )}
    </div>
  );
}

function DayBar({
  day: { from, to, spans, firings },
  most,
  now,
}: {
  day: ScheduleDay;
  most: number;
  now: number;
}) {
  const begin = Date.parse(from);
  const part = (ms: number) => `${(100 * ms) / (Date.parse(to) - begin)}%`;
  const left = (at: string) => part(Date.parse(at) - begin);
  return (
    <div class="day-bar" aria-hidden="true">
      {spans.map((span) => (
        <span
          key={span.from}
          class="span"
          title={`${clockOf(span.from)} to ${clockOf(span.to)}: up to ${counted(span.people, 'person', 'people')}`}
          style={{
            left: left(span.from),
            width: part(Date.parse(span.to) - Date.parse(span.from)),
            '--share': span.people / most,
          }}
        >
          {amount(span.people)}
        </span>
      ))}
      {firings.map((at) => (
        <span
          key={at}
          class="firing"
          title={`The schedule begins at ${clockOf(at)}`}
          style={{ left: left(at) }}
        />
      ))}
      {isIn({ from, to }, now) && (
        <span class="now" title="Now" style={{ left: part(now - begin) }} />
      )}
    </div>
  );
}
