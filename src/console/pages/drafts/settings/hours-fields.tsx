import type { Rule } from '../../../contract/rules.ts';
import { get } from '../../api/client.ts';
import { useLoaded } from '../../api/loaded.ts';
import { CheckField, TextField } from '../../parts/field.tsx';
import { ProblemNotice } from '../../parts/notice.tsx';
import { machineZone } from '../../parts/times.tsx';
import { SettingFields, SettingsPart } from './setting-fields.tsx';
import type { SettingsForm } from './use-settings-form.ts';
import { WeekCalendar } from './week-calendar.tsx';

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
