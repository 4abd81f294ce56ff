import type { ListLook } from '../../../contract/drafts.ts';
import { byteText, counted } from '../../parts/amounts.ts';
import { Loading } from '../../parts/loading.tsx';
import { Notice, ProblemNotice } from '../../parts/notice.tsx';
import { NextStep } from '../steps.tsx';
import type { ShownDraft } from '../use-draft.tsx';
import { DropZone } from '../../parts/forms/drop-zone.tsx';
import { ListFormat } from './list-format.tsx';
import { SendingList } from './sending-list.tsx';
import { useLooks } from './use-looks.ts';
import { useSending } from './use-sending.ts';

/** Lists are sent, and each is shown as it is read. */
export function UploadStep({ shown }: { shown: ShownDraft }) {
  const { draft, change } = shown;
  const looks = useLooks(draft);
  const sending = useSending((uploads) => {
    const ids = uploads.map(({ id }) => id);
    void change((now) => ({ uploads: [...now.uploads, ...ids] }));
  });
  const lists = looks.value?.lists ?? [];
  return (
    <div class="stack wide">
      <DropZone
        onFiles={sending.add}
        {...(draft.files.length > 0 && { title: 'Drop further lists here' })}
      />
      <SendingList files={sending.files} />
      {looks.problem !== undefined && <ProblemNotice problem={looks.problem} />}
      {draft.files.length === 0 && (
        <p class="soft">There is no list yet: without one, nobody would be called.</p>
      )}
      {draft.files.length > 0 && looks.value === undefined && looks.isLoading && (
        <Loading what="the lists" />
      )}
      {draft.files.map(({ id, bytes }) => {
        const look = lists.find(({ upload }) => upload === id);
        if (look === undefined) return null;
        return <ListCard key={id} look={look} bytes={bytes} shown={shown} />;
      })}
      <NextStep shown={shown} next="columns" isReady={draft.files.length > 0}>
        {draft.files.length > 0 &&
          'You can leave, and go on later from the campaigns. What you choose is kept; the lists themselves are deleted a day after the last change.'}
      </NextStep>
    </div>
  );
}

function ListCard({ look, bytes, shown }: { look: ListLook; bytes: number; shown: ShownDraft }) {
  const { upload, name, rows, kind, problem, warnings } = look;
  return (
    <section class="card padded" aria-label={name}>
      <header>
        <div>
          <h2 class="break">{name}</h2>
          <p class="soft small-text number">
            {byteText(bytes)}
            {rows !== null && `, ${counted(rows, 'row')}`}
            {kind === 'workbook' && ', a workbook'}
          </p>
        </div>
        <button
          class="button small"
          type="button"
          aria-label={`Take out ${name}`}
          onClick={() =>
            void shown.change((now) => ({ uploads: now.uploads.filter((id) => id !== upload) }))
          }
        >
          Take out
        </button>
      </header>
      <ListFormat look={look} shown={shown} />
      {problem !== null &&
        (kind === null ? (
          <ProblemNotice problem={problem} />
        ) : (
          <Notice tone="warn" next="The next step, columns, mends it.">
            {problem.detail}
          </Notice>
        ))}
      {warnings.map((warning) => (
        <Notice key={warning} tone="warn">
          {warning}
        </Notice>
      ))}
    </section>
  );
}
