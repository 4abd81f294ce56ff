import { useState } from 'preact/hooks';
import { partsOf, type SettingKey } from '../../../../config/table/settings-table.ts';
import { ProblemNotice } from '../../parts/notice.tsx';
import { SettingField } from './setting-field.tsx';
import { setParams } from '../../shell/navigation.ts';
import { keyOf, useSettings } from './use-settings.ts';
import type { ShownCampaign } from '../use-campaign.ts';

/** Changes one setting; of a group, those of its keys that are filled in. */
export function SettingForm({
  setting: key,
  shown,
}: {
  setting: SettingKey;
  shown: ShownCampaign;
}) {
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
