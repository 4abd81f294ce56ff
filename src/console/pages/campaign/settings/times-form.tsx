import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

import {
  labelOf,
  SETTINGS,
  spokenValue,
  type SettingKey,
} from '../../../../config/table/settings-table.ts';
import { daysText, title, WEEKDAYS } from '../../../../domain/calling/policy.ts';
import { weeklyOf } from '../../../../domain/nights/night.ts';
import type { CampaignDetail } from '../../../../views/campaigns.ts';
import type { Problem } from '../../../../views/fields.ts';
import { CheckField, SelectField, TextField } from '../../parts/field.tsx';
import { ChangeForm, type OfSetting } from './setting-forms.tsx';

/** When it is called, in its own words: as soon as it is started, once later, every week, or by cron notation. */
function timesOf(settings: CampaignDetail['settings']) {
  const { schedule = 'none', notBefore = 'none', 'stop.at': until = 'none' } = settings;
  const weekly = weeklyOf(schedule);
  const from = notBefore === 'none' ? '' : notBefore.replace(/ 00:00$/, '');
  const how = schedule !== 'none' ? 'cron' : from === '' ? 'soon' : 'once';
  return {
    how: weekly === undefined ? how : 'weekly',
    at: weekly?.at ?? '18:00',
    days: weekly?.days ?? WEEKDAYS.slice(0, 5),
    until: until === 'none' ? '' : until,
    from,
  };
}
type Times = ReturnType<typeof timesOf>;

/** The same as a sentence, with the hours that the operator has set besides. */
function timesText(settings: CampaignDetail['settings']): string {
  const { schedule = '', timezone = '', hours = 'none' } = settings;
  const { how, at, days, until, from } = timesOf(settings);
  const begins = {
    soon: 'As soon as it is started, within the hours that the rules allow',
    once: `Once, not before ${from}`,
    weekly: `Every ${daysText(days)} from ${at}`,
    cron: `By the schedule ${schedule}`,
  }[how];
  return [
    `${begins ?? ''}${until === '' ? '' : ` until ${until}`}${how === 'soon' ? '' : ` (${timezone})`}`,
    ...(from === '' || how === 'once' ? [] : [`from ${from} on`]),
    ...(hours === 'none' ? [] : [`only within ${hours}`]),
  ].join(', ');
}

/** A setting as pages say it. */
export function settingText(key: SettingKey, settings: CampaignDetail['settings']): string {
  // Its times have the schedule and their end, too, which budgets need not repeat.
  if (key === 'notBefore') return timesText(settings);
  const value = settings[key] ?? 'none';
  if (key !== 'stop') return spokenValue(key, value);
  return value.replace(/^until [\d:]+(; )?|, until [\d:]+/, '') || 'none';
}

/** What `set` takes for it; what has another place in cron notation stays as it is. */
function settingsOf({ how, at, days, until, from }: Times): Record<string, string> {
  return {
    ...((how === 'soon' || how === 'once') && { schedule: 'none' }),
    // Without a day it is refused, not called on all, nor at once.
    ...(how === 'weekly' && { schedule: `${at} ${days.join(',') || 'no day'}` }),
    'stop.at': until || 'none',
    notBefore: how === 'soon' ? 'none' : from || (how === 'once' ? 'no day' : 'none'),
  };
}

/** One sentence: call every Mon-Fri from 18:00 until 21:00, from a day on. */
export function TimesForm({ setting, shown }: OfSetting) {
  const { settings, timezone } = shown.campaign;
  const [before] = useState(() => timesOf(settings));
  const [typed, setTyped] = useState(before);
  const { how, days } = typed;
  const type = (more: Partial<Times>) => setTyped({ ...typed, ...more });
  const inZone = (
    <>
      In <a href="?change=timezone">{timezone}</a>, for everybody
    </>
  );
  const known = settingsOf(before);
  const set = Object.entries(settingsOf(typed)).filter(([key, value]) => known[key] !== value);
  const line = (
    of: 'at' | 'until' | 'from',
    label: string,
    placeholder: string,
    problem: Problem | undefined,
    about?: ComponentChildren,
  ) => (
    <TextField
      label={label}
      {...(about !== undefined && { about })}
      placeholder={placeholder}
      autoComplete="off"
      value={typed[of]}
      problem={problem}
      onChange={(value) => type({ [of]: value.trim() })}
    />
  );
  return (
    <ChangeForm setting={setting} shown={shown} set={Object.fromEntries(set)}>
      {(wrong) => (
        <>
          <SelectField
            label="Call"
            value={how}
            problem={how === 'weekly' ? undefined : wrong('schedule')}
            onChange={(value) => type({ how: value })}
            choices={[
              {
                value: 'soon',
                text: `${shown.campaign.state === 'running' ? 'at once: saving it begins calls' : 'as soon as I start it'}, within the hours that the rules allow`,
              },
              { value: 'once', text: 'once, not before a day and time' },
              { value: 'weekly', text: 'every week, on chosen days' },
              ...(before.how === 'cron' ? [{ value: 'cron', text: 'as Expert says' }] : []),
            ]}
          />
          {how === 'weekly' && (
            <div class="row" role="group" aria-label="Every">
              <strong class="small-text">Every</strong>
              {WEEKDAYS.map((day) => (
                <CheckField
                  key={day}
                  checked={days.includes(day)}
                  onChange={(isOn) =>
                    type({ days: WEEKDAYS.filter((d) => (d === day ? isOn : days.includes(d))) })
                  }
                >
                  {title(day)}
                </CheckField>
              ))}
            </div>
          )}
          <div class="columns narrow">
            {how === 'weekly' && line('at', 'From', '18:00', wrong('schedule'), inZone)}
            {how === 'once' &&
              line('from', 'Not before', '2026-12-01 09:00', wrong('notBefore'), inZone)}
            {line(
              'until',
              'Until',
              'hours close',
              wrong('stop.at'),
              'No call begins later that day',
            )}
            {(how === 'weekly' || how === 'cron') &&
              line(
                'from',
                'Beginning on',
                'the next of these days',
                wrong('notBefore'),
                'e.g. 2026-12-01',
              )}
          </div>
          <p class="soft small-text">
            {labelOf(SETTINGS.hours)}, narrower than those of the rules:{' '}
            {settings['hours'] ?? 'none'}. <a href="?change=hours">Change them under Expert</a>
          </p>
        </>
      )}
    </ChangeForm>
  );
}
