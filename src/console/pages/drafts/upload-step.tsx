import type { DraftColumns } from '../../contract/drafts.ts';
import { path } from '../api/addresses.ts';
import { get } from '../api/client.ts';
import { useLoaded } from '../api/loaded.ts';
import { amount, byteText } from '../parts/amounts.ts';
import { ProblemNotice } from '../parts/notice.tsx';
import { DropBox } from './drop-box.tsx';
import { ListFormat } from './list-format.tsx';
import type { StepProps } from './use-draft.ts';

/** The lists of the draft: how each is read, more of them, or fewer. */
export function UploadStep({ draft, state }: StepProps) {
  const looked = useLoaded(
    (signal) => get<DraftColumns>(path`/drafts/${draft.id}/columns`, signal),
    [draft.id, draft.uploads, draft.lists],
  );
  return (
    <section class="stack">
      {draft.files.map((file) => {
        const look = looked.value?.lists.find(({ upload }) => upload === file.id);
        return (
          <div key={file.id} class="card padded">
            <header>
              <h2 class="break">{file.name}</h2>
              <button
                class="button quiet small"
                type="button"
                disabled={state.isBusy}
                aria-label={`Take ${file.name} out`}
                onClick={() => {
                  state.change(({ uploads }) => ({
                    uploads: uploads.filter((id) => id !== file.id),
                  }));
                }}
              >
                Take out
              </button>
            </header>
            <p class="soft">
              {byteText(file.bytes)}
              {look?.rows != null && `, ${amount(look.rows)} rows`}
            </p>
            {look?.problem != null && <ProblemNotice problem={look.problem} />}
            {look !== undefined && <ListFormat look={look} draft={draft} state={state} />}
          </div>
        );
      })}
      <div class="card padded">
        <DropBox
          label={draft.files.length === 0 ? 'Drop lists here, or choose them' : 'Add another list'}
          about="CSV in any encoding, or an .xlsx workbook; one person a row, with a column of phone numbers."
          onSent={(sent) => {
            state.change(({ uploads }) => ({ uploads: [...uploads, ...sent.map(({ id }) => id)] }));
          }}
        />
      </div>
    </section>
  );
}
