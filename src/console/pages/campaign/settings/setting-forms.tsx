import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';

import {
  boundsOf,
  choicesOf,
  labelOf,
  partsOf,
  rowOf,
  SETTINGS,
  type SettingKey,
} from '../../../../config/table/settings-table.ts';
import { formatDays, title, WEEKDAYS } from '../../../../domain/calling/policy.ts';
import { weeklyOf } from '../../../../domain/nights/night.ts';
import type { CampaignDetail } from '../../../../views/campaigns.ts';
import type { Problem } from '../../../../views/fields.ts';
import { path, send } from '../../api/client.ts';
import { Button, Form } from '../../parts/button.tsx';
import { CheckField, SelectField, TextField, type FieldProps } from '../../parts/field.tsx';
import { ProblemNotice, Said } from '../../parts/notice.tsx';
import { params, setParams } from '../../shell/navigation.ts';
import { type Changed, type ShownCampaign, useChange } from '../use-campaign.tsx';

export interface OfSetting {
  setting: SettingKey;
  shown: ShownCampaign;
}

/**
 * The form below a setting.
 *
 * @param set what is sent, by key; empty: nothing was changed
 * @param children get what is wrong with a key
 */
function ChangeForm({
  setting: key,
  shown,
  set,
  mayTakeAway = false,
  children,
}: OfSetting & {
  set: Readonly<Record<string, string>>;
  mayTakeAway?: boolean;
  children: (wrong: (key: SettingKey) => Problem | undefined) => ComponentChildren;
}) {
  const label = labelOf(SETTINGS[key]);
  // What was there when it was opened is what the person has looked at.
  const [{ version }] = useState(shown.campaign);
  const close = () => {
    // While it was saved, another one may have been opened.
    if (params.value.get('change') === key) setParams({ change: null });
  };
  const { problem, ...change } = useSettings(shown, {
    now: (now) => `${label}: ${now.settings[key] ?? ''} now.`,
    onDone: close,
  });
  const isUnchanged = Object.keys(set).length === 0;
  // Made once for each refusal: a new one takes the keyboard.
  const wrong = useMemo(() => problemsAt(problem, Object.keys(set)), [problem]);
  return (
    <Form
      class="stack setting-form"
      aria-label={`Change ${label}`}
      does={() => !isUnchanged && change.run(version, set)}
    >
      {children((each) => wrong[each])}
      {problem !== undefined && Object.keys(wrong).length === 0 && (
        <ProblemNotice problem={problem} />
      )}
      <div class="row tight">
        <button class="button primary" type="submit" aria-disabled={change.isBusy || isUnchanged}>
          Save
        </button>
        {mayTakeAway && (
          <Button
            aria-disabled={change.isBusy}
            onClick={() => void change.run(version, { [key]: 'none' })}
          >
            Take it away
          </Button>
        )}
        <Button kind="quiet" onClick={close}>
          Leave as it is
        </Button>
      </div>
      {change.question}
    </Form>
  );
}

/** Changes one setting, or the parts of a group, which hold what holds now. An emptied part is none, or as by default. */
export function SettingForm({ setting: key, shown }: OfSetting) {
  const parts = partsOf(key);
  const { settings } = shown.campaign;
  const isSet = settings[key] !== 'none';
  const isGroup = parts.length > 0;
  const [before] = useState(() =>
    isGroup
      ? Object.fromEntries(
          parts.map((each) => [each, (settings[each] ?? '').replace(/^none$/, '')]),
        )
      : { [key]: settings[key] ?? '' },
  );
  const [typed, setTyped] = useState<Record<string, string>>(before);
  // A setting that stands alone is never taken away by an empty field: none is typed.
  const set = Object.entries(typed)
    .map(([each, value]) => [each, value.trim()] as const)
    .filter(([each, value]) => value !== before[each] && (isGroup || value !== ''))
    .map(([each, value]) => [each, value || emptiedOf(each)] as const);
  // Hours need both of their ends.
  const isShut = key === 'hours' && isSet && !typed['hours.from'] && !typed['hours.to'];
  return (
    <ChangeForm
      setting={key}
      shown={shown}
      set={isShut ? { hours: 'none' } : Object.fromEntries(set)}
      mayTakeAway={isGroup && isSet}
    >
      {(wrong) => {
        const field = (each: SettingKey) => (
          <SettingField
            key={each}
            setting={each}
            isSet={isSet}
            value={typed[each] ?? ''}
            problem={wrong(each)}
            onChange={(value) => setTyped({ ...typed, [each]: value })}
          />
        );
        if (!isGroup) return field(key);
        return <div class="columns setting-parts">{parts.map(field)}</div>;
      }}
    </ChangeForm>
  );
}

function emptiedOf(key: string): string {
  const { none, byDefault = 'none' } = rowOf(key) ?? {};
  return none === true ? 'none' : byDefault;
}

/** When it is called, in its own words: at once, nightly, or by cron notation. */
export function timesOf(settings: CampaignDetail['settings']) {
  const { schedule = 'none', notBefore = 'none', stop = '' } = settings;
  const weekly = weeklyOf(schedule);
  return {
    how: schedule === 'none' ? 'once' : weekly === undefined ? 'cron' : 'nightly',
    at: weekly?.at ?? '18:00',
    days: weekly?.days ?? WEEKDAYS.slice(0, 5),
    until: /(?:^|, )until ([\d:]+)/.exec(stop)?.[1] ?? '',
    from: notBefore === 'none' ? '' : notBefore.replace(/ 00:00$/, ''),
  };
}
type Times = ReturnType<typeof timesOf>;

export function timesText(settings: CampaignDetail['settings']): string {
  const { schedule = '', timezone = '' } = settings;
  const { how, at, days, until, from } = timesOf(settings);
  const on = formatDays(days)
    .replaceAll(/[a-z]{3}/g, title)
    .replaceAll(',', ', ');
  const begins = { once: 'When it is started', cron: schedule, nightly: `At ${at}, ${on}` }[how];
  const ends = how === 'nightly' && until !== '' ? `, until ${until}` : '';
  const zone = how === 'nightly' ? ` (${timezone})` : '';
  return `${begins ?? ''}${ends}${zone}${from === '' ? '' : `, not before ${from}`}`;
}

/** What `set` takes for it; what has another place in cron notation stays as it is. */
function settingsOf({ how, at, days, until, from }: Times): Record<string, string> {
  return {
    ...(how === 'once' && { schedule: 'none' }),
    // Without a day it is refused, not called on all.
    ...(how === 'nightly' && { schedule: `${at} ${days.join(',') || 'no day'}` }),
    ...(how === 'nightly' && { 'stop.at': until || 'none' }),
    notBefore: from || 'none',
  };
}

export function TimesForm({ setting, shown }: OfSetting) {
  const [before] = useState(() => timesOf(shown.campaign.settings));
  const [typed, setTyped] = useState(before);
  const { how, days } = typed;
  const type = (more: Partial<Times>) => setTyped({ ...typed, ...more });
  const zone = shown.campaign.timezone;
  const known = settingsOf(before);
  const set = Object.entries(settingsOf(typed)).filter(([key, value]) => known[key] !== value);
  const line = (
    of: 'at' | 'until' | 'from',
    label: string,
    such: string,
    problem?: Problem,
    about?: string,
  ) => (
    <TextField
      label={label}
      {...(about !== undefined && { about })}
      placeholder={such}
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
            label="Calling begins"
            value={how}
            problem={how === 'nightly' ? undefined : wrong('schedule')}
            onChange={(value) => type({ how: value })}
            choices={[
              { value: 'once', text: 'when it is started' },
              { value: 'nightly', text: 'at a time on days of the week' },
              ...(before.how === 'cron' ? [{ value: 'cron', text: 'as Expert says' }] : []),
            ]}
          />
          {how === 'nightly' && (
            <div class="row" role="group" aria-label="On">
              <strong class="small-text">On</strong>
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
          <div class="columns setting-parts">
            {how === 'nightly' && line('at', 'At', '18:00', wrong('schedule'), `In ${zone}`)}
            {how === 'nightly' && line('until', 'Until', 'hours close', wrong('stop.at'))}
            {line('from', 'Not before', 'any day, or 2026-12-01 09:00', wrong('notBefore'))}
          </div>
        </>
      )}
    </ChangeForm>
  );
}

/** The field of a setting, a menu where it has choices. @param isSet false: empty, it shows what a new setting would have */
function SettingField({
  setting,
  isSet,
  ...field
}: Omit<FieldProps, 'label'> & { setting: SettingKey; isSet: boolean }) {
  const row = SETTINGS[setting];
  const about = boundsOf(row);
  const own = {
    ...field,
    label: labelOf(row),
    ...(about !== '' && { about: <Said text={about} /> }),
  };
  const choices = choicesOf(row);
  const usual = isSet ? emptiedOf(setting) : row.byDefault;
  if (choices === undefined) return <TextField {...own} autoComplete="off" placeholder={usual} />;
  const none = field.value === '' ? [{ value: '', text: usual }] : [];
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
    async (ifVersion, set: Record<string, string>) => {
      const at = path`/campaigns/${name}/settings`;
      const { messages, ...answer } = await send<Changed>('PATCH', at, { ifVersion, set });
      return { ...answer, messages: [{ kind: 'told', text: 'Saved.' }, ...messages] };
    },
    given,
  );
}

/** Which of the keys that were sent a refusal is about; undefined: none of them, e.g. a lost connection. */
export function keyOf({ code, detail }: Problem, sent: readonly string[]): string | undefined {
  if (code === 'CONNECTION_LOST') return undefined;
  return sent.length === 1 ? sent[0] : sent.find((key) => detail.includes(key));
}

/** What is wrong with each of the keys that were sent; empty: it is about none of them. */
function problemsAt(problem: Problem | undefined, sent: readonly string[]) {
  const wrong: Partial<Record<string, Problem>> = {};
  if (problem === undefined) return wrong;
  for (const { field, detail } of problem.errors ?? [])
    wrong[field] = { ...problem, detail, hint: null };
  const key = problem.errors === undefined ? keyOf(problem, sent) : undefined;
  if (key !== undefined) wrong[key] = problem;
  return wrong;
}
