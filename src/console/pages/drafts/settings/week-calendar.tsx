import { useDeferred } from './use-deferred.ts';
import type { Week } from '../../../contract/rules.ts';
import { send } from '../../api/client.ts';
import { useLoaded } from '../../api/loaded.ts';
import { machineZone } from '../../parts/times.tsx';
import type { SettingsForm } from './use-settings-form.ts';

const MARKS = [0, 6, 12, 18, 24];
const DAY_MINUTES = 1_440;

/** The strictest hours of a week, of rules and own hours, drawn as a calendar. */
export function WeekCalendar({ form, isLive }: { form: SettingsForm; isLive: boolean }) {
  const body = useDeferred(bodyOf(form, isLive));
  const { value: week, problem } = useLoaded(() => send<Week>('POST', '/rules/week', body), [body]);
  return (
    <figure class="week-figure stack tight">
      <figcaption class="small-text">
        <strong>The week</strong>
        {week !== undefined && <span class="soft">: {week.text}</span>}
      </figcaption>
      {problem !== undefined && (
        <p class="small-text" role="status">
          It is drawn when the hours are complete. {problem.detail}
        </p>
      )}
      <div class="week" aria-hidden="true">
        <div class="week-hours">
          {MARKS.map((hour) => (
            <span key={hour} style={{ top: `${(100 * hour) / 24}%` }}>
              {hour}
            </span>
          ))}
        </div>
        {(week?.days ?? []).map(({ day, windows, by }) => (
          <div
            key={day}
            class="week-day"
            title={by.length === 0 ? undefined : `by ${by.join(', ')}`}
          >
            <span class="week-name">{day}</span>
            <div class="week-column">
              {windows.map(({ from, to }) => (
                <div
                  key={from}
                  class="week-window"
                  style={{
                    top: `${(100 * from) / DAY_MINUTES}%`,
                    height: `${(100 * (to - from)) / DAY_MINUTES}%`,
                  }}
                >
                  <span>{timeOf(from)}</span>
                  <span>{timeOf(to)}</span>
                </div>
              ))}
            </div>
          </div>
        ))}
      </div>
      {week !== undefined && <WeekNotes week={week} />}
    </figure>
  );
}

function WeekNotes({ week: { caps, closedOn, mixesZones, days } }: { week: Week }) {
  const by = [...new Set(days.flatMap((day) => day.by))];
  const notes = [
    ...(by.length > 0 ? [`By ${by.join(', ')}.`] : []),
    ...caps.map((cap) => `${cap[0]?.toUpperCase() ?? ''}${cap.slice(1)}.`),
    ...(closedOn.length > 0 ? [`Nobody is called on ${closedOn.join(', ')}.`] : []),
    ...(mixesZones
      ? ['Drawn as if people were in the zone of the campaign; for the others, both hold at once.']
      : []),
  ];
  return (
    <ul class="small-text soft" role="list">
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );
}

function bodyOf(form: SettingsForm, live: boolean) {
  const [rules, from, to, days] = ['rules', 'hours.from', 'hours.to', 'hours.days'].map((key) =>
    form.value(key).trim(),
  );
  const hasHours = [from, to, days].some((value) => value !== '');
  const country = form.value('country').trim().toUpperCase();
  return {
    live,
    ...(rules !== '' && { rules }),
    ...(hasHours && {
      hours: { from: from || '00:00', to: to || '24:00', ...(days !== '' && { days }) },
    }),
    holidays: form.value('holidays').trim() || 'none',
    timezone: form.value('timezone').trim() || machineZone.value,
    ...(/^[A-Z]{2}$/.test(country) && { region: country }),
  };
}

function timeOf(minutes: number): string {
  const two = (n: number) => String(n).padStart(2, '0');
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
