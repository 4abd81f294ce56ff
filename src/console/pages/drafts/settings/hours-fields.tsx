import { useEffect, useState } from 'preact/hooks';

import type { Rule, Week } from '../../../contract/rules.ts';
import { get, send } from '../../api/client.ts';
import { useLoaded } from '../../api/loaded.ts';
import { CheckField, TextField } from '../../parts/field.tsx';
import { ProblemNotice } from '../../parts/notice.tsx';
import { machineZone } from '../../parts/times.tsx';
import { SettingFields, SettingsPart } from './setting-fields.tsx';
import type { SettingsForm } from './use-settings-form.ts';

const MARKS = [0, 6, 12, 18, 24];
const DAY_MINUTES = 1_440;

/** The strictest hours of a week, of rules and own hours, drawn as a calendar. */
function WeekCalendar({ form, isLive }: { form: SettingsForm; isLive: boolean }) {
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

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const ZONES = Intl.supportedValuesOf('timeZone');

/** When people may be called: rules, own hours, and the week that they come to. */
export function HoursFields({ form, isLive }: { form: SettingsForm; isLive: boolean }) {
  return (
    <SettingsPart
      title="When people are called"
      about="Rules count in each person's own time zone; the campaign's hours in its own."
    >
      <div class="columns hours-part">
        <div class="stack">
          <RuleBoxes form={form} isLive={isLive} />
          <div class="from-to">
            <TextField {...fieldOf(form, 'hours.from')} label="From" placeholder="09:00" />
            <TextField {...fieldOf(form, 'hours.to')} label="To" placeholder="20:00" />
          </div>
          <DayBoxes form={form} />
          <TextField
            {...fieldOf(form, 'timezone')}
            label="Time zone of the campaign"
            placeholder={machineZone.value}
            list="zones"
          />
          <datalist id="zones">
            {ZONES.map((zone) => (
              <option key={zone} value={zone} />
            ))}
          </datalist>
          <SettingFields form={form} fields={['country', 'holidays']} />
        </div>
        <WeekCalendar form={form} isLive={isLive} />
      </div>
    </SettingsPart>
  );
}

function fieldOf(form: SettingsForm, key: string) {
  return {
    value: form.value(key),
    problem: form.problemOf(key),
    autoComplete: 'off',
    onChange: (value: string) => {
      form.set(key, value);
    },
  };
}

function RuleBoxes({ form, isLive }: { form: SettingsForm; isLive: boolean }) {
  const rules = useLoaded((signal) => get<{ items: Rule[] }>('/rules', signal), []);
  const chosen = listOf(form.value('rules'));
  const problem = rules.problem ?? form.problemOf('rules');
  const toggle = (name: string, isOn: boolean) => {
    const others = chosen.filter((one) => one !== name);
    const kept = name === 'always' ? [] : others.filter((one) => one !== 'always');
    form.set('rules', (isOn ? [...kept, name] : others).join());
  };
  return (
    <fieldset class="boxes">
      <legend>Rules</legend>
      {problem !== undefined && <ProblemNotice problem={problem} />}
      <div class="rule-boxes" tabIndex={0} role="region" aria-label="Rules that can be chosen">
        {rules.value?.items.map(({ name, about }) => (
          <CheckField
            key={name}
            checked={chosen.includes(name)}
            onChange={(isOn) => {
              toggle(name, isOn);
            }}
          >
            <strong>{name}</strong> <span class="soft small-text">{about}</span>
          </CheckField>
        ))}
      </div>
      {chosen.length > 0 ? (
        <p class="small-text">Chosen: {chosen.join(', ')}</p>
      ) : (
        <p class="soft small-text">
          Where none is chosen,{' '}
          {isLive
            ? 'local holds: the rules of each person’s own place, and conservative for everybody'
            : 'no rule holds, as nobody real is called'}
          .
        </p>
      )}
    </fieldset>
  );
}

function DayBoxes({ form }: { form: SettingsForm }) {
  const value = form.value('hours.days');
  const chosen = value === '' ? DAYS : listOf(value);
  // What was typed elsewhere, e.g. mon-fri, stays as it is typed.
  if (chosen.some((day) => !DAYS.includes(day)))
    return <TextField {...fieldOf(form, 'hours.days')} label="Days" />;
  return (
    <fieldset class="boxes">
      <legend>Days</legend>
      <div class="row tight">
        {DAYS.map((day) => (
          <CheckField
            key={day}
            checked={chosen.includes(day)}
            onChange={(isOn) => {
              const days = DAYS.filter((one) => (one === day ? isOn : chosen.includes(one)));
              form.set('hours.days', days.length === DAYS.length ? '' : days.join());
            }}
          >
            {day[0]?.toUpperCase()}
            {day.slice(1)}
          </CheckField>
        ))}
      </div>
    </fieldset>
  );
}

function listOf(value: string): string[] {
  return value
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

const REST_MS = 300;

/** The value once it has rested: while somebody types, nothing is asked. Compared by its text. */
function useDeferred<T>(value: T): T {
  const [deferred, setDeferred] = useState(value);
  const key = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => {
      setDeferred(value);
    }, REST_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [key]);
  return deferred;
}
