import type { SettingKey } from '../../../../config/table/settings-table.ts';
import type { CampaignDetail } from '../../../contract/campaigns.ts';
import type { Week } from '../../../../views/rules.ts';
import { send } from '../../api/client.ts';
import { useLoaded } from '../../api/loaded.ts';
import './week-calendar.css';

const MARKS = [0, 6, 12, 18, 24];
const DAY_MINUTES = 1_440;

/** The strictest hours of a week, of rules and own hours, drawn as a calendar. */
export function WeekCalendar({ campaign }: { campaign: CampaignDetail }) {
  const body = bodyOf(campaign);
  const { value: week, problem } = useLoaded(() => send<Week>('POST', '/rules/week', body), [body]);
  return (
    <figure class="week-figure stack tight">
      <figcaption class="small-text">
        <strong>The week</strong>
        {week !== undefined && <span class="soft">: {week.text}</span>}
      </figcaption>
      {problem !== undefined && (
        <p class="small-text" role="status">
          It cannot be drawn. {problem.detail}
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

/** The hours and rules of a campaign, as the API draws a week of them. */
function bodyOf({ settings, simulated, timezone }: CampaignDetail) {
  const set = (key: SettingKey) => settings[key] ?? 'none';
  const [, from = '', to = '', days] = /^([\d:]+)-([\d:]+)(?: (.+))?$/.exec(set('hours')) ?? [];
  return {
    live: !simulated,
    rules: set('rules'),
    ...(from !== '' && { hours: { from, to, ...(days !== undefined && { days }) } }),
    holidays: set('holidays'),
    timezone,
    ...(set('country') !== 'none' && { region: set('country') }),
  };
}

function timeOf(minutes: number): string {
  const two = (n: number) => String(n).padStart(2, '0');
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
