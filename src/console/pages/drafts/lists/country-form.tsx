import { useState } from 'preact/hooks';
import type { ProblemBody } from '../../../contract/common.ts';
import type { Surveyed } from '../../../contract/drafts.ts';
import { TextField } from '../../parts/field.tsx';
import type { ShownDraft } from '../use-draft.tsx';

/** Asks for the country of numbers that do not say theirs, where there are any. */
export function CountryForm({
  shown: { draft, change, isSaving },
  surveyed,
  problem,
}: {
  shown: ShownDraft;
  surveyed: Surveyed | undefined;
  /** Why the country that is chosen was refused. */
  problem: ProblemBody | undefined;
}) {
  const chosen = draft.settings['country'] ?? '';
  const [typed, setTyped] = useState(chosen);
  const without = surveyed?.lists.flatMap(({ reasons }) =>
    reasons.filter(({ code }) => code === 'no_country'),
  );
  if (problem === undefined && chosen === '' && (without === undefined || without.length === 0))
    return null;
  return (
    <form
      class="country-form"
      onSubmit={(event) => {
        event.preventDefault();
        void change((now) => ({
          settings: { ...now.settings, country: typed.trim() || 'none' },
        }));
      }}
    >
      <TextField
        label="Country of numbers without +"
        about="Two letters, e.g. US; numbers with + say their own"
        value={typed}
        problem={problem}
        autoComplete="off"
        onChange={setTyped}
      />
      <button class="button" type="submit" disabled={isSaving || typed.trim() === chosen}>
        Read them again
      </button>
    </form>
  );
}
