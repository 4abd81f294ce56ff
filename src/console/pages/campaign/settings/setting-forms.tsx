import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';

import {
  boundsOf,
  choicesOf,
  labelOf,
  partsOf,
  rowOf,
  SETTINGS,
  spokenValue,
  type SettingKey,
} from '../../../../config/table/settings-table.ts';
import type { CampaignDetail } from '../../../../views/campaigns.ts';
import type { Problem } from '../../../../views/fields.ts';
import { path, send } from '../../api/client.ts';
import { Button, Form } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { SelectField, TextField, type FieldProps } from '../../parts/field.tsx';
import { ProblemNotice, Said } from '../../parts/notice.tsx';
import { go, params, saveAndGo, setParams, unsaved } from '../../shell/navigation.ts';
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
export function ChangeForm({
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
  const [leaving, setLeaving] = useState<string>();
  const close = () => {
    unsaved.value = undefined;
    // While it was saved, another one may have been opened.
    if (params.value.get('change') !== key) return;
    // The keyboard goes back to the button that opened the form.
    const form = document.activeElement?.closest('.setting-form');
    form?.previousElementSibling?.querySelector('button')?.focus();
    setParams({ change: null });
  };
  const { problem, ...change } = useSettings(shown, {
    now: (now) => `${label}: ${spokenValue(key, now.settings[key] ?? '')} now.`,
    onDone: close,
  });
  const isUnchanged = Object.keys(set).length === 0;
  useLayoutEffect(() => {
    if (isUnchanged) return undefined;
    const { isBusy } = change;
    unsaved.value = { save: () => change.run(version, set), ask: setLeaving, isBusy };
    return () => {
      unsaved.value = undefined;
    };
  });
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
        <Button kind="quiet" onClick={close}>
          Leave it
        </Button>
        {mayTakeAway && (
          <Button
            aria-disabled={change.isBusy}
            onClick={() => void change.run(version, { [key]: 'none' })}
          >
            Take it away
          </Button>
        )}
        <button class="button primary" type="submit" aria-disabled={change.isBusy || isUnchanged}>
          Save
        </button>
      </div>
      {change.question}
      {leaving !== undefined && (
        <Dialog title={`${label}: not saved yet`} onClose={() => setLeaving(undefined)}>
          <footer>
            <Button
              onClick={() => {
                unsaved.value = undefined;
                go(leaving);
              }}
            >
              Go on without it
            </Button>
            <Button
              kind="primary"
              onClick={() => {
                setLeaving(undefined);
                void saveAndGo(leaving);
              }}
            >
              Save
            </Button>
          </footer>
        </Dialog>
      )}
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
        const [first = key, ...rest] = parts;
        if (key !== 'retry') return <div class="columns narrow">{parts.map(field)}</div>;
        return (
          <>
            {field(first)}
            <details class="stack" open={rest.some(wrong)}>
              <summary>More</summary>
              <div class="columns narrow">{rest.map(field)}</div>
            </details>
          </>
        );
      }}
    </ChangeForm>
  );
}

function emptiedOf(key: string): string {
  const { none, byDefault = 'none' } = rowOf(key) ?? {};
  return none === true ? 'none' : byDefault;
}

/** Budgets as sentences: at most so many of one thing. One that is taken out is none. */
export function BudgetsForm({ setting, shown }: OfSetting) {
  const [before] = useState(() =>
    partsOf(setting)
      // Until when a night goes on belongs to when calls are made.
      .filter((key) => key !== 'stop.at')
      .map((key): [SettingKey, string] => [key, shown.campaign.settings[key] ?? 'none']),
  );
  const [typed, setTyped] = useState(() => before.filter(([, value]) => value !== 'none'));
  const rows = useRef<HTMLDivElement>(null);
  const wereShown = useRef(typed.length);
  useEffect(() => {
    const isAdded = typed.length > wereShown.current;
    wereShown.current = typed.length;
    const last = rows.current?.querySelector<HTMLElement>(
      isAdded ? `.budget:nth-child(${typed.length}) input` : ':scope > :last-child > .button',
    );
    if (isAdded || document.activeElement === document.body) last?.focus();
  }, [typed.length]);
  const unused = before.filter(([key]) => !typed.some(([one]) => one === key));
  const [next] = unused;
  const set = before
    .map(([key, old]) => [key, old, new Map(typed).get(key)?.trim() || 'none'] as const)
    .flatMap(([key, old, value]) => (value === old ? [] : [[key, value] as const]));
  const type = (at: number, ...more: typeof typed) => setTyped(typed.toSpliced(at, 1, ...more));
  return (
    <ChangeForm setting={setting} shown={shown} set={Object.fromEntries(set)}>
      {(wrong) => (
        <div class="stack" ref={rows}>
          {typed.map(([key, value], at) => (
            <div key={at} class="row budget" role="group" aria-label={`Budget ${at + 1}`}>
              <TextField
                label="At most"
                autoComplete="off"
                placeholder={`e.g. ${SETTINGS[key].such ?? '500'}`}
                value={value}
                problem={wrong(key)}
                onChange={(now) => type(at, [key, now])}
              />
              <SelectField
                label="Of"
                value={key}
                onChange={(now) => type(at, [now as SettingKey, value])}
                choices={before
                  .filter((one) => one[0] === key || unused.includes(one))
                  .map(([one]) => ({ value: one, text: SETTINGS[one].help }))}
              />
              <Button kind="quiet" onClick={() => type(at)}>
                Remove
              </Button>
            </div>
          ))}
          {next !== undefined && (
            <div>
              <Button icon="plus" onClick={() => type(typed.length, [next[0], ''])}>
                {typed.length === 0 ? 'Add a budget' : 'Add another budget'}
              </Button>
            </div>
          )}
        </div>
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
  const [isTyped, setTyped] = useState(row.texts?.[field.value] === undefined);
  const usual = isSet ? emptiedOf(setting) : row.byDefault;
  const text = <TextField {...own} autoComplete="off" placeholder={`empty: ${usual}`} />;
  if (choices === undefined && row.texts === undefined) return text;
  if (choices === undefined)
    return (
      <>
        <SelectField
          label={`${own.label}: which`}
          value={isTyped ? 'other' : field.value}
          problem={isTyped ? undefined : field.problem}
          onChange={(value) => {
            setTyped(value === 'other');
            field.onChange(value === 'other' ? '' : value);
          }}
          choices={[
            ...Object.entries(row.texts ?? {}).map(([value, each]) => ({ value, text: each })),
            { value: 'other', text: 'other' },
          ]}
        />
        {isTyped && text}
      </>
    );
  return <SelectField {...own} any={field.value === '' ? usual : undefined} choices={choices} />;
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
