import { useState } from 'preact/hooks';

import { SETTING_GROUPS } from '../../../../config/table/row.ts';
import {
  partsOf,
  SETTING_ROWS,
  SETTINGS,
  settingSentence,
  type SettingKey,
} from '../../../../config/table/settings-table.ts';
import { Icon } from '../../parts/icon.tsx';
import { ProblemNotice, Said } from '../../parts/notice.tsx';
import { params, setParams } from '../../shell/navigation.ts';
import { may } from '../../shell/session.ts';
import type { ShownCampaign } from '../use-campaign.ts';
import { WeekCalendar } from './week-calendar.tsx';
import { keyOf, SettingField, useSettings } from './setting-field.tsx';

/** Changes one setting; of a group, those of its keys that are filled in. */
function SettingForm({ setting: key, shown }: { setting: SettingKey; shown: ShownCampaign }) {
  const parts = partsOf(key);
  const isGroup = parts.length > 0;
  const { settings, version } = shown.campaign;
  // What was there when it was opened is what the person has looked at.
  const [seen] = useState({ version, value: settings[key] ?? '' });
  const [typed, setTyped] = useState<Record<string, string>>(isGroup ? {} : { [key]: seen.value });
  const close = () => {
    setParams({ change: null });
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
