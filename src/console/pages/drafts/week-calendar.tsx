import type { Week } from '../../contract/rules.ts';
import { send } from '../api/client.ts';
import { useLoaded } from '../api/loaded.ts';
import { ProblemNotice } from '../parts/notice.tsx';

const DAYS: Record<Week['days'][number]['day'], string> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
};
const MARKS = [0, 6, 12, 18, 24];

/** The week in which people may be called, by rules and own hours, drawn and in words. */
export function WeekCalendar({
  rules,
  from,
  to,
  days,
  timezone,
}: {
  rules: string;
  from: string | undefined;
  to: string | undefined;
  days: string | undefined;
  timezone: string;
}) {
  const hours =
    from === undefined || to === undefined
      ? null
      : { from, to, ...(days !== undefined && { days }) };
  const week = useLoaded(
    () => send<Week>('POST', '/rules/week', { rules, hours, timezone }),
    [rules, hours, timezone],
  );
  if (week.problem !== undefined) return <ProblemNotice problem={week.problem} />;
  if (week.value === undefined) return null;
  return (
    <figure class="stack tight">
      <div class="week" aria-hidden="true">
        {week.value.days.map(({ day, windows }) => (
          <div key={day} class="week-day">
            <span class="soft small-text">{DAYS[day].slice(0, 3)}</span>
            <span class="week-line">
              {windows.map((window) => (
                <span
                  key={window.from}
                  style={{
                    left: `${(window.from / 1_440) * 100}%`,
                    width: `${((window.to - window.from) / 1_440) * 100}%`,
                  }}
                />
              ))}
            </span>
          </div>
        ))}
        <div class="week-day">
          <span />
          <span class="week-marks soft small-text">
            {MARKS.map((hour) => (
              <span key={hour}>{String(hour).padStart(2, '0')}:00</span>
            ))}
          </span>
        </div>
      </div>
      <figcaption class="small-text">
        {week.value.text}
        {week.value.caps.length > 0 && `; ${week.value.caps.join('; ')}`}.{' '}
        <span class="soft">
          {week.value.mixesZones
            ? `The rules hold in each person's own time, the own hours in ${timezone}.`
            : "In each person's own time."}
        </span>
      </figcaption>
    </figure>
  );
}
