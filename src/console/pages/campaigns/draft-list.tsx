import { useState } from 'preact/hooks';
import type { Draft } from '../../contract/drafts.ts';
import { useAction } from '../api/action.ts';
import { path } from '../api/addresses.ts';
import { get, send } from '../api/client.ts';
import { useLoaded } from '../api/loaded.ts';
import { Confirm } from '../parts/dialog.tsx';
import { ProblemNotice } from '../parts/notice.tsx';
import { Time } from '../parts/times.tsx';

/** New campaigns that were begun and left: to be taken up where they were left, or given up. */
export function DraftList() {
  const drafts = useLoaded((signal) => get<{ items: Draft[] }>('/drafts', signal), []);
  const [given, setGiven] = useState<Draft>();
  const removing = useAction(async ({ id }: Draft) => {
    await send('DELETE', path`/drafts/${id}`);
    drafts.reload();
    setGiven(undefined);
  });
  if (drafts.problem !== undefined) return <ProblemNotice problem={drafts.problem} />;
  const items = drafts.value?.items ?? [];
  if (items.length === 0) return null;
  return (
    <section class="stack tight" aria-label="In preparation">
      <ul class="card drafts" role="list">
        {items.map((draft) => (
          <li key={draft.id}>
            <div>
              <div class="row tight">
                <h2>{nameOf(draft)}</h2>
                <span class="badge">in preparation</span>
              </div>
              <p class="soft small-text break">
                {listsOf(draft)}, changed by {draft.who} <Time at={draft.changedAt} />
              </p>
            </div>
            <div class="row tight">
              <a
                class="button small"
                href={`${path`/drafts/${draft.id}`}/${draft.step}`}
                aria-label={`Go on with ${nameOf(draft)}`}
              >
                Go on
              </a>
              <button
                class="button quiet small"
                type="button"
                aria-label={`Give up ${nameOf(draft)}`}
                onClick={() => {
                  removing.forget();
                  setGiven(draft);
                }}
              >
                Give up
              </button>
            </div>
          </li>
        ))}
      </ul>
      {given !== undefined && (
        <Confirm
          title={`Give up ${nameOf(given)}?`}
          does="Delete its lists and choices"
          isDanger
          isBusy={removing.isBusy}
          onYes={() => void removing.run(given)}
          onNo={() => {
            setGiven(undefined);
          }}
        >
          <p>Nobody of it was called. Its lists are deleted from the console.</p>
          {removing.problem !== undefined && <ProblemNotice problem={removing.problem} />}
        </Confirm>
      )}
    </section>
  );
}

function listsOf({ files, gone }: Draft): string {
  const sent = files.map(({ name }) => name);
  const deleted = gone.map((name) => `${name} (deleted after a day)`);
  return [...sent, ...deleted].join(', ') || 'no list yet';
}

function nameOf({ name }: Draft): string {
  return name === '' ? 'A new campaign' : name;
}
