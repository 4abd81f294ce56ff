import type { Draft } from '../../contract/drafts.ts';
import { useAction } from '../api/action.ts';
import { path } from '../api/addresses.ts';
import { get, send } from '../api/client.ts';
import { useLoaded } from '../api/loaded.ts';
import { ProblemNotice } from '../parts/notice.tsx';
import { Time } from '../parts/times.tsx';

/** New campaigns that were left before they were made; each can be taken up again or given up. */
export function DraftList() {
  const drafts = useLoaded((signal) => get<{ items: Draft[] }>('/drafts', signal), []);
  const removing = useAction(async (id: string) => {
    await send('DELETE', path`/drafts/${id}`);
    drafts.reload();
  });
  const items = drafts.value?.items ?? [];
  if (items.length === 0) return null;
  return (
    <section class="card padded">
      <h2>Not finished yet</h2>
      {removing.problem !== undefined && <ProblemNotice problem={removing.problem} />}
      <ul class="stack tight" role="list">
        {items.map(({ id, name, files, step, who, changedAt }) => {
          const shown = name === '' ? (files[0]?.name ?? 'without a list') : name;
          return (
            <li key={id} class="row between">
              <span class="break">
                <a href={path`/drafts/${id}/${step}`}>{shown}</a>{' '}
                <span class="soft small-text">
                  at {step}, changed by {who} <Time at={changedAt} />
                </span>
              </span>
              <button
                class="button quiet small"
                type="button"
                disabled={removing.isBusy}
                aria-label={`Give up ${shown}: its lists are deleted`}
                onClick={() => void removing.run(id)}
              >
                Give up
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
