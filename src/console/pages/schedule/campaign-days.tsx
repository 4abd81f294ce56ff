import type { CampaignSchedule, ScheduleDay } from '../../contract/schedule.ts';
import { path } from '../api/addresses.ts';
import { amount, counted } from '../parts/amounts.ts';
import { CampaignBadges } from '../parts/badge.tsx';
import { Time, timeText } from '../parts/times.tsx';
import { dayWords } from './day-words.ts';

/** Hours that are written above the days. */
const HOURS = [0, 6, 12, 18];

/** The days ahead of one campaign: a line a day, from midnight to midnight in its zone. */
export function CampaignDays({ ahead, now }: { ahead: CampaignSchedule; now: number }) {
  const { campaign, state, simulated, timezone, days } = ahead;
  const most = Math.max(1, ...days.flatMap(({ spans }) => spans.map(({ people }) => people)));
  const heading = `of-${campaign}`;
  return (
    <section class="card padded days-ahead" aria-labelledby={heading}>
      <header>
        <div class="row tight">
          <h2 id={heading} class="break">
            <a href={path`/campaigns/${campaign}`}>{campaign}</a>
          </h2>
          <CampaignBadges state={state} simulated={simulated} />
        </div>
        <p class="soft small-text">Times in {timezone}</p>
      </header>
      <Words ahead={ahead} now={now} />
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
      <ol role="list" class="stack days" aria-label={`The days ahead of ${campaign}`}>
        {days.map((day) => (
          <li key={day.date} class="day-line">
            <span class="nowrap day">{timeText(day.from, timezone, 'day')}</span>
            <DayBar day={day} most={most} now={now} zone={timezone} />
            <span class="soft">{dayWords(day, timezone)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** What the drawing means, in sentences. */
function Words({ ahead, now }: { ahead: CampaignSchedule; now: number }) {
  const { waiting, counted: drawn, nextOpeningAt, schedule, timezone, days } = ahead;
  if (waiting === 0) return <p>Nobody waits: there is nobody to call until another list comes.</p>;
  const isOpen = days.some(({ spans }) => spans.some(({ from, to }) => from <= now && now < to));
  const isEver = isOpen || days.some(({ spans }) => spans.length > 0);
  return (
    <div class="stack tight">
      <p>
        {counted(waiting, 'person waits', 'people wait')}.{' '}
        {isOpen && 'Some of them may be called now. '}
        {!isOpen && nextOpeningAt !== null && (
          <>
            The next of them may be called on <Time at={nextOpeningAt} zone={timezone} />.{' '}
          </>
        )}
        {!isEver && nextOpeningAt === null && 'Their hours are closed on all of these days. '}
        {schedule === null ? (
          'Calls begin when somebody starts it.'
        ) : (
          <>
            <span class="key firing" aria-hidden="true" /> Calls begin by the schedule{' '}
            <code>{schedule}</code>, while <code>callsheet serve</code> runs.
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
  zone,
}: {
  day: ScheduleDay;
  most: number;
  now: number;
  zone: string;
}) {
  const percent = (ms: number) => `${(100 * ms) / (to - from)}%`;
  const time = (at: number) => timeText(at, zone, 'time').slice(0, 5);
  return (
    <div class="day-bar" aria-hidden="true">
      {spans.map((span) => (
        <span
          key={span.from}
          class="span"
          title={`${time(span.from)} to ${time(span.to)}: up to ${counted(span.people, 'person', 'people')}`}
          style={{
            left: percent(span.from - from),
            width: percent(span.to - span.from),
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
          title={`The schedule begins at ${time(at)}`}
          style={{ left: percent(at - from) }}
        />
      ))}
      {from <= now && now < to && (
        <span class="now" title="Now" style={{ left: percent(now - from) }} />
      )}
    </div>
  );
}
