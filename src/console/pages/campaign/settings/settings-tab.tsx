import { useState } from 'preact/hooks';

import { SECTIONS, SETTING_GROUPS } from '../../../../config/table/row.ts';
import {
  groupOf,
  labelOf,
  partsOf,
  SETTING_ROWS,
  SETTINGS,
  settingSentence,
  spokenValue,
  type SettingKey,
} from '../../../../config/table/settings-table.ts';
import { weekText, type DayWindows, type Weekday } from '../../../../domain/calling/policy.ts';
import { minutesOf } from '../../../../domain/nights/night.ts';
import type { CampaignDetail } from '../../../../views/campaigns.ts';
import type { Week } from '../../../../views/rules.ts';
import { send } from '../../api/client.ts';
import { useLoaded } from '../../api/loaded.ts';
import { Button } from '../../parts/button.tsx';
import { Icon } from '../../parts/badge.tsx';
import { SearchField } from '../../parts/forms/controls.tsx';
import { Said } from '../../parts/notice.tsx';
import { params, setParams } from '../../shell/navigation.ts';
import { may } from '../../shell/session.ts';
import type { ShownCampaign } from '../use-campaign.tsx';
import { BudgetsForm, SettingForm, type OfSetting } from './setting-forms.tsx';
import { TimesForm, timesOf, timesText } from './times-form.tsx';
import './week-calendar.css';

/** All settings by section, each changed in its place; which one is open stands in the address. */
export function SettingsTab({ shown }: { shown: ShownCampaign }) {
  const open = params.value.get('change');
  const wanted = (params.value.get('text') ?? '').toLowerCase();
  const found = SETTING_ROWS.filter(
    ([key]) => key in shown.campaign.settings && groupOf(key) === undefined,
  ).filter(
    ([key]) =>
      key === open ||
      [key, ...partsOf(key)].some((each) =>
        `${each} ${labelOf(SETTINGS[each])} ${SETTINGS[each].help}`.toLowerCase().includes(wanted),
      ),
  );
  // Where something of it was changed it stays open, so that what was saved is seen.
  const [isExpertOpen, setExpertOpen] = useState(false);
  const list = (rows: typeof found) => (
    <ul class="card settings" role="list">
      {rows.map(([key]) => (
        <Setting key={key} setting={key} shown={shown} />
      ))}
    </ul>
  );
  const expert = found.filter(([, row]) => row.section === undefined);
  return (
    <>
      <div class="row between">
        <p class="soft">A change holds within a second, unless it says otherwise.</p>
        <SearchField label="Find a setting" placeholder="hours, agent, budget" />
      </div>
      {found.length === 0 && <p role="status">No setting has these words.</p>}
      {SECTIONS.map((name) => {
        const rows = found.filter(([, row]) => row.section === name);
        return (
          rows.length > 0 && (
            <section key={name} class="stack tight">
              <h2>{name}</h2>
              {name === 'When' && <WeekCalendar campaign={shown.campaign} />}
              {list(rows)}
            </section>
          )
        );
      })}
      {expert.length > 0 && (
        <details
          class="stack expert"
          open={isExpertOpen || wanted !== '' || expert.some(([key]) => key === open)}
          onToggle={({ currentTarget }) => setExpertOpen(currentTarget.open)}
        >
          <summary>
            <h2>Expert</h2>
          </summary>
          {SETTING_GROUPS.map((group) => {
            const rows = expert.filter(([, row]) => row.group === group);
            return (
              rows.length > 0 && (
                <section key={group} class="stack tight">
                  <p class="soft">{group}</p>
                  {list(rows)}
                </section>
              )
            );
          })}
        </details>
      )}
    </>
  );
}

function Setting({ setting: key, shown }: OfSetting) {
  const row = SETTINGS[key];
  const { settings } = shown.campaign;
  const isOpen = params.value.get('change') === key;
  const mayBeSet = row.onlyHere === undefined && row.holds !== 'new run';
  const mayChange = may('operator') && mayBeSet;
  const label = labelOf(row);
  // Until when calls are made is said with their times.
  const budgets = settings['stop']?.replace(/^until [\d:]+(; )?|, until [\d:]+/, '');
  // The schedule is part of it, too.
  const isTimes = key === 'notBefore';
  const Form = isTimes ? TimesForm : key === 'stop' ? BudgetsForm : SettingForm;
  return (
    <li>
      <div class="setting">
        <div>
          <h3>{label}</h3>
          <p class="soft small-text">
            <Said text={isTimes ? 'Once, or every week on chosen days.' : settingSentence(row)} />
            {row.holds === undefined && ' A change holds from the next start on.'}
            {!mayBeSet && ' Set in a terminal of the console’s machine only.'}
          </p>
        </div>
        <div class="break setting-value">
          {isTimes
            ? timesText(settings)
            : key === 'stop'
              ? budgets || 'none'
              : spokenValue(key, settings[key] ?? '')}
        </div>
        {mayChange && (
          <Button
            kind="small"
            aria-expanded={isOpen}
            aria-label={`Change ${label}`}
            onClick={() => setParams({ change: isOpen ? null : key })}
          >
            Change
            <Icon name={isOpen ? 'up' : 'down'} />
          </Button>
        )}
      </div>
      {isOpen && mayChange && <Form setting={key} shown={shown} />}
    </li>
  );
}

/** The part of a day's windows in which calls are made at these times. */
function clipped(
  windows: Week['days'][number]['windows'],
  { how, at, days, until }: ReturnType<typeof timesOf>,
  day?: Weekday,
): DayWindows {
  const isWeekly = how === 'weekly';
  if (isWeekly && day !== undefined && !days.includes(day)) return [];
  const begins = isWeekly ? minutesOf(at) : 0;
  const ends = isWeekly && until !== '' ? minutesOf(until) : DAY_MINUTES;
  // An end before the beginning is on the next day, which is not drawn.
  const end = ends > begins ? ends : DAY_MINUTES;
  return windows
    .map(({ from, to }) => [Math.max(from, begins), Math.min(to, end)] as const)
    .filter(([from, to]) => from < to);
}

const MARKS = [0, 6, 12, 18, 24];
const DAY_MINUTES = 1_440;

/** The strictest hours of a week, of rules and own hours, drawn as a calendar. */
function WeekCalendar({ campaign }: { campaign: CampaignDetail }) {
  const body = bodyOf(campaign);
  const { value: week, problem } = useLoaded(() => send<Week>('POST', '/rules/week', body), [body]);
  const times = timesOf(campaign.settings);
  const days = (week?.days ?? []).map(({ day, by, windows }) => {
    return { day, by, windows: clipped(windows, times, day) };
  });
  const byDay = Object.fromEntries(days.map(({ day, windows }) => [day, windows]));
  const holidays = week?.holidays ? clipped(week.holidays, times) : null;
  return (
    <figure class="stack tight">
      <figcaption class="small-text">
        <strong>The week</strong>
        {week !== undefined && (
          <span class="soft">
            : {weekText({ week: byDay as Record<Weekday, DayWindows>, holidays })}
          </span>
        )}
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
        {days.map(({ day, windows, by }) => (
          <div
            key={day}
            class="week-day"
            title={by.length === 0 ? undefined : `by ${by.join(', ')}`}
          >
            <span class="week-name">{day}</span>
            <div class="week-column">
              {windows.map(([from, to]) => (
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
  const by = [...new Set(days.flatMap((day) => day.by))].map((name) =>
    name === 'hours' ? 'your own hours' : name,
  );
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
