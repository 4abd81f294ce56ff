import { useState } from 'preact/hooks';
import type { CampaignDetail } from '../../../views/campaigns.ts';
import { TextField } from '../parts/field.tsx';
import { ProblemNotice } from '../parts/notice.tsx';
import { keyOf, useSettings } from './settings/setting-field.tsx';
import type { ShownCampaign } from './use-campaign.ts';

/** Concurrency and pace, which a run in progress follows within a second. */
export function Limits({ shown }: { shown: ShownCampaign }) {
  const { campaign } = shown;
  const present = limitsOf(campaign);
  // What is typed belongs to the version that it was typed over.
  const [typed, setTyped] = useState<{ version: number; concurrency: string; pace: string }>();
  const change = useSettings(shown, {
    now: (now) => {
      const { concurrency, pace } = limitsOf(now);
      return `Concurrency is ${concurrency} now, and pace ${pace}.`;
    },
    onDone: () => {
      setTyped(undefined);
    },
  });
  const fields = typed ?? { version: campaign.version, ...present };
  const type = (more: Partial<typeof present>) => {
    setTyped({ ...fields, ...more });
  };
  const set = Object.fromEntries(
    (['concurrency', 'pace'] as const)
      .filter((key) => fields[key].trim() !== present[key])
      .map((key) => [key, fields[key].trim()]),
  );
  const hasChanged = Object.keys(set).length > 0;
  const { problem } = change;
  const wrong = problem && keyOf(problem, Object.keys(set));
  return (
    <section class="card padded">
      <h2>Limits</h2>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (hasChanged) void change.run(fields.version, set);
        }}
      >
        <div class="columns limits">
          <TextField
            label="Concurrency"
            about="Calls in progress at once."
            value={fields.concurrency}
            problem={wrong === 'concurrency' ? problem : undefined}
            autoComplete="off"
            onChange={(concurrency) => {
              type({ concurrency });
            }}
          />
          <TextField
            label="Pace"
            about="Calls begun, as 60/min or 10/s; none: no limit."
            value={fields.pace}
            problem={wrong === 'pace' ? problem : undefined}
            autoComplete="off"
            onChange={(pace) => {
              type({ pace });
            }}
          />
        </div>
        {problem !== undefined && wrong === undefined && <ProblemNotice problem={problem} />}
        <div class="row between">
          <p class="soft small-text" role="status">
            {typed !== undefined && typed.version !== campaign.version
              ? `Somebody has changed the campaign meanwhile: concurrency ${present.concurrency}, pace ${present.pace} now.`
              : 'A run in progress follows within a second.'}
          </p>
          <div class="row tight">
            {typed !== undefined && (
              <button
                class="button quiet"
                type="button"
                onClick={() => {
                  change.forget();
                  setTyped(undefined);
                }}
              >
                Leave as it is
              </button>
            )}
            <button class="button" type="submit" disabled={!hasChanged || change.isBusy}>
              Change limits
            </button>
          </div>
        </div>
      </form>
      {change.question}
    </section>
  );
}

function limitsOf({ concurrency, settings }: CampaignDetail) {
  return { concurrency: String(concurrency), pace: settings['pace'] ?? 'none' };
}
