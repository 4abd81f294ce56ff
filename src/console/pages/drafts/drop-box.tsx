import { useId, useRef, useState } from 'preact/hooks';
import type { ProblemBody } from '../../contract/common.ts';
import type { Upload } from '../../contract/uploads.ts';
import { problemOf } from '../api/loaded.ts';
import { upload } from '../api/upload.ts';
import { byteText } from '../parts/amounts.ts';
import { Icon } from '../parts/icon.tsx';
import { ProblemNotice } from '../parts/notice.tsx';

interface Sending {
  file: File;
  sent: number;
  over: AbortController;
  problem: ProblemBody | undefined;
}

/**
 * Takes lists, dropped or chosen, and sends them one after the other.
 *
 * @param onSent told when all of them are there; those that could not be sent say why
 */
export function DropBox({
  label,
  about,
  onSent,
}: {
  label: string;
  about: string;
  onSent: (uploads: Upload[]) => void | Promise<void>;
}) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const [sending, setSending] = useState<Sending[]>([]);
  const isBusy = sending.some(({ problem }) => problem === undefined);

  const take = async (files: readonly File[]) => {
    if (files.length === 0 || isBusy) return;
    const all = files.map((file): Sending => ({
      file,
      sent: 0,
      over: new AbortController(),
      problem: undefined,
    }));
    const show = () => {
      setSending(all.map((one) => ({ ...one })));
    };
    show();
    const uploads: Upload[] = [];
    for (const one of all) {
      try {
        const onProgress = (sent: number) => {
          one.sent = sent;
          show();
        };
        uploads.push(await upload(one.file, onProgress, one.over.signal));
      } catch (error) {
        one.problem = one.over.signal.aborted ? stopped(one.file.name) : problemOf(error);
        show();
      }
    }
    if (uploads.length > 0) await onSent(uploads);
    setSending(all.filter(({ problem }) => problem !== undefined));
    if (input.current !== null) input.current.value = '';
  };

  return (
    <div class="stack">
      <div
        class={`drop-box ${isOver ? 'over' : ''}`}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => {
          setOver(false);
        }}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          void take([...(event.dataTransfer?.files ?? [])]);
        }}
      >
        <Icon name="upload" />
        <label for={id}>{label}</label>
        <input
          id={id}
          ref={input}
          type="file"
          multiple
          disabled={isBusy}
          onChange={({ currentTarget }) => {
            void take([...(currentTarget.files ?? [])]);
          }}
        />
        <p class="soft small-text">{about}</p>
      </div>
      {sending.map(({ file, sent, over, problem }) =>
        problem === undefined ? (
          <div key={file.name} class="row between" role="status">
            <span class="break">
              {file.name}{' '}
              <span class="soft small-text">
                {byteText(sent)} of {byteText(file.size)}
              </span>
            </span>
            <progress
              class="progress"
              aria-label={`Sending ${file.name}`}
              max={Math.max(1, file.size)}
              value={sent}
            />
            <button
              class="button quiet small"
              type="button"
              onClick={() => {
                over.abort();
              }}
            >
              Stop
            </button>
          </div>
        ) : (
          <ProblemNotice key={file.name} problem={problem} />
        ),
      )}
    </div>
  );
}

function stopped(name: string): ProblemBody {
  return {
    type: 'urn:callsheet:UPLOAD_STOPPED',
    title: 'upload stopped',
    status: 0,
    code: 'UPLOAD_STOPPED',
    detail: `${name} was not sent: it was stopped.`,
    hint: 'nothing of it is kept',
  };
}
