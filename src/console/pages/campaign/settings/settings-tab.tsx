import { useState } from 'preact/hooks';

import { SETTING_GROUPS } from '../../../../config/table/row.ts';
import {
  choicesOf,
  partsOf,
  SETTING_ROWS,
  SETTINGS,
  settingSentence,
  type SettingKey,
} from '../../../../config/table/settings-table.ts';
import type { CampaignDetail } from '../../../../views/campaigns.ts';
import type { Week } from '../../../../views/rules.ts';
import type { Problem } from '../../../../views/fields.ts';
import { path, send } from '../../api/client.ts';
import { useLoaded } from '../../api/loaded.ts';
import { Icon } from '../../parts/badge.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { ProblemNotice, Said } from '../../parts/notice.tsx';
import { params, setParams } from '../../shell/navigation.ts';
import { may } from '../../shell/session.ts';
import { type Changed, type ShownCampaign, useChange } from '../use-campaign.tsx';
import './week-calendar.css';

/** Changes one setting; of a group, those of its keys that are filled in. */
function SettingForm({ setting: key, shown }: { setting: SettingKey; shown: ShownCampaign }) {
  const parts = partsOf(key);
  const isGroup = parts.length > 0;
  const { settings, version } = shown.campaign;
  // What was there when it was opened is what the person has looked at.
  const [seen] = useState({ version, value: settings[key] ?? '' });
  const [typed, setTyped] = useState<Record<string, string>>(isGroup ? {} : { [key]: seen.value });
  const close = () => {
    // While it was saved, another one may have been opened.
    if (params.value.get('change') === key) setParams({ change: null });
  };
  const change = useSettings(shown, {
    now: (now) => `${key} is ${now.settings[key] ?? ''} now.`,
    onDone: close,
  });
  const set = Object.fromEntries(
    Object.entries(typed)
      .map(([each, value]) => [each, value.trim()] as const)
      .filter(([each, value]) => value !== '' && !(each === key && value === seen.value)),
  );
  const { problem } = change;
  const wrong = problem && keyOf(problem, Object.keys(set));
  const field = (each: SettingKey) => (
    <SettingField
      key={each}
      setting={each}
      label={each}
      empty={isGroup ? 'as it is' : undefined}
      value={typed[each] ?? ''}
      problem={wrong === each ? problem : undefined}
      onChange={(value) => {
        setTyped({ ...typed, [each]: value });
      }}
    />
  );
  return (
    <form
      class="stack setting-form"
      aria-label={`Change ${key}`}
      onSubmit={(event) => {
        event.preventDefault();
        if (Object.keys(set).length > 0) void change.run(seen.version, set);
      }}
    >
      {!isGroup ? (
        field(key)
      ) : (
        <>
          <p class="soft small-text">What is left empty stays as it is; none takes it away.</p>
          <div class="columns setting-parts">{parts.map(field)}</div>
        </>
      )}
      {problem !== undefined && wrong === undefined && <ProblemNotice problem={problem} />}
      <div class="row tight">
        <button
          class="button primary"
          type="submit"
          disabled={change.isBusy || Object.keys(set).length === 0}
        >
          Save {key}
        </button>
        {isGroup && seen.value !== 'none' && (
          <button
            class="button"
            type="button"
            disabled={change.isBusy}
            onClick={() => void change.run(seen.version, { [key]: 'none' })}
          >
            Take {key} away
          </button>
        )}
        <button class="button quiet" type="button" onClick={close}>
          Leave as it is
        </button>
      </div>
      {change.question}
    </form>
  );
}

/** All settings, each changed in its place; which one is open stands in the address. */
export function SettingsTab({ shown }: { shown: ShownCampaign }) {
  return (
    <>
      <p class="soft">
        They are those of <code>callsheet set</code>. A run in progress follows a change within a
        second, unless it says otherwise.
      </p>
      {/* What the first group holds is chosen with the list alone. */}
      {SETTING_GROUPS.slice(1).map((title) => (
        <section key={title} class="stack tight">
          <h2>{title}</h2>
          {title === 'When people are called' && <WeekCalendar campaign={shown.campaign} />}
          <ul class="card settings" role="list">
            {SETTING_ROWS.filter(([, row]) => row.group === title)
              .filter(([key]) => key in shown.campaign.settings)
              .map(([key]) => (
                <Setting key={key} setting={key} shown={shown} />
              ))}
          </ul>
        </section>
      ))}
    </>
  );
}

function Setting({ setting: key, shown }: { setting: SettingKey; shown: ShownCampaign }) {
  const { onlyHere, holds } = SETTINGS[key];
  const isOpen = params.value.get('change') === key;
  const mayBeSet = onlyHere === undefined && holds !== 'new run';
  const mayChange = may('operator') && mayBeSet;
  return (
    <li>
      <div class="setting">
        <div>
          <h3>{key}</h3>
          <p class="soft small-text">
            <Said text={settingSentence(SETTINGS[key])} />
            {holds === undefined && ' A change holds from the next run on.'}
            {!mayBeSet && ' Set in a terminal of the console’s machine only.'}
          </p>
        </div>
        <div class="break setting-value">{shown.campaign.settings[key]}</div>
        {mayChange && (
          <button
            class="button small"
            type="button"
            aria-expanded={isOpen}
            aria-label={`Change ${key}`}
            onClick={() => {
              setParams({ change: isOpen ? null : key });
            }}
          >
            Change
            <Icon name={isOpen ? 'up' : 'down'} />
          </button>
        )}
      </div>
      {isOpen && mayChange && <SettingForm setting={key} shown={shown} />}
    </li>
  );
}

/** The field of a setting, a menu where it has choices. @param empty the text of the choice of nothing; default: none */
function SettingField({
  setting,
  label,
  empty,
  ...field
}: {
  setting: SettingKey;
  label: string;
  empty?: string | undefined;
  value: string;
  problem: Problem | undefined;
  onChange: (value: string) => void;
}) {
  const row = SETTINGS[setting];
  const own = { ...field, label, about: <Said text={settingSentence(row)} /> };
  const choices = choicesOf(row);
  if (choices === undefined)
    return <TextField {...own} autoComplete="off" placeholder={empty ?? ''} />;
  const none = empty === undefined ? [] : [{ value: '', text: empty }];
  return <SelectField {...own} choices={[...none, ...choices]} />;
}

/** Changes settings by the keys and values of `callsheet set`. */
export function useSettings(
  shown: ShownCampaign,
  given: { now: (campaign: CampaignDetail) => string; onDone?: () => void },
) {
  const { name } = shown.campaign;
  return useChange(
    shown,
    (ifVersion, set: Record<string, string>) =>
      send<Changed>('PATCH', path`/campaigns/${name}/settings`, { ifVersion, set }),
    given,
  );
}

/** Which of the keys that were sent a refusal is about; undefined: none of them, e.g. a lost connection. */
export function keyOf({ code, detail }: Problem, sent: readonly string[]): string | undefined {
  if (code === 'CONNECTION_LOST') return undefined;
  return sent.length === 1 ? sent[0] : sent.find((key) => detail.includes(key));
}

const MARKS = [0, 6, 12, 18, 24];
const DAY_MINUTES = 1_440;

/** The strictest hours of a week, of rules and own hours, drawn as a calendar. */
function WeekCalendar({ campaign }: { campaign: CampaignDetail }) {
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
