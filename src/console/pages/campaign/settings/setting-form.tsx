import { useState } from 'preact/hooks';
import { TextField } from '../../parts/field.tsx';
import { ProblemNotice } from '../../parts/notice.tsx';
import { setParams } from '../../shell/navigation.ts';
import type { SettingWords } from './setting-words.ts';
import { keyOf, useSettings } from './use-settings.ts';
import type { ShownCampaign } from '../use-campaign.ts';

/** Changes one setting; of a group, those of its keys that are filled in. */
export function SettingForm({
  words: { key, parts },
  shown,
}: {
  words: SettingWords;
  shown: ShownCampaign;
}) {
  const { settings, version } = shown.campaign;
  // What was there when it was opened is what the person has looked at.
  const [seen] = useState({ version, value: settings[key] ?? '' });
  const [typed, setTyped] = useState<Record<string, string>>(
    parts === undefined ? { [key]: seen.value } : {},
  );
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
  const field = (each: string, about?: string) => (
    <TextField
      key={each}
      label={each}
      {...(about !== undefined && { about })}
      value={typed[each] ?? ''}
      problem={wrong === each ? problem : undefined}
      autoComplete="off"
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
      {parts === undefined ? (
        field(key)
      ) : (
        <>
          <p class="soft small-text">What is left empty stays as it is; none takes it away.</p>
          <div class="columns setting-parts">
            {Object.entries(parts).map(([each, about]) => field(each, about))}
          </div>
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
        {parts !== undefined && seen.value !== 'none' && (
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
